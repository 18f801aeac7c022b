package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The health checks of the command line and of the image, with the same cases. */
final class HealthIT {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    private static final long PATIENT_MILLIS = Clients.PATIENCE.toMillis();

    @TempDir
    private Path directory;

    @Test
    void aBrokerWhoseWriterAnswersIsHealthyAndOneWhoseWriterHangsIsNot() throws Exception {
        int debugPort = Ports.free();
        try (ServerProcess server = ServerProcess.in(directory)
                .java(ThreadKiller.option(debugPort))
                .start("--override=listeners=PLAINTEXT://localhost:0")) {
            int port = server.awaitReady();
            assertThat(command(port, PATIENT_MILLIS))
                    .isEqualTo(new Programs.Outcome(0, "healthy: localhost:" + port + "\n", ""));
            // the script has a timeout of two seconds, which is short on a busy machine
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> image(port) == 0);
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> imageByPage(server.http()) == 0);

            try (ThreadKiller killer = ThreadKiller.attach(debugPort)) {
                killer.suspend("log-writer");
                assertUnhealthy(port, "no response from localhost:" + port + " within 1000 ms");
                Awaitility.await().atMost(Clients.PATIENCE).until(() -> imageByPage(server.http()) == 1);
            }
        }
    }

    @Test
    void aPortWhereNothingListensIsUnhealthy() throws Exception {
        assertUnhealthy(Ports.free(), "can't connect to");
    }

    @Test
    void aPortThatDoesNotRespondIsUnhealthy() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getByName("localhost"))) {
            assertUnhealthy(silent.getLocalPort(), "no response from");
        }
    }

    private void assertUnhealthy(int port, String reason) throws Exception {
        Programs.Outcome outcome = command(port, 1000);
        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("unhealthy: ").contains(reason).hasLineCount(1);
        assertThat(image(port)).isNotZero();
    }

    private Programs.Outcome command(int port, long timeoutMillis) throws Exception {
        return Programs.run(
                directory,
                HOME.resolve("bin").resolve("rivulet").toString(),
                "health",
                "--bootstrap-server=localhost:" + port,
                "--timeout-ms=" + timeoutMillis);
    }

    /** The check of an image without pages. */
    private int image(int port) throws Exception {
        return image("KAFKA_LISTENERS=PLAINTEXT://localhost:" + port, "KAFKA_RIVULET_HTTP_LISTENER=none");
    }

    private int imageByPage(String http) throws Exception {
        return image("KAFKA_RIVULET_HTTP_LISTENER=" + http.substring("http://".length()));
    }

    private int image(String... environment) throws Exception {
        List<String> command = new ArrayList<>(List.of("env"));
        command.addAll(List.of(environment));
        command.add(HOME.resolve("docker/rootfs/opt/rivulet/bin/health").toString());
        return Programs.run(directory, command.toArray(new String[0])).exitCode();
    }
}
