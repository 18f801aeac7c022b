package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.Pace.Figures;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner of the log is killed while each client sends and reads at an even pace, with its default settings. The
 * log of the test has what each client saw.
 */
@SeveralBrokers
@Tag("several-brokers-only")
final class OwnerKillIT {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerKillIT.class);
    private static final int COUNT = 1_500;
    private static final int BEFORE_THE_KILL = 250;
    private static final long PAUSE_MILLIS = 20;
    /** kcat ends when all of its connections are lost. Why kafka-python reads nothing here is not known. */
    private static final List<String> COMPLETE = List.of("java", "confluent-kafka", "franz-go", "kafkajs");
    /** The others show errors to the application, and go on. */
    private static final List<String> NO_ERRORS = List.of("java", "confluent-kafka");

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    private final Map<String, Future<List<Figures>>> clients = new TreeMap<>();

    @BeforeAll
    static void requireKcat() {
        Programs.require("kcat");
    }

    @Test
    void eachClientGoesOnByItself() throws Exception {
        for (ClientProgram program : ClientProgram.values()) {
            program.install();
        }
        try (BrokerProcesses brokers =
                        BrokerProcesses.start(directory, "--override=group.initial.rebalance.delay.ms=0");
                Admin admin = Clients.admin(brokers.servers())) {
            String servers = brokers.servers();
            createTopics(admin);
            for (ClientProgram program : ClientProgram.values()) {
                start(program.toString(), () -> program.steady(scratch(program), servers, program.toString(), COUNT));
            }
            start("java", () -> java(servers));
            start("kcat", () -> kcat(servers));

            awaitMessages(admin);
            brokers.killOnly();

            Map<String, List<Figures>> seen = new TreeMap<>();
            for (Map.Entry<String, Future<List<Figures>>> client : clients.entrySet()) {
                seen.put(client.getKey(), client.getValue().get(2 * Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS));
            }
            seen.forEach((client, figures) -> LOG.info("{}: {}", client, figures));
            COMPLETE.forEach(client -> assertThat(seen.get(client))
                    .as(client)
                    .extracting(Figures::numbers)
                    .containsOnly(COUNT));
            NO_ERRORS.forEach(client -> assertThat(seen.get(client))
                    .as(client)
                    .extracting(Figures::errors)
                    .containsOnly(""));
        } finally {
            threads.shutdownNow();
            clock.shutdownNow();
        }
    }

    private void start(String client, Callable<List<Figures>> work) {
        clients.put(client, threads.submit(work));
    }

    private Path scratch(ClientProgram program) throws Exception {
        return Files.createDirectory(directory.resolve("of-" + program));
    }

    private static Stream<String> topics() {
        return Stream.concat(
                Stream.of("java", "kcat"), Stream.of(ClientProgram.values()).map(ClientProgram::toString));
    }

    private static void createTopics(Admin admin) throws Exception {
        admin.createTopics(
                        topics().map(topic -> new NewTopic(topic, 1, (short) 1)).toList())
                .all()
                .get();
    }

    /** Waits until each client is at work. */
    private static void awaitMessages(Admin admin) {
        List<TopicPartition> partitions =
                topics().map(topic -> new TopicPartition(topic, 0)).toList();
        Awaitility.await().atMost(Clients.PATIENCE).until(() -> {
            for (TopicPartition partition : partitions) {
                long end = admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                        .partitionResult(partition)
                        .get()
                        .offset();
                if (end < BEFORE_THE_KILL) {
                    return false;
                }
            }
            return true;
        });
    }

    private List<Figures> java(String servers) throws Exception {
        Future<Pace> sent = threads.submit(SteadyClient.sending(servers, "java", COUNT, clock));
        Future<Pace> read = threads.submit(SteadyClient.reading(servers, "java", COUNT));
        return List.of(sent.get().figures(), read.get().figures());
    }

    /** It does not print what was acknowledged. */
    private List<Figures> kcat(String servers) throws Exception {
        Pace read = new Pace("read");
        Process producer = new ProcessBuilder("kcat", "-P", "-b", servers, "-t", "kcat", "-p", "0")
                .redirectErrorStream(true)
                .start();
        Process consumer = new ProcessBuilder(
                        "kcat", "-C", "-q", "-u", "-b", servers, "-t", "kcat", "-o", "beginning", "-c", "" + COUNT)
                .redirectErrorStream(true)
                .start();
        try {
            for (int i = 0; i < COUNT; i++) {
                byte[] line = (i + "\n").getBytes(StandardCharsets.UTF_8);
                clock.schedule(
                        () -> write(producer.getOutputStream(), line, read), i * PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
            clock.schedule(() -> close(producer.getOutputStream()), (COUNT + 50) * PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            Future<?> output =
                    threads.submit(() -> producer.inputReader().lines().forEach(read::failed));
            Future<?> numbers =
                    threads.submit(() -> consumer.inputReader().lines().forEach(line -> add(line, read)));
            output.get();
            numbers.get(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (consumer.waitFor() + producer.waitFor() != 0) {
                read.failed("exit code other than 0");
            }
        } catch (TimeoutException e) {
            read.failed("end of patience");
        } finally {
            consumer.destroyForcibly();
            producer.destroyForcibly();
        }
        return List.of(read.figures());
    }

    private static Void write(OutputStream to, byte[] line, Pace errors) {
        try {
            to.write(line);
            to.flush();
        } catch (IOException e) {
            errors.failed("message that kcat did not take");
        }
        return null;
    }

    private static Void close(OutputStream stream) throws IOException {
        stream.close();
        return null;
    }

    private static void add(String line, Pace read) {
        if (line.matches("\\d+")) {
            read.came(Integer.parseInt(line));
        } else {
            read.failed(line);
        }
    }
}
