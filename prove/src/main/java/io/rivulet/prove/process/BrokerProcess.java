package io.rivulet.prove.process;

import io.rivulet.store.faults.Jcmd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A broker in its own process. Owned by: one thread. */
public final class BrokerProcess extends ChildProcess {
    public static final int ANY_FILES = 0;
    /** The old generation in Java 17 and 25, and what 17 adds. */
    private static final Pattern USED =
            Pattern.compile("^ ?(?:tenured generation|Tenured|Metaspace) .*?used (\\d+)K", Pattern.MULTILINE);

    private static final Pattern READY = Pattern.compile("rivulet \\S+ is ready on localhost:(\\d+).*");
    private static final Pattern JAVA_THREAD = Pattern.compile("^\"(.+)\" #\\d+ .*", Pattern.MULTILINE);
    private static final String MAIN = "io.rivulet.broker.cli.Rivulet";

    private BrokerProcess(Process process, Path err) {
        super(process, err);
    }

    /**
     * @param scratch where the log of the process is
     * @param overrides keys of the configuration with their values
     */
    public static BrokerProcess start(
            Path scratch, List<String> java, Map<String, String> environment, Map<String, String> overrides)
            throws IOException {
        return start(scratch, ANY_FILES, java, environment, overrides);
    }

    /** @param mostFiles how many files and sockets it may open; {@link #ANY_FILES} as many as this process */
    public static BrokerProcess start(
            Path scratch,
            int mostFiles,
            List<String> java,
            Map<String, String> environment,
            Map<String, String> overrides)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (mostFiles != ANY_FILES) {
            command.addAll(List.of("sh", "-c", "ulimit -n " + mostFiles + " && exec \"$@\"", "sh"));
        }
        command.addAll(java(java));
        command.addAll(List.of("-jar", jar().toString()));
        return launch(scratch, command, environment, overrides);
    }

    /**
     * Starts a broker that may have its log in a cluster, as {@code bin/rivulet start} does.
     *
     * @param before classes that replace those of the module cluster; empty for none
     */
    public static BrokerProcess startInCluster(
            Path scratch, List<String> java, String before, Map<String, String> overrides) throws IOException {
        List<String> command = new ArrayList<>(java(java));
        if (before.isEmpty()) {
            command.add("-XX:SharedArchiveFile=" + built("cluster", "target", "tests.jsa"));
        }
        String classes =
                built("cluster", "target", "rivulet-cluster.jar") + ":" + built("cluster", "target", "lib", "*");
        command.addAll(List.of("-cp", jar() + ":" + (before.isEmpty() ? "" : before + ":") + classes, MAIN));
        return launch(scratch, command, Map.of(), overrides);
    }

    private static List<String> java(List<String> more) {
        List<String> command = new ArrayList<>(List.of(
                javaProgram("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dsun.misc.unsafe.memory.access=allow",
                // an archive that is not there, or not of this jar and this Java, is ignored
                "-XX:SharedArchiveFile=" + jar().resolveSibling("tests.jsa"),
                "-Xlog:cds*=off",
                "-Xlog:class+path=off"));
        command.addAll(more);
        return command;
    }

    private static BrokerProcess launch(
            Path scratch, List<String> program, Map<String, String> environment, Map<String, String> overrides)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("start", "--override=rivulet.http.listener=none"));
        String transport = System.getProperty("rivulet.transport");
        if (transport != null) {
            command.add("--override=rivulet.transport=" + transport);
        }
        overrides.forEach((key, value) -> command.add("--override=" + key + "=" + value));
        Path err = Files.createTempFile(scratch, "broker", ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(scratch.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        return new BrokerProcess(builder.start(), err);
    }

    private static Path jar() {
        return built("broker", "target", "rivulet.jar");
    }

    /** Waits for the ready line. Returns the port. */
    public int awaitReady() throws IOException {
        CompletableFuture<Void> overdue = CompletableFuture.runAsync(
                process()::destroyForcibly, CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS));
        String line = process().inputReader(StandardCharsets.UTF_8).readLine();
        overdue.cancel(false);
        Matcher matcher = READY.matcher(String.valueOf(line));
        if (!matcher.matches()) {
            throw new IOException("the broker is not ready but says: " + line + "; standard error: " + err());
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** The lines of its log that report a failure, with what follows each. */
    public List<String> errors() throws IOException {
        List<String> lines = Files.readAllLines(errFile());
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(" ERROR ")) {
                found.add(String.join("\n    ", lines.subList(i, Math.min(lines.size(), i + 8))));
            }
        }
        return found;
    }

    /** The names of its threads that are not the virtual machine's own. */
    public Set<String> threads() throws IOException, InterruptedException {
        Matcher names = JAVA_THREAD.matcher(jcmd("Thread.print"));
        Set<String> found = new TreeSet<>();
        while (names.find()) {
            found.add(names.group(1));
        }
        return found;
    }

    /**
     * The memory of objects, and in Java 17 of classes, after a full collection. All objects are in the old generation
     * then. The young one is not counted: as soon as threads go on, each of them takes room there for many objects to
     * come.
     */
    public long usedHeapBytes() throws IOException, InterruptedException {
        jcmd("GC.run");
        String info = jcmd("GC.heap_info");
        Matcher used = USED.matcher(info);
        long kib = 0;
        while (used.find()) {
            kib += Long.parseLong(used.group(1));
        }
        if (kib == 0) {
            throw new IOException("jcmd does not say how large the old generation is: " + info);
        }
        return kib << 10;
    }

    /** The memory that the process has now. */
    public long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process().pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }

    /** How many files and sockets are open. */
    public long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + process().pid() + "/fd"))) {
            return files.count();
        }
    }

    /** How many threads there are, with those of the virtual machine. */
    public long threadCount() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process().pid() + "/task"))) {
            return threads.count();
        }
    }

    private String jcmd(String order) throws IOException, InterruptedException {
        return Jcmd.ask(process().pid(), order);
    }
}
