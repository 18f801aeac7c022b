package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that a new user runs first. */
final class LauncherIT {
    private static final Path LAUNCHER =
            Path.of("..", "bin", "rivulet").toAbsolutePath().normalize();

    /** Makes the virtual machine print its collector and the source of each class. */
    private static final String VERBOSE = " -Xlog:gc:stdout -Xlog:class+load:stdout";

    private static final int LARGE_BYTES = 64 << 10;

    /** Index of the niceness in a thread's line of /proc, from the third field, which follows the name. */
    private static final int NICE_FROM_THIRD = 16;

    private static final String FROM_THE_ARCHIVE = "io.rivulet.broker.cli.Rivulet source: shared objects file";

    @Test
    void versionNamesTheBuildAndTheJavaThatRunsIt() throws Exception {
        Outcome outcome = rivulet("version");

        assertThat(outcome.exitCode).isZero();
        assertThat(outcome.out).matches("(?s)rivulet \\d+\\.\\d+\\.\\d+\\S* \\(Java \\S+\\)\\R");
    }

    @Test
    void helpDescribesEachCommand() throws Exception {
        Outcome outcome = rivulet("--help");

        assertThat(outcome.exitCode).isZero();
        assertThat(outcome.out).contains("Usage: rivulet", "start", "version", "RIVULET_OPTS");
    }

    @Test
    void anUnknownCommandIsRefusedWithTheUsage() throws Exception {
        Outcome outcome = rivulet("strat");

        assertThat(outcome.exitCode).isEqualTo(2);
        assertThat(outcome.err).contains("strat").contains("start");
    }

    @Test
    void theSerialCollectorIsTheDefaultAndClassesComeFromTheArchive() throws Exception {
        assertThat(versionWith(Map.of("RIVULET_OPTS", VERBOSE)))
                .contains("Using Serial")
                .contains(FROM_THE_ARCHIVE);
    }

    @Test
    void anotherCollectorCanBeSetAndTheArchiveIsStillUsed() throws Exception {
        assertThat(versionWith(Map.of("RIVULET_OPTS", "-XX:+UseG1GC" + VERBOSE)))
                .contains("Using G1")
                .contains(FROM_THE_ARCHIVE);
        assertThat(versionWith(Map.of("JDK_JAVA_OPTIONS", "-XX:+UseParallelGC", "RIVULET_OPTS", VERBOSE)))
                .contains("Using Parallel");
    }

    @Test
    void anOptionThatIsLikeACollectorsKeepsTheDefault() throws Exception {
        assertThat(versionWith(Map.of("RIVULET_OPTS", "-XX:+UseGCOverheadLimit -Xmx64m" + VERBOSE)))
                .contains("Using Serial");
    }

    @Test
    void readersAreNicerThanWhatAnswersProducersForAnyUser(@TempDir Path directory) throws Exception {
        Process broker = new ProcessBuilder(
                        LAUNCHER.toString(),
                        "start",
                        "--override=listeners=PLAINTEXT://localhost:0",
                        "--override=log.dirs=" + directory)
                .redirectErrorStream(true)
                .start();
        try {
            BufferedReader out = broker.inputReader(StandardCharsets.UTF_8);
            String line = out.readLine();
            while (!line.contains("is ready on")) {
                line = out.readLine();
            }
            Matcher address = Pattern.compile("localhost:\\d+").matcher(line);
            assertThat(address.find()).isTrue();
            readFromTheLog(address.group());
            assertThat(nicenessOf(broker, "reader-1")).isEqualTo(10);
            assertThat(nicenessOf(broker, "maintenance")).isZero();
            assertThat(nicenessOf(broker, "log-writer")).isZero();
            assertThat(nicenessOf(broker, "event-loop-1")).isZero();
        } finally {
            broker.destroy();
            assertThat(broker.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** Reads a large batch, which stays in the log. Event loops don't read the log. */
    private static void readFromTheLog(String servers) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>("large", new byte[LARGE_BYTES])).get();
        }
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "auto.offset.reset", "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(new TopicPartition("large", 0)));
            await().until(() -> consumer.poll(Duration.ofMillis(100)).count() == 1);
        }
    }

    /** The niceness of the only thread with this name. */
    private static int nicenessOf(Process process, String threadName) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            Path thread = threads.filter(task -> nameOf(task).equals(threadName))
                    .findFirst()
                    .orElseThrow();
            String stat = Files.readString(thread.resolve("stat"));
            int fieldsFromThird = stat.lastIndexOf(')') + 2;
            return Integer.parseInt(stat.substring(fieldsFromThird).split(" ")[NICE_FROM_THIRD]);
        }
    }

    private static String nameOf(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException e) {
            return "one that has ended";
        }
    }

    private static String versionWith(Map<String, String> environment) throws IOException, InterruptedException {
        Outcome outcome = rivulet(environment, "version");
        assertThat(outcome.exitCode).as(outcome.err).isZero();
        return outcome.out;
    }

    private record Outcome(int exitCode, String out, String err) {}

    private static Outcome rivulet(String... arguments) throws IOException, InterruptedException {
        return rivulet(Map.of(), arguments);
    }

    private static Outcome rivulet(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        Path err = Path.of("target", "launcher.err").toAbsolutePath();
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), out, Files.readString(err));
    }
}
