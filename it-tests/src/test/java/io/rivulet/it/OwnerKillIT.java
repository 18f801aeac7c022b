package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.it.Pace.Figures;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import java.util.concurrent.atomic.AtomicInteger;
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
    /** The others show errors to the application if a takeover takes long, and go on. */
    private static final List<String> NO_ERRORS = List.of("java", "confluent-kafka", "kafka-python", "kcat");
    /** Otherwise it ends if no broker has answered on any connection for 10 s. */
    private static final String GO_ON = "-E";

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
                String name = program.toString();
                start(name, () -> program.steady(scratch(name), servers, name, COUNT));
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
            seen.forEach((client, figures) -> {
                assertThat(figures).as(client).extracting(Figures::numbers).containsOnly(COUNT);
                if (NO_ERRORS.contains(client)) {
                    assertThat(figures).as(client).extracting(Figures::errors).containsOnly("");
                }
            });
        } finally {
            threads.shutdownNow();
            clock.shutdownNow();
        }
    }

    private void start(String client, Callable<List<Figures>> work) {
        clients.put(client, threads.submit(work));
    }

    private Path scratch(String client) throws Exception {
        return Files.createDirectory(directory.resolve("of-" + client));
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

    /** It says what was acknowledged if it says a lot. */
    private List<Figures> kcat(String servers) throws Exception {
        Pace sent = new Pace("sent");
        Pace read = new Pace("read");
        Process producer = kcat("-P", "-v", "-v", "-b", servers, "-t", "kcat", "-p", "0");
        Process consumer = kcat("-C", "-q", "-u", "-b", servers, "-t", "kcat", "-o", "beginning", "-c", "" + COUNT);
        try {
            for (int i = 0; i < COUNT; i++) {
                byte[] line = (i + "\n").getBytes(StandardCharsets.UTF_8);
                clock.schedule(
                        () -> write(producer.getOutputStream(), line, sent), i * PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
            clock.schedule(() -> close(producer.getOutputStream()), (COUNT + 50) * PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            AtomicInteger acknowledged = new AtomicInteger();
            Future<?> output =
                    threads.submit(() -> producer.inputReader().lines().forEach(line -> {
                        if (line.contains("Message delivered")) {
                            sent.came(acknowledged.getAndIncrement());
                        } else {
                            addError(line, sent);
                        }
                    }));
            Future<?> numbers =
                    threads.submit(() -> consumer.inputReader().lines().forEach(line -> {
                        if (line.matches("\\d+")) {
                            read.came(Integer.parseInt(line));
                        } else {
                            addError(line, read);
                        }
                    }));
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
        return List.of(sent.figures(), read.figures());
    }

    private static Process kcat(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("kcat", GO_ON));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Other lines say that connections were lost, and that it goes on. */
    private static void addError(String line, Pace to) {
        if (line.contains("terminating") || line.contains("failed for message")) {
            to.failed(line);
        }
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
}
