package io.rivulet.broker.compact;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The published vectors of SipHash-2-4 with 128 bits: the secret has the bytes 0 to 15, and a key of n bytes has the
 * bytes 0 to n - 1.
 */
final class KeyFingerprintTest {
    private static final long SECRET_0 = 0x0706050403020100L;
    private static final long SECRET_1 = 0x0f0e0d0c0b0a0908L;

    @ParameterizedTest
    @CsvSource({
        "0, a3817f04ba25a8e66df67214c7550293",
        "1, da87c1d86b99af44347659119b22fc45",
        "7, a1f1ebbed8dbc153c0b84aa61ff08239",
        "8, 3b62a9ba6258f5610f83e264f31497b4",
        "15, 5493e99933b0a8117e08ec0f97cfc3d9"
    })
    void theFingerprintIsTheOneOfThePublishedVector(int length, String hash) {
        ByteBuf key = Unpooled.buffer();
        key.writeByte(99);
        for (int i = 0; i < length; i++) {
            key.writeByte(i);
        }

        KeyFingerprint keyHash = new KeyFingerprint(SECRET_0, SECRET_1);
        keyHash.of(key, 1, length);

        ByteBuf found = Unpooled.buffer().writeLongLE(keyHash.first()).writeLongLE(keyHash.second());
        assertThat(HexFormat.of().formatHex(found.array(), 0, found.readableBytes()))
                .isEqualTo(hash);
    }
}
