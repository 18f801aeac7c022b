package io.rivulet.protocol.record.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.Allocations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyOutputStream;

class SnappyFramingsTest {
    private static final byte[] ORIGINAL = Bytes.mixed(200_000, new Random(1));

    @Test
    void aFramedStreamIsRead() throws IOException {
        for (int blockBytes : new int[] {1_024, 32 * 1024, 1 << 20}) {
            ByteArrayOutputStream framed = new ByteArrayOutputStream();
            try (SnappyOutputStream out = new SnappyOutputStream(framed, blockBytes)) {
                out.write(ORIGINAL);
            }
            assertThat(Bytes.decompressed(Codec.SNAPPY, framed.toByteArray())).isEqualTo(ORIGINAL);
        }
    }

    @Test
    void oneRawBlockIsRead() throws IOException {
        assertThat(Bytes.decompressed(Codec.SNAPPY, Snappy.compress(ORIGINAL))).isEqualTo(ORIGINAL);
    }

    @Test
    void bytesOutsideTheHeapAreReadToo() throws IOException {
        // Given
        byte[] compressed = Snappy.compress(ORIGINAL);
        ByteBuf direct = Unpooled.directBuffer().writeBytes(compressed);

        // When
        byte[] read;
        try (Decompressor decompressor = Codec.SNAPPY.newDecompressor()) {
            decompressor.begin(direct, 0, compressed.length, Bytes.LIMIT);
            read = Bytes.drain(decompressor, 999);
        }

        // Then
        assertThat(read).isEqualTo(ORIGINAL);
        assertThat(direct.refCnt()).isEqualTo(1);
        direct.release();
    }

    @Test
    void framedStreamsOneAfterTheOtherAreReadAsOne() {
        byte[] framed = Bytes.compressed(Codec.SNAPPY, ORIGINAL);
        assertThat(Bytes.decompressed(Codec.SNAPPY, Bytes.joined(framed, framed)))
                .isEqualTo(Bytes.joined(ORIGINAL, ORIGINAL));
    }

    @Test
    void aStreamThatEndsInTheMiddleIsCorrupt() throws IOException {
        byte[] small = Arrays.copyOf(ORIGINAL, 300);
        byte[] raw = Snappy.compress(small);
        for (int length = 0; length < raw.length; length++) {
            byte[] part = Arrays.copyOf(raw, length);
            assertThatThrownBy(() -> Bytes.decompressed(Codec.SNAPPY, part))
                    .as("%d bytes", length)
                    .isInstanceOf(CodecException.class);
        }
    }

    @Test
    void aBlockCannotClaimMoreThanSnappyCanExpand() {
        // Given a raw block that claims to hold 2 GiB - 1 in six bytes
        byte[] liar = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0};
        try (Decompressor decompressor = Codec.SNAPPY.newDecompressor()) {
            // When
            long allocated = Allocations.bytesOf(() -> {
                decompressor.begin(Unpooled.wrappedBuffer(liar), 0, liar.length, Integer.MAX_VALUE);
                CodecException refused =
                        catchThrowableOfType(CodecException.class, () -> decompressor.read(new byte[100], 0, 100));
                // Then
                assertThat(refused.kind()).isEqualTo(CodecException.Kind.CORRUPT);
            });
            assertThat(allocated).isLessThan(1 << 20);
        }
    }

    @Test
    void aRawBlockAboveTheLimitIsRefusedBeforeItIsDecompressed() throws IOException {
        byte[] raw = Snappy.compress(new byte[100_000]);
        CodecException refused =
                catchThrowableOfType(CodecException.class, () -> Bytes.decompressed(Codec.SNAPPY, raw, 99_999));
        assertThat(refused.kind()).isEqualTo(CodecException.Kind.OUTPUT_LIMIT);
        assertThat(Bytes.decompressed(Codec.SNAPPY, raw, 100_000)).isEqualTo(new byte[100_000]);
    }
}
