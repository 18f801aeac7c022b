package io.rivulet.it;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/**
 * mock-oauth2-server in its own process, on the loopback interface. It gives a token to every client that asks: its
 * subject is the id of the client, its audience is the scope that was asked for.
 */
final class IdentityProvider implements AutoCloseable {
    private final Process process;
    private final String address;

    IdentityProvider() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Path.of("identity-provider", "target", "lib").toAbsolutePath() + File.separator + "*",
                        "src/test/resources/identity-provider/IdentityProvider.java")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        address = Objects.requireNonNull(out.readLine(), "the address of mock-oauth2-server");
    }

    /** Of an issuer with this name; each name is an issuer. */
    String issuer(String name) {
        return address + name;
    }

    String tokens(String issuer) {
        return issuer(issuer) + "/token";
    }

    String keys(String issuer) {
        return issuer(issuer) + "/jwks";
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
