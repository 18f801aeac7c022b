package io.rivulet.protocol.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VarintsTest {
    /** The log of a broker has these bytes, so they must not change. */
    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "1, 01",
        "127, 7f",
        "128, 8001",
        "300, ac02",
        "16383, ff7f",
        "16384, 808001",
        "2147483647, ffffffff07",
        "-1, ffffffff0f"
    })
    void anUnsignedNumberHasItsFixedBytes(int value, String bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(8);
        buffer.put((byte) 99);

        Varints.putUnsigned(buffer, value);

        int end = buffer.position();
        assertThat(HexFormat.of().formatHex(buffer.array(), 1, end)).isEqualTo(bytes);
        buffer.position(1);
        assertThat(Varints.takeUnsigned(buffer)).isEqualTo(value);
        assertThat(buffer.position()).isEqualTo(end);
    }

    @Test
    void aNumberOfTooManyBytesFails() {
        ByteBuffer buffer = ByteBuffer.wrap(HexFormat.of().parseHex("ffffffffff01"));

        assertThatThrownBy(() -> Varints.takeUnsigned(buffer)).isInstanceOf(IllegalStateException.class);
    }
}
