package io.rivulet.bench.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Starts brokers, with their limits and data. Owned by: the command's thread. */
public final class Lab {
    private static final int ANY_PORT = 0;

    private static final Path PROJECT =
            Path.of(System.getProperty("rivulet.home", ".")).toAbsolutePath();

    private final Path directory;
    private final @Nullable KafkaHome kafka;
    private final int heapMib;
    private final String rivuletOptions;
    private final int maxFiles;
    private final Children children = new Children();

    /**
     * @param directory parent of the brokers' directories
     * @param heapMib limit of each heap; 0 for the virtual machine's default
     * @param rivuletOptions more options for Rivulet's virtual machine
     */
    private Lab(Path directory, @Nullable KafkaHome kafka, int heapMib, int maxFiles, String rivuletOptions) {
        this.directory = directory;
        this.kafka = kafka;
        this.heapMib = heapMib;
        this.maxFiles = maxFiles;
        this.rivuletOptions = heapMib == 0 ? rivuletOptions : "-Xmx" + heapMib + "m " + rivuletOptions;
    }

    /** A lab that starts Rivulet only, with its own default heap. */
    public static Lab ofRivulet(Path directory, int maxFiles, String rivuletOptions) {
        return new Lab(directory, null, 0, maxFiles, rivuletOptions);
    }

    /** A lab that starts both brokers. Fetches Kafka if it is missing. */
    public static Lab withKafka(Path directory, int heapMib, int maxFiles, String rivuletOptions)
            throws IOException, InterruptedException {
        return new Lab(directory, KafkaHome.fetched(), heapMib, maxFiles, rivuletOptions);
    }

    /** A file or directory of this project. */
    public static Path inProject(String path) {
        return PROJECT.resolve(path);
    }

    KafkaHome kafka() {
        return Objects.requireNonNull(kafka, "this lab has no Kafka");
    }

    /** Starts a broker without data, and returns when it is ready. */
    public RunningBroker start(Subject subject) throws IOException, BrokerFailedException {
        return start(subject, Map.of());
    }

    /** @param settings more settings, which both kinds of brokers know */
    public RunningBroker start(Subject subject, Map<String, String> settings)
            throws IOException, BrokerFailedException {
        Path home = Files.createTempDirectory(directory, subject.name().toLowerCase(Locale.ROOT) + "-");
        int port = freePort();
        Map<String, String> all = new TreeMap<>(settings);
        all.putIfAbsent("group.initial.rebalance.delay.ms", "0");
        List<String> command = subject == Subject.KAFKA ? kafka(home, port, all) : rivulet(subject, home, port, all);
        return new RunningBroker(this, subject, command, home, port).startAgain();
    }

    private List<String> rivulet(Subject subject, Path home, int port, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of(
                inProject("bin/rivulet").toString(),
                "start",
                "--override",
                "listeners=PLAINTEXT://localhost:" + port,
                "--override",
                "log.dirs=" + home.resolve("data"),
                "--override",
                "rivulet.durability=" + (subject == Subject.RIVULET_OS ? "os" : "fsync")));
        settings.forEach((key, value) -> command.addAll(List.of("--override", key + "=" + value)));
        return command;
    }

    private List<String> kafka(Path home, int port, Map<String, String> settings) throws IOException {
        int controllerPort = freePort();
        while (controllerPort == port) {
            controllerPort = freePort(); // nothing listens on the other port yet
        }
        Path properties = home.resolve("server.properties");
        Files.writeString(
                properties,
                String.join(
                        "\n",
                        "process.roles=broker,controller",
                        "node.id=1",
                        "listeners=PLAINTEXT://localhost:" + port + ",CONTROLLER://localhost:" + controllerPort,
                        "controller.listener.names=CONTROLLER",
                        "controller.quorum.voters=1@localhost:" + controllerPort,
                        "log.dirs=" + home.resolve("data"),
                        "offsets.topic.replication.factor=1",
                        "transaction.state.log.replication.factor=1",
                        "transaction.state.log.min.isr=1",
                        settings.entrySet().stream()
                                .map(setting -> setting.getKey() + "=" + setting.getValue() + "\n")
                                .collect(Collectors.joining())));
        Process format = spawn(
                kafka().command(
                                heapMib,
                                "kafka.tools.StorageTool",
                                "format",
                                "-t",
                                "cmVzaWRlbnQtcml2dWxldA",
                                "-c",
                                properties.toString()),
                home);
        try {
            if (format.waitFor() != 0) {
                throw new IOException("Kafka's storage could not be formatted: see " + home);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return kafka().command(heapMib, "kafka.Kafka", properties.toString());
    }

    /** Starts a child process in a home. Its output is appended to the file {@code output} there. */
    Process spawn(List<String> command, Path home) throws IOException {
        return children.start(command, maxFiles, rivuletOptions, home, home.resolve("output"));
    }

    /** A port that nothing listens on now. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(ANY_PORT, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
