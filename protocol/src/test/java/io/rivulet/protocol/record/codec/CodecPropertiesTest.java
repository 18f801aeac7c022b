package io.rivulet.protocol.record.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.Allocations;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** jqwik prints the seed of a run that fails. */
class CodecPropertiesTest {
    private static final int LIMIT = 256 * 1024;
    private static final int MIB = 1 << 20;

    @Property(tries = 300)
    void whatWasCompressedComesOutInStepsOfAnySize(
            @ForAll("codecs") Codec codec,
            @ForAll long seed,
            @ForAll @IntRange(max = 300_000) int length,
            @ForAll @IntRange(min = 1, max = 70_000) int step) {
        // Given
        byte[] original = Bytes.mixed(length, new Random(seed));
        byte[] compressed = Bytes.compressed(codec, original);
        try (Decompressor decompressor = codec.newDecompressor()) {
            for (int round = 0; round < 2; round++) {
                // When
                decompressor.begin(Unpooled.wrappedBuffer(compressed), 0, compressed.length, length);
                byte[] read = Bytes.drain(decompressor, step);
                decompressor.end();

                // Then
                assertThat(Arrays.equals(read, original)).isTrue();
            }
        }
    }

    @Property(tries = 3_000)
    void damagedBytesAreRefusedOrReadWithinTheLimit(
            @ForAll("codecs") Codec codec, @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int changes) {
        // Given
        Random random = new Random(seed);
        byte[] compressed = Bytes.compressed(codec, Bytes.mixed(random.nextInt(20_000), random));
        for (int i = 0; i < changes && compressed.length > 0; i++) {
            int at = random.nextBoolean()
                    ? random.nextInt(compressed.length)
                    : random.nextInt(Math.min(30, compressed.length));
            compressed[at] = (byte) random.nextInt(256);
        }
        byte[] chunk = new byte[4_096];

        // When
        long allocated = Allocations.bytesOf(() -> {
            try (Decompressor decompressor = codec.newDecompressor()) {
                decompressor.begin(Unpooled.wrappedBuffer(compressed), 0, compressed.length, LIMIT);
                // Then
                assertThat(Bytes.count(decompressor, chunk)).isLessThanOrEqualTo(LIMIT);
            } catch (CodecException e) {
                assertThat(e.kind()).isNotNull();
            }
        });
        assertThat(allocated).isLessThan(MIB);
    }

    @Provide
    Arbitrary<Codec> codecs() {
        return Arbitraries.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD);
    }
}
