package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A key on the curve P-256 for the brokers of one run, with a certificate that it has signed itself. Immutable. */
record TlsKeys(Path keystore) {
    /** Protects nothing: the key is worth as much as the data of a benchmark. */
    static final String PASSWORD = "benchmark";

    /** Makes them with the JDK's keytool. */
    static TlsKeys make(Path directory) throws IOException {
        TlsKeys keys = new TlsKeys(directory.resolve("bench.p12").toAbsolutePath());
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "bench",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-sigalg",
                        "SHA256withECDSA",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keys.keystore.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool made no key: " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return keys;
    }

    /** What both kinds of brokers need to use them. BoringSSL takes this cipher anyway. */
    Map<String, String> settings() {
        return Map.of(
                "ssl.keystore.type",
                "PKCS12",
                "ssl.keystore.location",
                keystore.toString(),
                "ssl.keystore.password",
                PASSWORD,
                "ssl.key.password",
                PASSWORD,
                "ssl.enabled.protocols",
                TlsClient.PROTOCOL,
                "ssl.cipher.suites",
                TlsClient.CIPHER);
    }
}
