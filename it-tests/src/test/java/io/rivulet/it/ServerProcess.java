package io.rivulet.it;

import io.rivulet.broker.cli.Rivulet;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A broker in its own process, from the jar. */
public final class ServerProcess implements AutoCloseable {
    public static final Pattern READY = Pattern.compile(
            "rivulet \\S+ is ready on localhost:(\\d+)(?:, localhost:\\d+)* with (\\d+) queues after (\\d+) ms"
                    + "(?:; (http://localhost:\\d+))?");

    /** The property can name a jar of older code. */
    private static final Path JAR = Path.of(System.getProperty("rivulet.jar", "../broker/target/rivulet.jar"));

    private static final long PATIENCE_SECONDS = Clients.PATIENCE.toSeconds();

    private final Process process;
    private final Path err;
    private @Nullable String http;

    private ServerProcess(Process process, Path err) {
        this.process = process;
        this.err = err;
    }

    public static ServerProcess start(Path scratch, String... arguments) throws IOException {
        return in(scratch).start(arguments);
    }

    /** Begins the launch of a broker in this directory. */
    public static Launch in(Path scratch) {
        return new Launch(scratch);
    }

    /** The options of the process. Owned by: one thread. */
    public static final class Launch {
        private final Path scratch;
        private final List<String> java = new ArrayList<>(List.of(
                "-Xmx256m",
                // as bin/jvm.options: no lines of the virtual machine in the log
                "-Dsun.misc.unsafe.memory.access=allow",
                // fast to start, because most processes live for a short time
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // if it is there, and of this jar and this Java
                "-XX:SharedArchiveFile=" + path(JAR.resolveSibling("tests.jsa")),
                "-Xlog:cds*=off",
                "-Xlog:class+path=off"));
        private final Map<String, String> environment = new HashMap<>();
        private String shell = "";
        private List<Path> classPath = List.of();

        private Launch(Path scratch) {
            this.scratch = scratch;
        }

        /** Adds options of the virtual machine. Later ones win. */
        public Launch java(String... options) {
            java.addAll(List.of(options));
            return this;
        }

        public Launch environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Adds jars to those that the broker needs. */
        public Launch classPath(List<Path> jars) {
            classPath = List.copyOf(jars);
            return this;
        }

        /** A command of bash before the process becomes the broker, for example {@code ulimit -n 250}. */
        public Launch shell(String newCommand) {
            shell = newCommand;
            return this;
        }

        public ServerProcess start(String... arguments) throws IOException {
            if (TestBroker.TRANSPORT.equals("nio")) {
                return command("start", arguments);
            }
            List<String> all = new ArrayList<>(List.of("--override=rivulet.transport=" + TestBroker.TRANSPORT));
            all.addAll(List.of(arguments)); // later ones win
            return command("start", all.toArray(String[]::new));
        }

        /** As the image does. */
        public ServerProcess container() throws IOException {
            return command("container");
        }

        private ServerProcess command(String name, String... arguments) throws IOException {
            List<String> command = new ArrayList<>();
            if (!shell.isEmpty()) {
                command.addAll(List.of("bash", "-c", shell + " && exec \"$@\"", "broker"));
            }
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(java);
            if (classPath.isEmpty()) {
                command.addAll(List.of("-jar", path(JAR)));
            } else {
                String all = classPath.stream().map(jar -> ":" + path(jar)).collect(Collectors.joining());
                command.addAll(List.of("-cp", path(JAR) + all, Rivulet.class.getName()));
            }
            command.add(name);
            command.addAll(List.of(arguments));
            Path err = Files.createTempFile(scratch, "server", ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(scratch.toFile()).redirectError(err.toFile());
            builder.environment().putAll(environment);
            return new ServerProcess(builder.start(), err);
        }

        private static String path(Path jar) {
            return jar.toAbsolutePath().normalize().toString();
        }
    }

    /** Waits for the ready line. Returns its port. */
    public int awaitReady() throws IOException {
        String line = readLine();
        Matcher matcher = READY.matcher(String.valueOf(line));
        if (!matcher.matches()) {
            throw new AssertionError("not a ready line: " + line + "; standard error: " + err());
        }
        http = matcher.group(4);
        return Integer.parseInt(matcher.group(1));
    }

    /** The address of the pages for operators, after {@link #awaitReady}. */
    public String http() {
        return Objects.requireNonNull(http, "the ready line has no address of pages");
    }

    /** Ends a broker that prints nothing in time. */
    private @Nullable String readLine() throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        CompletableFuture<Void> overdue = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS));
        try {
            return out.readLine();
        } finally {
            overdue.cancel(false);
        }
    }

    /** Waits for the end. Returns the exit code. */
    public int awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the broker has not ended");
        }
        return process.exitValue();
    }

    public long pid() {
        return process.pid();
    }

    /** What all threads of the process have used so far. */
    Duration processorTime() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** The most memory that the process had so far. */
    public long peakResidentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid() + "/status"))) {
            if (line.startsWith("VmHWM:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new AssertionError("no resident size of process " + pid());
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public void terminate() {
        process.destroy();
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    public String err() throws IOException {
        return Files.readString(err);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
