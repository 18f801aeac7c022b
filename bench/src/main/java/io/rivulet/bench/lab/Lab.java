package io.rivulet.bench.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
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
    private final Children children;
    private final @Nullable TlsKeys tls;
    /** Of Rivulet only. */
    private final Map<String, String> overrides = new TreeMap<>();

    private Lab(
            Path directory,
            @Nullable KafkaHome kafka,
            int heapMib,
            int maxFiles,
            String rivuletOptions,
            Children children,
            @Nullable TlsKeys tls) {
        this.directory = directory;
        this.kafka = kafka;
        this.heapMib = heapMib;
        this.maxFiles = maxFiles;
        this.rivuletOptions = rivuletOptions;
        this.children = children;
        this.tls = tls;
    }

    /**
     * A lab that starts Rivulet only, with its own default heap.
     *
     * @param directory parent of the brokers' directories
     * @param rivuletOptions more options for Rivulet's virtual machine
     */
    public static Lab ofRivulet(Path directory, int maxFiles, String rivuletOptions) {
        return new Lab(directory, null, 0, maxFiles, rivuletOptions, new Children(), null);
    }

    /**
     * A lab that starts both brokers. Fetches Kafka if it is missing.
     *
     * @param heapMib limit of each heap
     */
    public static Lab withKafka(Path directory, int heapMib, int maxFiles, String rivuletOptions)
            throws IOException, InterruptedException {
        String options = "-Xmx" + heapMib + "m " + rivuletOptions;
        return new Lab(directory, KafkaHome.fetched(), heapMib, maxFiles, options, new Children(), null);
    }

    /** The same lab, whose brokers listen on a second port, with TLS, for the load. Makes their key. */
    public Lab overTls() throws IOException {
        return new Lab(directory, kafka, heapMib, maxFiles, rivuletOptions, children, TlsKeys.make(directory))
                .override(overrides);
    }

    /** Sets keys of Rivulet's configuration, whatever a benchmark sets. Returns this lab. */
    public Lab override(Map<String, String> settings) {
        overrides.putAll(settings);
        return this;
    }

    /** A file or directory of this project. */
    public static Path inProject(String path) {
        return PROJECT.resolve(path);
    }

    String rivuletOptions() {
        return rivuletOptions;
    }

    int heapMib() {
        return heapMib;
    }

    KafkaHome kafka() {
        return Objects.requireNonNull(kafka, "this lab has no Kafka");
    }

    /** Starts a broker without data, and returns when it is ready. */
    public RunningBroker start(Subject subject) throws IOException, BrokerFailedException {
        return start(subject, Map.of());
    }

    /**
     * Of three brokers, it returns the first one: it has the others as its {@link RunningBroker#fellows}.
     *
     * @param settings more settings, which both kinds of brokers know
     */
    public RunningBroker start(Subject subject, Map<String, String> settings)
            throws IOException, BrokerFailedException {
        if (subject.brokers() > 1) {
            return new Trio(this, subject, directory, settings).start();
        }
        Path home = Files.createTempDirectory(directory, subject.name().toLowerCase(Locale.ROOT) + "-");
        List<Integer> ports = freePorts(tls == null ? 2 : 3);
        int port = ports.get(0);
        String listeners = "PLAINTEXT://localhost:" + port;
        Map<String, String> all = new TreeMap<>(settings);
        all.putIfAbsent("group.initial.rebalance.delay.ms", "0");
        if (tls != null) {
            listeners += ",SSL://localhost:" + ports.get(2);
            all.putAll(tls.settings());
        }
        Engines engines = subject == Subject.RIVULET_CLUSTER ? Engines.start(this, directory) : null;
        if (engines != null) {
            all.put("rivulet.cluster", engines.registry());
        }
        List<String> command = subject == Subject.KAFKA
                ? kafka(new KafkaNode(1, home, listeners, ports.get(1)), all)
                : rivulet(subject, home, listeners, all);
        if (tls == null) {
            return new RunningBroker(this, subject, command, home, port, engines).startAgain();
        }
        RunningBroker broker =
                new RunningBroker(this, subject, command, home, port, ports.get(2), new TlsClient(false)).startAgain();
        checkEngine(broker);
        return broker;
    }

    private static void checkEngine(RunningBroker broker) throws IOException {
        boolean boringSsl = broker.output().contains("Connections are encrypted by BoringSSL");
        if (boringSsl != (broker.subject() == Subject.RIVULET_BORINGSSL)) {
            broker.close();
            throw new IOException(broker.subject() + " uses the wrong engine: look into broker/target/lib");
        }
    }

    private List<String> kafka(KafkaNode node, Map<String, String> settings) throws IOException {
        return node.prepare(this, List.of(node), settings);
    }

    List<String> rivulet(Subject subject, Path home, String listeners, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of(
                inProject("bin/rivulet").toString(),
                "start",
                "--override",
                "listeners=" + listeners,
                "--override",
                "log.dirs=" + home.resolve("data"),
                "--override",
                "rivulet.durability=" + (subject == Subject.RIVULET_OS ? "os" : "fsync")));
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(overrides);
        all.forEach((key, value) -> command.addAll(List.of("--override", key + "=" + value)));
        return command;
    }

    /** Starts a child process in a home. Its output is appended to the file {@code output} there. */
    Process spawn(List<String> command, Path home) throws IOException {
        return spawn(command, home, rivuletOptions);
    }

    Process spawn(List<String> command, Path home, String options) throws IOException {
        return children.start(command, maxFiles, options, home, home.resolve("output"));
    }

    /** For the virtual machine of a broker. */
    String options(Subject subject) throws IOException {
        return rivuletOptions + (subject == Subject.RIVULET_BORINGSSL ? boringSsl() : "");
    }

    /** Modules, because a program that is started from a jar has no other way to get more libraries. */
    private static String boringSsl() throws IOException {
        Path jars = inProject("broker/target/boringssl");
        if (!Files.isDirectory(jars)) {
            throw new IOException("there is no BoringSSL in " + jars + ": build the broker");
        }
        return " --module-path=" + jars + " --add-modules=ALL-MODULE-PATH";
    }

    static List<Integer> freePorts(int count) throws IOException {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            ports.add(freePort()); // may return a port again, because nothing listens on it yet
        }
        return List.copyOf(ports);
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** A port that nothing listens on now. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(ANY_PORT, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
