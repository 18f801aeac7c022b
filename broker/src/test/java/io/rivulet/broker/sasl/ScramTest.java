package io.rivulet.broker.sasl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

final class ScramTest {
    /** The example of RFC 7677. */
    @Test
    void theHashesAreThoseOfTheStandard() {
        String salt = "W22ZaJ0SNY7soEsUEjb6gQ==";
        String nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
        byte[] signed = ("n=user,r=rOprNGfwEbeRWgbNEkqO,r=" + nonce + ",s=" + salt + ",i=4096,c=biws,r=" + nonce)
                .getBytes(UTF_8);
        byte[] proof = bytes("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");

        byte[] salted = Scram.SHA_256.saltedPassword("pencil", bytes(salt), 4096);
        ScramCredential credential = Scram.SHA_256.credential(salted, bytes(salt), 4096);
        byte[] clientKey = Scram.SHA_256.hmac(credential.storedKey(), signed);
        Scram.xorInto(clientKey, proof);

        assertThat(Scram.SHA_256.hash(clientKey)).isEqualTo(credential.storedKey());
        assertThat(Scram.SHA_256.hmac(credential.serverKey(), signed))
                .isEqualTo(bytes("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="));
    }

    private static byte[] bytes(String base64) {
        return Base64.getDecoder().decode(base64);
    }
}
