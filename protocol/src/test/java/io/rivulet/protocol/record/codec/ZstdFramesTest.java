package io.rivulet.protocol.record.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ZstdFramesTest {
    private static final int WINDOW_AT = 5;
    private static final byte[] ORIGINAL = Bytes.mixed(300_000, new Random(1));

    @Test
    void framesOneAfterTheOtherAreReadAsOneAndSkippableOnesAreSkipped() {
        byte[] frame = Bytes.compressed(Codec.ZSTD, ORIGINAL);
        byte[] skippable = {0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3};
        assertThat(Bytes.decompressed(Codec.ZSTD, Bytes.joined(skippable, frame, skippable, frame)))
                .isEqualTo(Bytes.joined(ORIGINAL, ORIGINAL));
    }

    @Test
    void everyLevelThatAProducerMayStreamWithIsRead() throws IOException {
        for (int level : new int[] {-5, 1, 3, 9, 19, 20, 22}) {
            // Given a stream of unknown length, whose window depends on the level alone
            byte[] frame = streamed(ORIGINAL, level);

            // When, Then
            assertThat(Bytes.decompressed(Codec.ZSTD, frame, ORIGINAL.length))
                    .as("level %d", level)
                    .isEqualTo(ORIGINAL);
        }
    }

    @Test
    void aWindowOf128MiBIsReadThroughOneThatTheLimitNeeds() {
        assertThat(windowLog(Fixtures.ZSTD_LEVEL_22)).isEqualTo(27);
        assertThat(Bytes.decompressed(Codec.ZSTD, Fixtures.ZSTD_LEVEL_22, Fixtures.LENGTH))
                .isEqualTo(Bytes.cyclic(Fixtures.LENGTH));
    }

    @Test
    void aReachOf8MiBIsReadAndALongerOneIsRefused() throws IOException {
        // Given noise twice, the second time as a copy of the first
        byte[] near = new byte[7 * 1024 * 1024];
        new Random(5).nextBytes(near);
        byte[] far = new byte[9 * 1024 * 1024];
        new Random(6).nextBytes(far);

        // When
        byte[] read = Bytes.decompressed(Codec.ZSTD, longMatching(near));
        CodecException refused =
                catchThrowableOfType(CodecException.class, () -> Bytes.decompressed(Codec.ZSTD, longMatching(far)));

        // Then
        assertThat(Arrays.equals(read, Bytes.joined(near, near))).isTrue();
        assertThat(refused.kind()).isEqualTo(CodecException.Kind.UNSUPPORTED);
    }

    @Test
    void aLengthAboveTheLimitIsRefusedByTheHeader() {
        byte[] frame = Bytes.compressed(Codec.ZSTD, ORIGINAL);
        CodecException refused = catchThrowableOfType(
                CodecException.class, () -> Bytes.decompressed(Codec.ZSTD, frame, ORIGINAL.length - 1));
        assertThat(refused.kind()).isEqualTo(CodecException.Kind.OUTPUT_LIMIT);
    }

    @Test
    void aFrameThatEndsInTheMiddleIsCorrupt() throws IOException {
        byte[] frame = streamed(Arrays.copyOf(ORIGINAL, 2_000), 3);
        for (int length = 0; length < frame.length; length++) {
            byte[] part = Arrays.copyOf(frame, length);
            assertThatThrownBy(() -> Bytes.decompressed(Codec.ZSTD, part))
                    .as("%d of %d bytes", length, frame.length)
                    .isInstanceOf(CodecException.class);
        }
    }

    private static int windowLog(byte[] frame) {
        return 10 + ((frame[WINDOW_AT] & 0xff) >> 3);
    }

    private static byte[] streamed(byte[] bytes, int level) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(frame, level)) {
            out.write(bytes);
        }
        return frame.toByteArray();
    }

    private static byte[] longMatching(byte[] noise) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(frame, 1)) {
            out.setLong(25);
            out.write(noise);
            out.write(noise);
        }
        assertThat(frame.size()).isLessThan(noise.length + noise.length / 2);
        return frame.toByteArray();
    }
}
