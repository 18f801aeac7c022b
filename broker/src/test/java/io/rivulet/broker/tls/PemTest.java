package io.rivulet.broker.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The PEM that the broker reads, and the certificates that it makes. */
final class PemTest {
    private static final Instant FROM = Instant.parse("2026-01-02T03:04:05Z");
    private static final Instant UNTIL = Instant.parse("2049-12-31T23:59:59Z");

    private static SelfSigned make(List<String> hosts) throws Exception {
        return SelfSigned.make("rivulet", hosts, FROM, UNTIL);
    }

    @Test
    void aCertificateThatWasMadeIsSound() throws Exception {
        List<String> hosts = IntStream.range(0, 3000).mapToObj(i -> "host-" + i).toList();
        SelfSigned made = make(hosts);
        X509Certificate read =
                (X509Certificate) Pem.certificates(made.certificate()).get(0);

        read.verify(read.getPublicKey());
        assertThat(read.getVersion()).isEqualTo(3);
        assertThat(read.getSubjectX500Principal().getName()).isEqualTo("CN=rivulet");
        assertThat(read.getNotBefore()).isEqualTo(FROM);
        assertThat(read.getNotAfter()).isEqualTo(UNTIL);
        assertThat(read.getSubjectAlternativeNames().stream()
                        .map(name -> name.get(1))
                        .toList())
                .isEqualTo(hosts);
    }

    @Test
    void addressesAreAddressesInACertificate() throws Exception {
        SelfSigned made = make(List.of("127.0.0.1", "::1"));
        X509Certificate read =
                (X509Certificate) Pem.certificates(made.certificate()).get(0);
        assertThat(read.getSubjectAlternativeNames().stream()
                        .map(List::toString)
                        .toList())
                .containsExactly("[7, 127.0.0.1]", "[7, 0:0:0:0:0:0:0:1]");
    }

    @Test
    void eachCertificateMadeHasItsOwnKeyAndNumber() throws Exception {
        assertThat(make(List.of()).privateKey()).isNotEqualTo(make(List.of()).privateKey());
        assertThat(serial(make(List.of()))).isNotEqualTo(serial(make(List.of())));
    }

    private static Object serial(SelfSigned made) throws Exception {
        return ((X509Certificate) Pem.certificates(made.certificate()).get(0)).getSerialNumber();
    }

    @Test
    void textAroundIsSkipped() throws Exception {
        SelfSigned first = make(List.of());
        SelfSigned second = make(List.of());
        String text = "Bag Attributes\n" + first.privateKey() + "subject=CN = rivulet\r\n"
                + first.certificate().replace("\n", "\r\n") + "\n" + second.certificate();
        assertThat(Pem.certificates(text))
                .containsExactly(
                        Pem.certificates(first.certificate()).get(0),
                        Pem.certificates(second.certificate()).get(0));
        assertThat(Pem.privateKey(text, "")).isEqualTo(Pem.privateKey(first.privateKey(), ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void aPrivateKeyHasAnyType(String type) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance(type).generateKeyPair();
        String text = pem("PRIVATE KEY", pair.getPrivate().getEncoded());
        assertThat(Pem.privateKey(text, "")).isEqualTo(pair.getPrivate());
    }

    @Test
    void aPrivateKeyHasAPassword() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        String algorithm = "PBEWithSHA1AndDESede";
        SecretKey key = SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec("secret".toCharArray()));
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.ENCRYPT_MODE, key);
        byte[] encrypted = cipher.doFinal(pair.getPrivate().getEncoded());
        String text = pem(
                "ENCRYPTED PRIVATE KEY", new EncryptedPrivateKeyInfo(cipher.getParameters(), encrypted).getEncoded());

        assertThat(Pem.privateKey(text, "secret")).isEqualTo(pair.getPrivate());
        assertNeedsThePassword(text);
    }

    /** Written by OpenSSL, as most are today. */
    @Test
    void aPrivateKeyHasAPasswordInTheFormOfPbes2() throws Exception {
        String text = """
                -----BEGIN ENCRYPTED PRIVATE KEY-----
                MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgFvW022ubXVQICCAAw
                DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHQlKNKOH4EZ0IV/6OMNR6oEgZDt
                f9VBkGEG6C8Xw2Ie9GaR3TgoKxSOAaE5j/RWBJFKfsrcvR/nI9SSGHgNb5Eg8WE7
                MWzvH8QOv1fKGDeC3MPyv3Zb9Dm9yHI+ghqK026aajaY4xRygybDzJzjxlLKPZEq
                NHTdnXMOxicIYzfqJIxbaMvG4BkBACiU+UGr3FVVUF3KqEdQI4xJuCQ5Vex5Hts=
                -----END ENCRYPTED PRIVATE KEY-----
                """;

        assertThat(Pem.privateKey(text, "secret").getAlgorithm()).isEqualTo("EC");
        assertNeedsThePassword(text);
    }

    private static void assertNeedsThePassword(String text) {
        assertThatThrownBy(() -> Pem.privateKey(text, "wrong")).isInstanceOf(Exception.class);
        assertThatThrownBy(() -> Pem.privateKey(text, ""))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ssl.key.password");
    }

    private static String pem(String label, byte[] bytes) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(bytes) + "\n-----END " + label
                + "-----\n";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no pem",
                "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\n!!!!=\n-----END CERTIFICATE-----",
            })
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> Pem.certificates(text)).isInstanceOf(Exception.class);
        assertThatThrownBy(() -> Pem.privateKey(text, "")).isInstanceOf(Exception.class);
    }
}
