package io.rivulet.protocol.record.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import net.jpountz.xxhash.XXHashFactory;
import org.xerial.snappy.SnappyOutputStream;

/**
 * Compression by the usual libraries, with the framings that Kafka's clients read. Frees native memory on all paths.
 */
final class Compressors {
    private static final int SNAPPY_BLOCK_BYTES = 32 * 1024;
    private static final int GZIP_BUFFER_BYTES = 8 * 1024;
    private static final int LZ4_SIZE_UNKNOWN = -1;

    private Compressors() {}

    static void compress(Codec codec, ByteBuf source, ByteBuf target, int level) {
        if (codec == Codec.ZSTD) {
            zstd(source, target, level);
            return;
        }
        try (OutputStream out = open(codec, new ByteBufOutputStream(target), level)) {
            source.getBytes(source.readerIndex(), out, source.readableBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    private static OutputStream open(Codec codec, OutputStream out, int level) throws IOException {
        return switch (codec) {
            case NONE -> out;
            case GZIP -> new LeveledGzip(out, level);
            case SNAPPY -> new SnappyOutputStream(out, SNAPPY_BLOCK_BYTES);
            case LZ4 ->
                new LZ4FrameOutputStream(
                        out,
                        BLOCKSIZE.SIZE_64KB,
                        LZ4_SIZE_UNKNOWN,
                        lz4(level),
                        XXHashFactory.fastestInstance().hash32(),
                        FLG.Bits.BLOCK_INDEPENDENCE);
            case ZSTD -> throw new IllegalStateException("zstd is compressed whole");
        };
    }

    private static LZ4Compressor lz4(int level) {
        LZ4Factory factory = LZ4Factory.fastestInstance();
        return level == Codec.LZ4.defaultLevel() ? factory.fastCompressor() : factory.highCompressor(level);
    }

    /** In one call, so that the window is as small as the data and readers need no more memory. */
    private static void zstd(ByteBuf source, ByteBuf target, int level) {
        int length = source.readableBytes();
        byte[] from = source.hasArray() ? source.array() : ByteBufUtil.getBytes(source);
        int index = source.hasArray() ? source.arrayOffset() + source.readerIndex() : 0;
        byte[] to = new byte[Math.toIntExact(Zstd.compressBound(length))];
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            int compressed = context.setLevel(level).compressByteArray(to, 0, to.length, from, index, length);
            target.writeBytes(to, 0, compressed);
        }
    }

    private static final class LeveledGzip extends GZIPOutputStream {
        LeveledGzip(OutputStream out, int level) throws IOException {
            super(out, GZIP_BUFFER_BYTES);
            def.setLevel(level);
        }
    }
}
