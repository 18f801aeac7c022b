package io.rivulet.protocol.record.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.Allocations;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Few bytes that decompress to many. Each codec documents its maximum. */
class DecompressionBombsTest {
    private static final int MIB = 1 << 20;
    private static final int BOMB_BYTES = 10 * 1024;
    private static final int ZSTD_BLOCK_BYTES = 128 * 1024;

    /** Loads the libraries first, because their loading allocates too. */
    @BeforeAll
    static void loadLibraries() {
        for (Codec codec : Codec.values()) {
            if (codec != Codec.NONE) {
                assertRefusedAt(codec, bomb(codec, BOMB_BYTES), 1024, new byte[1024]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void tenKilobytesAreRefusedAtTheLimitForLessThanAMebibyteOfHeap(Codec codec) {
        // Given
        byte[] bomb = bomb(codec, BOMB_BYTES);
        int limit = codec == Codec.SNAPPY ? 128 * 1024 : MIB;

        // When
        byte[] chunk = new byte[8 * 1024];
        long allocated = Allocations.bytesOf(() -> assertRefusedAt(codec, bomb, limit, chunk));

        // Then
        assertThat(bomb.length).isLessThanOrEqualTo(BOMB_BYTES);
        assertThat(allocated).isLessThan(MIB);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void aHighLimitCostsNoMoreHeapThanALowOne(Codec codec) {
        // Given the maximum output of 10 KiB, and a higher limit
        byte[] bomb = bomb(codec, BOMB_BYTES);
        byte[] chunk = new byte[8 * 1024];
        long[] total = new long[1];

        // When
        long allocated = Allocations.bytesOf(() -> {
            try (Decompressor decompressor = codec.newDecompressor()) {
                decompressor.begin(Unpooled.wrappedBuffer(bomb), 0, bomb.length, Integer.MAX_VALUE);
                total[0] = Bytes.count(decompressor, chunk);
            }
        });

        // Then
        assertThat(total[0] / bomb.length).isBetween(expansion(codec) * 9 / 10, expansion(codec));
        assertThat(allocated - wrappings(codec, total[0], chunk)).isLessThan(MIB);
    }

    /**
     * Since Java 22, zstd-jni wraps each array in a memory segment: garbage of up to 160 bytes for each read, until the
     * compiler removes it.
     */
    private static long wrappings(Codec codec, long outputBytes, byte[] chunk) {
        boolean wraps = codec == Codec.ZSTD && Runtime.version().feature() >= 22;
        return wraps ? 160 * (outputBytes / chunk.length + 1) : 0;
    }

    @Test
    void tenGigabytesOfZstdAreRefusedAtTheLimit() {
        // Given
        byte[] bomb = zstdRuns(10L * 1024 * MIB / ZSTD_BLOCK_BYTES);
        byte[] chunk = new byte[8 * 1024];

        // When
        long allocated = Allocations.bytesOf(() -> assertRefusedAt(Codec.ZSTD, bomb, 100 * MIB, chunk));

        // Then
        assertThat(bomb.length).isLessThan(400 * 1024);
        assertThat(allocated - wrappings(Codec.ZSTD, 100L * MIB, chunk)).isLessThan(MIB);
    }

    @Test
    void tenGigabytesOfGzipMembersAreRefusedAtTheLimit() {
        // Given one member of 10 MB, a thousand times, as a composite of one buffer
        byte[] member = Bytes.compressed(Codec.GZIP, new byte[10 * MIB]);
        ByteBuf[] members = new ByteBuf[1_000];
        Arrays.setAll(members, i -> Unpooled.wrappedBuffer(member));
        ByteBuf bomb = Unpooled.wrappedBuffer(members.length, members);
        byte[] chunk = new byte[8 * 1024];

        // When
        long allocated = Allocations.bytesOf(() -> {
            try (Decompressor decompressor = Codec.GZIP.newDecompressor()) {
                decompressor.begin(bomb, 0, bomb.readableBytes(), 100 * MIB);
                CodecException refused =
                        catchThrowableOfType(CodecException.class, () -> Bytes.count(decompressor, chunk));
                assertThat(refused.kind()).isEqualTo(CodecException.Kind.OUTPUT_LIMIT);
            }
        });

        // Then
        assertThat(allocated).isLessThan(MIB);
        assertThat(bomb.release()).isTrue();
    }

    private static void assertRefusedAt(Codec codec, byte[] bomb, int limit, byte[] chunk) {
        try (Decompressor decompressor = codec.newDecompressor()) {
            decompressor.begin(Unpooled.wrappedBuffer(bomb), 0, bomb.length, limit);
            CodecException refused = catchThrowableOfType(CodecException.class, () -> Bytes.count(decompressor, chunk));
            assertThat(refused.kind()).isEqualTo(CodecException.Kind.OUTPUT_LIMIT);
        }
    }

    /** The maximum output of a codec for one byte. */
    private static long expansion(Codec codec) {
        return switch (codec) {
            case GZIP -> 1_032;
            case SNAPPY -> 22;
            case LZ4 -> 255;
            case ZSTD -> 32_768;
            case NONE -> 1;
        };
    }

    private static byte[] bomb(Codec codec, int bytes) {
        return switch (codec) {
            case ZSTD -> zstdRuns((bytes - 6) / 4);
            case LZ4 -> lz4Run(bytes);
            default -> Bytes.compressed(codec, new byte[(int) (bytes * expansion(codec) * 95 / 100)]);
        };
    }

    /** Blocks that each repeat one byte 128 Ki times, in a frame that declares a window of 2 GiB. */
    private static byte[] zstdRuns(long blocks) {
        ByteBuf frame = Unpooled.buffer();
        frame.writeIntLE(0xfd2fb528).writeByte(0).writeByte(21 << 3);
        for (long i = 1; i <= blocks; i++) {
            int last = i == blocks ? 1 : 0;
            frame.writeMediumLE(ZSTD_BLOCK_BYTES << 3 | 1 << 1 | last).writeByte(0);
        }
        return Bytes.toArray(frame);
    }

    /** One literal and one match of the greatest length, in one block of up to 4 MiB. */
    private static byte[] lz4Run(int bytes) {
        byte[] empty = Bytes.compressed(Codec.LZ4, new byte[0]);
        ByteBuf frame = Unpooled.buffer().writeBytes(empty, 0, 7);
        frame.setByte(5, 7 << 4);
        int hash = net.jpountz.xxhash.XXHashFactory.safeInstance().hash32().hash(frame.array(), 4, 2, 0);
        frame.setByte(6, hash >> 8);
        int block = bytes - 7 - 4 - 4;
        frame.writeIntLE(block).writeByte(0x1f).writeByte('x').writeShortLE(1);
        for (int i = 0; i < block - 6; i++) {
            frame.writeByte(255);
        }
        frame.writeByte(0).writeByte(0).writeIntLE(0);
        return Bytes.toArray(frame);
    }
}
