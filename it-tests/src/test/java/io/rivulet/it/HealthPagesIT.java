package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.Broker;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What /livez and /readyz say in each state of a broker. A full disk: {@link StarvedDiskIT}. A process that
 * ends and replays: {@link EndAndReplayPagesIT}.
 */
final class HealthPagesIT {
    /** What the console shows above its pages. */
    private static final String STATE = "/console/api/state";

    private static final HttpPage.Answer ALIVE = new HttpPage.Answer(200, "alive\n");
    private static final HttpPage.Answer READY = new HttpPage.Answer(200, "ready\n");

    @TempDir
    private Path directory;

    private static HttpPage.Answer live(String http) throws Exception {
        return HttpPage.get(http + "/livez");
    }

    private static HttpPage.Answer ready(String http) throws Exception {
        return HttpPage.get(http + "/readyz");
    }

    @Test
    void aReplayIsAliveAndNotReady() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory, "--override=listeners=PLAINTEXT://localhost:0")) {
            server.awaitReady();
            server.kill();
        }
        int debugPort = Ports.free();
        String place = "localhost:" + Ports.free();
        String http = "http://" + place;
        try (ServerProcess server = ServerProcess.in(directory)
                        .java(ThreadKiller.waitingOption(debugPort))
                        .start(
                                "--override=listeners=PLAINTEXT://localhost:0",
                                "--override=rivulet.http.listener=" + place);
                ThreadKiller killer = ThreadKiller.attach(debugPort)) {
            killer.runUntil("io.rivulet.store.open.ReplayMemory");
            assertThat(ready(http)).isEqualTo(new HttpPage.Answer(503, "starting: the log is being read\n"));
            assertThat(live(http)).isEqualTo(ALIVE);
            for (String page : List.of("/metrics", "/metrics/detailed?topic=.*")) {
                assertThat(HttpPage.get(http + page))
                        .isEqualTo(new HttpPage.Answer(503, "starting: there are no metrics yet\n"));
            }

            assertThat(HttpPage.get(http + STATE)).isEqualTo(ready(http));
            assertThat(HttpPage.get(http + "/console/api/topics"))
                    .isEqualTo(new HttpPage.Answer(503, "the broker is starting: the log is being read\n"));

            killer.resume();
            server.awaitReady();
            assertThat(server.http()).isEqualTo(http);
            assertThat(ready(http)).isEqualTo(READY);
            assertThat(live(http)).isEqualTo(ALIVE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"log-writer", "event-loop-2", "acceptor-1"})
    void aThreadThatDoesNotMoveIsNamedAfterTenSeconds(String thread) throws Exception {
        int debugPort = Ports.free();
        try (ServerProcess server = ServerProcess.in(directory)
                .java(ThreadKiller.option(debugPort))
                .start("--override=listeners=PLAINTEXT://localhost:0", "--override=num.network.threads=2")) {
            server.awaitReady();
            String http = server.http();
            assertThat(live(http)).isEqualTo(ALIVE);
            assertThat(ready(http)).isEqualTo(READY);
            try (ThreadKiller killer = ThreadKiller.attach(debugPort)) {
                killer.suspend(thread);
                assertThat(live(http)).as("before ten seconds").isEqualTo(ALIVE);
                Awaitility.await().atMost(Clients.PATIENCE).until(() -> live(http), answer -> answer.status() == 503);
                assertThat(live(http).body()).matches("the thread " + thread + " has not moved for \\d+ s\n");
                assertThat(ready(http).status()).isEqualTo(503);
                assertThat(ready(http).body()).contains(thread);
            }
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> ready(http).equals(READY));
            assertThat(live(http)).isEqualTo(ALIVE);
        }
    }

    /** A process ends soon after that, but the owner of a broker inside a test may leave it open. */
    @Test
    void aFailedBrokerIsNotReadyAndSaysWhy() throws Exception {
        FailureLatch failures = new FailureLatch();
        try (Broker broker = Broker.start(
                BrokerConfig.of(Map.of(
                        "listeners", "PLAINTEXT://localhost:0",
                        "rivulet.http.listener", "localhost:0",
                        "log.dirs", directory.toString())),
                failures)) {
            String http = "http://localhost:" + broker.httpAddress().getPort();
            assertThat(ready(http)).isEqualTo(READY);
            failures.fail(new IOException("no such disk"));
            assertThat(ready(http).status()).isEqualTo(503);
            assertThat(ready(http).body()).startsWith("failed: thread ").endsWith("no such disk\n");
            assertThat(HttpPage.get(http + STATE)).isEqualTo(ready(http));
            assertThat(live(http)).isEqualTo(ALIVE);
        }
    }

    @Test
    void afterTheEndNothingListens() throws Exception {
        try (ServerProcess server = ServerProcess.start(directory, "--override=listeners=PLAINTEXT://localhost:0")) {
            server.awaitReady();
            assertThat(ready(server.http())).isEqualTo(READY);
            server.terminate();
            assertThat(server.awaitEnd()).isZero();
            assertThat(server.err()).doesNotContain("WARN", "ERROR");
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> isRefused(server.http()));
        }
    }

    private static boolean isRefused(String http) throws Exception {
        try {
            live(http);
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }
}
