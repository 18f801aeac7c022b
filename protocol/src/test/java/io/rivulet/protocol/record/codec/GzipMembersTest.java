package io.rivulet.protocol.record.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GzipMembersTest {
    private static final int FLAGS_AT = 3;
    private static final int FIXED_HEADER_BYTES = 10;
    private static final byte[] ORIGINAL = Bytes.mixed(50_000, new Random(1));

    @Test
    void membersOneAfterTheOtherAreReadAsOne() {
        byte[] member = Bytes.compressed(Codec.GZIP, ORIGINAL);
        byte[] empty = Bytes.compressed(Codec.GZIP, new byte[0]);
        assertThat(Bytes.decompressed(Codec.GZIP, Bytes.joined(member, empty, member)))
                .isEqualTo(Bytes.joined(ORIGINAL, ORIGINAL));
    }

    @Test
    void bytesAfterTheLastMemberAreIgnoredAsInKafka() {
        byte[] member = Bytes.compressed(Codec.GZIP, ORIGINAL);
        assertThat(Bytes.decompressed(Codec.GZIP, Bytes.joined(member, new byte[] {0, 0, 0})))
                .isEqualTo(ORIGINAL);
    }

    @Test
    void allOptionalPartsOfTheHeaderAreSkipped() {
        // Given extra field, name and comment
        byte[] member = Bytes.compressed(Codec.GZIP, ORIGINAL);
        byte[] head = Arrays.copyOf(member, FIXED_HEADER_BYTES);
        head[FLAGS_AT] = 0x1c;
        byte[] options = {2, 0, 9, 9, 'n', 0, 'c', 'c', 0};
        byte[] rest = Arrays.copyOfRange(member, FIXED_HEADER_BYTES, member.length);

        // When, Then
        assertThat(Bytes.decompressed(Codec.GZIP, Bytes.joined(head, options, rest)))
                .isEqualTo(ORIGINAL);
    }

    @Test
    void aHeaderCrcIsChecked() {
        // Given
        byte[] member = Bytes.compressed(Codec.GZIP, ORIGINAL);
        byte[] head = Arrays.copyOf(member, FIXED_HEADER_BYTES);
        head[FLAGS_AT] = 0x02;
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(head);
        byte[] right = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
        byte[] wrong = {(byte) ~right[0], right[1]};
        byte[] rest = Arrays.copyOfRange(member, FIXED_HEADER_BYTES, member.length);

        // When, Then
        assertThat(Bytes.decompressed(Codec.GZIP, Bytes.joined(head, right, rest)))
                .isEqualTo(ORIGINAL);
        assertThatThrownBy(() -> Bytes.decompressed(Codec.GZIP, Bytes.joined(head, wrong, rest)))
                .isInstanceOf(CodecException.class);
    }

    @Test
    void aMemberThatEndsInTheMiddleOrDiffersFromItsTrailerIsCorrupt() {
        byte[] member = Bytes.compressed(Codec.GZIP, Arrays.copyOf(ORIGINAL, 500));
        for (int length = 0; length < member.length; length++) {
            byte[] part = Arrays.copyOf(member, length);
            assertThatThrownBy(() -> Bytes.decompressed(Codec.GZIP, part))
                    .as("%d bytes", length)
                    .isInstanceOf(CodecException.class);
        }
        for (int i = member.length - 8; i < member.length; i++) {
            byte[] changed = member.clone();
            changed[i]++;
            assertThatThrownBy(() -> Bytes.decompressed(Codec.GZIP, changed)).isInstanceOf(CodecException.class);
        }
    }
}
