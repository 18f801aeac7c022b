package io.rivulet.protocol.record.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class Lz4FramesTest {
    private static final int FLAGS_AT = 4;
    private static final int HEADER_CHECKSUM_AT = 6;

    @Test
    void linkedBlocksAreRead() {
        // Given blocks of 64 KiB, of which all but the first copy from the one before
        byte[] frame = Fixtures.LZ4_LINKED;

        // When
        byte[] read = Bytes.decompressed(Codec.LZ4, frame);

        // Then
        assertThat(read).isEqualTo(Bytes.cyclic(Fixtures.LENGTH));
    }

    @Test
    void linkedBlocksAreReportedAsUnreadableByKafka() {
        assertThat(readableByKafka(Fixtures.LZ4_LINKED)).isFalse();
        assertThat(readableByKafka(Fixtures.LZ4_INDEPENDENT_CHECKED)).isTrue();
    }

    @Test
    void allChecksumsAndSizesAreAccepted() {
        for (byte[] frame : List.of(Fixtures.LZ4_LINKED_CHECKED, Fixtures.LZ4_INDEPENDENT_CHECKED)) {
            assertThat(Bytes.decompressed(Codec.LZ4, frame)).isEqualTo(Bytes.cyclic(Fixtures.LENGTH));
        }
    }

    @Test
    void noBitOfACheckedFrameCanChangeUnnoticed() {
        // Given
        byte[] original = Bytes.cyclic(Fixtures.LENGTH);
        for (int bit = 0; bit < Fixtures.LZ4_INDEPENDENT_CHECKED.length * 8; bit++) {
            byte[] frame = Fixtures.LZ4_INDEPENDENT_CHECKED.clone();
            frame[bit / 8] ^= (byte) (1 << (bit % 8));

            // When
            CodecException refused = refusalOf(frame);

            // Then
            assertThat(refused).as("bit %d", bit).isNotNull();
        }
        assertThat(Bytes.decompressed(Codec.LZ4, Fixtures.LZ4_INDEPENDENT_CHECKED))
                .isEqualTo(original);
    }

    @Test
    void aFrameThatEndsInTheMiddleIsCorrupt() {
        for (byte[] frame : List.of(Fixtures.LZ4_LINKED, Fixtures.LZ4_INDEPENDENT_CHECKED)) {
            for (int length = 0; length < frame.length; length++) {
                CodecException refused = refusalOf(Arrays.copyOf(frame, length));
                assertThat(refused).as("%d of %d bytes", length, frame.length).isNotNull();
                assertThat(refused.kind()).isEqualTo(CodecException.Kind.CORRUPT);
            }
        }
    }

    @Test
    void bytesAfterTheFrameAreIgnoredAsInKafka() {
        // Given
        byte[] twoFrames = Bytes.joined(Bytes.compressed(Codec.LZ4, new byte[10]), new byte[] {1, 2, 3});

        // When, Then
        assertThat(Bytes.decompressed(Codec.LZ4, twoFrames)).isEqualTo(new byte[10]);
    }

    @Test
    void aDictionaryIsNotSupported() {
        // Given
        byte[] frame = Bytes.compressed(Codec.LZ4, new byte[10]);
        frame[FLAGS_AT] |= 1;

        // When, Then
        assertThat(refusalOf(frame).kind()).isEqualTo(CodecException.Kind.UNSUPPORTED);
    }

    @Test
    void theHeaderChecksumMustBeTheCorrectOne() {
        // Given
        byte[] frame = Bytes.compressed(Codec.LZ4, new byte[10]);
        frame[HEADER_CHECKSUM_AT]++;

        // When, Then
        assertThat(refusalOf(frame).kind()).isEqualTo(CodecException.Kind.CORRUPT);
    }

    @Test
    void aMatchCannotReachIntoAnIndependentBlockBefore() {
        // Given the linked frame, declared as independent
        byte[] frame = Fixtures.LZ4_LINKED.clone();
        frame[FLAGS_AT] |= 0x20;
        frame[HEADER_CHECKSUM_AT] = headerChecksum(frame);

        // When, Then
        assertThat(refusalOf(frame)).hasMessageContaining("LZ4 block");
    }

    @ParameterizedTest
    @EnumSource
    void framesOfTheFieldsLibraryAreReadWhateverTheirBlockSize(BLOCKSIZE size) throws IOException {
        for (int seed = 0; seed < 8; seed++) {
            // Given
            Random random = new Random(seed);
            byte[] original = Bytes.mixed(random.nextInt(700_000), random);
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            FLG.Bits[] bits = seed % 2 == 0
                    ? new FLG.Bits[] {FLG.Bits.BLOCK_INDEPENDENCE}
                    : new FLG.Bits[] {FLG.Bits.BLOCK_INDEPENDENCE, FLG.Bits.CONTENT_CHECKSUM};
            try (LZ4FrameOutputStream out = new LZ4FrameOutputStream(frame, size, bits)) {
                out.write(original);
            }

            // When
            byte[] read = Bytes.decompressed(Codec.LZ4, frame.toByteArray());

            // Then
            assertThat(Arrays.equals(read, original)).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void framesAreReadFromEveryKindOfBuffer() {
        // Given
        byte[] original = Bytes.mixed(300_000, new Random(9));
        byte[] frame = Bytes.compressed(Codec.LZ4, original);
        int cut = frame.length / 3;
        for (ByteBuf source : List.of(
                Unpooled.buffer().writeZero(3).writeBytes(frame).skipBytes(3),
                Unpooled.directBuffer().writeZero(3).writeBytes(frame).skipBytes(3),
                Unpooled.wrappedBuffer(Arrays.copyOf(frame, cut), Arrays.copyOfRange(frame, cut, frame.length)))) {
            // When
            byte[] read;
            try (Decompressor decompressor = Codec.LZ4.newDecompressor()) {
                decompressor.begin(source, source.readerIndex(), frame.length, Bytes.LIMIT);
                read = Bytes.drain(decompressor, 999);
            }

            // Then
            assertThat(Arrays.equals(read, original)).isTrue();
            assertThat(source.release()).isTrue();
        }
    }

    private static byte headerChecksum(byte[] frame) {
        return (byte) (net.jpountz.xxhash.XXHashFactory.safeInstance()
                        .hash32()
                        .hash(frame, FLAGS_AT, HEADER_CHECKSUM_AT - FLAGS_AT, 0)
                >> 8);
    }

    private static boolean readableByKafka(byte[] frame) {
        try (Decompressor decompressor = Codec.LZ4.newDecompressor()) {
            decompressor.begin(Unpooled.wrappedBuffer(frame), 0, frame.length, Bytes.LIMIT);
            return decompressor.isReadableByKafka();
        }
    }

    private static CodecException refusalOf(byte[] frame) {
        return catchThrowableOfType(CodecException.class, () -> Bytes.decompressed(Codec.LZ4, frame));
    }
}
