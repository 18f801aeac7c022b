package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.faults.FaultShim;
import io.rivulet.store.faults.FaultShim.Call;
import io.rivulet.store.faults.FaultShim.Errno;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What /livez, /readyz and the log say when a process is killed, replays its log, or fails. */
final class EndAndReplayPagesIT {
    private static final Logger LOG = LoggerFactory.getLogger(EndAndReplayPagesIT.class);
    private static final HttpPage.Answer ALIVE = new HttpPage.Answer(200, "alive\n");
    private static final HttpPage.Answer READY = new HttpPage.Answer(200, "ready\n");
    private static final String ANY_PORT = "--override=listeners=PLAINTEXT://localhost:0";
    private static final TopicPartition WRITTEN = new TopicPartition("written", 0);
    private static final int REPLAY_MIB = Integer.getInteger("rivulet.it.replay.mib", 24);
    private static final boolean SLOW = REPLAY_MIB < 256;
    private static final int RECORD_BYTES = 4000;
    private static final int IO_FAILURE = 74;

    @TempDir
    private Path directory;

    private FaultShim shim;

    @BeforeEach
    void compile() throws Exception {
        FaultShim.require();
        shim = FaultShim.compile(directory, Files.createDirectory(directory.resolve("rivulet-data")));
    }

    private static HttpPage.Answer live(String http) throws Exception {
        return HttpPage.get(http + "/livez");
    }

    private static HttpPage.Answer ready(String http) throws Exception {
        return HttpPage.get(http + "/readyz");
    }

