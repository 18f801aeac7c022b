package io.rivulet.protocol.record.codec;

import io.netty.buffer.ByteBuf;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/** The codecs that a batch's attributes can name, with Kafka's numbers, names and ranges of levels. */
public enum Codec {
    NONE(0, "none", 0, 0, 0),
    GZIP(1, "gzip", Deflater.BEST_SPEED, Deflater.BEST_COMPRESSION, Deflater.DEFAULT_COMPRESSION),
    SNAPPY(2, "snappy", 0, 0, 0),
    LZ4(3, "lz4", 1, 17, 9),
    ZSTD(4, "zstd", -131_072, 22, 3);

    private static final Codec[] BY_ID = values();

    private final int id;
    private final String configName;
    private final int minLevel;
    private final int maxLevel;
    private final int defaultLevel;

    Codec(int id, String configName, int minLevel, int maxLevel, int defaultLevel) {
        this.id = id;
        this.configName = configName;
        this.minLevel = minLevel;
        this.maxLevel = maxLevel;
        this.defaultLevel = defaultLevel;
    }

    public static @Nullable Codec forId(int id) {
        return id >= 0 && id < BY_ID.length ? BY_ID[id] : null;
    }

    public int id() {
        return id;
    }

    /** The name in {@code compression.type}. */
    public String configName() {
        return configName;
    }

    public int defaultLevel() {
        return defaultLevel;
    }

    public boolean allowsLevel(int level) {
        return level == defaultLevel || (level >= minLevel && level <= maxLevel);
    }

    /** The range of levels, for messages. */
    public String levels() {
        return minLevel + " to " + maxLevel + ", and by default " + defaultLevel;
    }

    /**
     * A decompressor that the caller closes.
     *
     * @throws CodecException when the codec's library can't be loaded
     */
    public Decompressor newDecompressor() {
        requireLibrary();
        return switch (this) {
            case GZIP -> new GzipDecompressor();
            case SNAPPY -> new SnappyDecompressor();
            case LZ4 -> new Lz4Decompressor();
            case ZSTD -> new ZstdDecompressor();
            case NONE -> throw new IllegalStateException("nothing to decompress");
        };
    }

    /**
     * Compresses the readable bytes of {@code source} and writes them to {@code target}; neither is released.
     *
     * @throws CodecException when the codec's library can't be loaded
     */
    public void compress(ByteBuf source, ByteBuf target, int level) {
        if (!allowsLevel(level)) {
            throw new IllegalArgumentException(configName + " has no level " + level + "; it has " + levels());
        }
        requireLibrary();
        Compressors.compress(this, source, target, level);
    }

    /** Gzip is part of the JVM, and lz4 has an implementation in Java too. */
    private void requireLibrary() {
        if (this == SNAPPY) {
            NativeLibrary.SNAPPY.require();
        } else if (this == ZSTD) {
            NativeLibrary.ZSTD.require();
        }
    }
}