    private static boolean isRefused(String http) throws Exception {
        try {
            live(http);
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }

    @Test
    void aProcessWhoseStoreFailsIsNeverReadyAgainAndEnds() throws Exception {
        try (ServerProcess server = start(ANY_PORT, "--override=rivulet.http.listener=localhost:0")) {
            int port = server.awaitReady();
            assertThat(ready(server.http())).isEqualTo(READY);
            try (KafkaProducer<String, String> producer = Clients.producer("localhost:" + port, Map.of())) {
                producer.send(new ProducerRecord<>("lost", "not this one")).get();
                shim.fail(Call.FORCE, Errno.EIO);
                producer.send(new ProducerRecord<>("lost", "value"));
                List<HttpPage.Answer> answers = answersUntilRefused(server.http());
                producer.close(Duration.ZERO);

                assertThat(answers.stream().dropWhile(READY::equals)).allSatisfy(answer -> {
                    assertThat(answer.status()).isEqualTo(503);
                    assertThat(answer.body()).startsWith("failed: ").contains("Input/output error");
                });
            }
            assertThat(server.awaitEnd()).isEqualTo(IO_FAILURE);
            assertThat(server.err())
                    .containsPattern("rivulet: thread log-\\w+ has failed: .*Input/output error.*exit code 74\\)");
        }
    }

    private static List<HttpPage.Answer> answersUntilRefused(String http) throws Exception {
        List<HttpPage.Answer> answers = new ArrayList<>();
        while (true) {
            try {
                answers.add(ready(http));
            } catch (ConnectException e) {
                return answers;
            } catch (IOException e) {
                LOG.info("No answer: {}", e.getMessage());
            }
        }
    }

    /**
     * With the disk slowed down for a small log. {@code -Drivulet.it.replay.mib=1024} replays a gigabyte as fast as the
     * disk can.
     */
    @Test
    void killedWhileClientsWriteItReplaysAndSaysHowFarItIs() throws Exception {
        String place = "localhost:" + Ports.free();
        String[] options = {
            ANY_PORT,
            "--override=rivulet.http.listener=" + place,
            "--override=rivulet.tail.bytes=" + REPLAY_MIB * (5L << 19)
        };
        long acknowledged;
        try (ServerProcess server = start(options)) {
            acknowledged = killWhileProducing(server);
            Awaitility.await().atMost(Clients.PATIENCE).until(() -> isRefused("http://" + place));
        }
        int debugPort = Ports.free();
        try (ServerProcess server = SLOW ? startAndWait(debugPort, options) : start(options)) {
            if (SLOW) {
                slowDownWhenTheReplayBegins(debugPort);
            }
            long startNanos = System.nanoTime();
            List<Long> percents = percentsUntilReady(server, "http://" + place);
            int port = server.awaitReady();
            LOG.info(
                    "{} MiB, {} records: ready after {} ms, {} answers with progress; {}",
                    REPLAY_MIB,
                    acknowledged,
                    (System.nanoTime() - startNanos) / 1_000_000,
                    percents.size(),
                    server.err()
                            .lines()
                            .filter(line -> line.contains("StartReplay"))
                            .toList());

            assertThat(percents).isSorted().hasSizeGreaterThan(2).allMatch(percent -> percent <= 100);
            assertThat(percents.get(0)).isLessThan(100);
            assertThat(server.err())
                    .containsPattern("INFO  StartReplay - Replaying the log: \\d+ % of \\d+ MiB, \\d+ MiB/s")
                    .containsPattern("INFO  StartReplay - Replayed \\d+ MiB of the log in \\d{4,} ms, .* queues");
            try (KafkaConsumer<String, String> consumer = Clients.consumer("localhost:" + port, Map.of())) {
                assertThat(consumer.endOffsets(List.of(WRITTEN)).get(WRITTEN)).isGreaterThanOrEqualTo(acknowledged);
            }
        }
    }

    private void slowDownWhenTheReplayBegins(int debugPort) throws Exception {
        try (ThreadKiller killer = ThreadKiller.attach(debugPort)) {
            killer.runUntil("io.rivulet.store.open.ReplayMemory");
            shim.delay(Call.READ, 200);
        }
    }

    /** Kills the process while records are under way. Returns how many were acknowledged. */
    private static long killWhileProducing(ServerProcess server) throws Exception {
        AtomicLong acknowledged = new AtomicLong();
        String value = "x".repeat(RECORD_BYTES);
        int count = (REPLAY_MIB << 20) / RECORD_BYTES;
        try (KafkaProducer<String, String> producer =
                Clients.producer("localhost:" + server.awaitReady(), Map.of("batch.size", 500_000, "linger.ms", 5))) {
            for (int i = 0; acknowledged.get() < count; i++) {
                assertThat(i).isLessThan(10 * count);
                producer.send(new ProducerRecord<>(WRITTEN.topic(), WRITTEN.partition(), null, value), (to, failed) -> {
                    if (failed == null) {
                        acknowledged.incrementAndGet();
                    }
                });
            }
            server.kill();
            producer.close(Duration.ZERO);
        }
        return acknowledged.get();
    }

    /** What /readyz says about the progress, until it says that the broker is ready. All this time /livez says so. */
    private static List<Long> percentsUntilReady(ServerProcess server, String http) throws Exception {
        Pattern progress = Pattern.compile("starting: the log is being read: (\\d+) % of \\d+ MiB\n");
        List<Long> percents = new ArrayList<>();
        HttpPage.Answer answer = new HttpPage.Answer(0, "nothing listens yet");
        while (!answer.equals(READY)) {
            assertThat(server.isAlive()).as(server.err()).isTrue();
            try {
                answer = ready(http);
                assertThat(live(http)).isEqualTo(ALIVE);
            } catch (ConnectException e) {
                continue;
            }
            Matcher matcher = progress.matcher(answer.body());
            if (matcher.matches()) {
                percents.add(Long.valueOf(matcher.group(1)));
            }
            assertThat(answer.body()).containsAnyOf("ready", "starting: the log is being read");
            assertThat(answer.status()).isEqualTo(answer.equals(READY) ? 200 : 503);
        }
        return percents;
    }

    private ServerProcess start(String... options) throws IOException {
        return launch().start(options);
    }

    /** Waits for a debugger. */
    private ServerProcess startAndWait(int debugPort, String... options) throws IOException {
        return launch().java(ThreadKiller.waitingOption(debugPort)).start(options);
    }

    private ServerProcess.Launch launch() {
        ServerProcess.Launch launch =
                ServerProcess.in(directory).java("-XX:MaxDirectMemorySize=" + (1024 + 4 * REPLAY_MIB) + "m");
        shim.environment().forEach(launch::environment);
        return launch;
    }
}
