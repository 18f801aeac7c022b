package io.rivulet.it.apps;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An application on Kafka, in its own process with its own libraries. */
final class AppProcess implements AutoCloseable {
    private static final Path APPS = Path.of("kafka-apps", "target").toAbsolutePath();
    private static final String LIBRARIES =
            APPS.resolve("classes") + File.pathSeparator + APPS.resolve("lib") + File.separator + "*";
    private static final int TOLD_CHARACTERS = 6_000;
    private static final int DEFAULT_HEAP_MEGABYTES = 256;

    private final Process process;
    private final Path log;

    private AppProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a main class of the module kafka-apps or its libraries. */
    static AppProcess start(Path scratch, String mainClass, String... arguments) throws IOException {
        return start(scratch, DEFAULT_HEAP_MEGABYTES, mainClass, List.of(arguments));
    }

    static AppProcess start(Path scratch, int heapMegabytes, String mainClass, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("-Xmx" + heapMegabytes + "m", "-cp", LIBRARIES, mainClass));
        command.addAll(arguments);
        return startJava(scratch, Path.of(System.getProperty("java.home")), command);
    }

    static AppProcess startJava(Path scratch, Path javaHome, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                javaHome.resolve("bin").resolve("java").toString(),
                "-Xmx" + DEFAULT_HEAP_MEGABYTES + "m",
                // fast to start, because these processes live for a short time
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
                "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.clients=warn",
                "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common=warn"));
        command.addAll(arguments);
        Path log = Files.createTempFile(scratch, "app", ".log");
        return new AppProcess(
                new ProcessBuilder(command)
                        .directory(scratch.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    /** Fails with the output if the process has ended. */
    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("ended with " + process.exitValue() + "; its output: " + lastWords());
        }
    }

    String lastWords() throws IOException {
        String all = all();
        return all.substring(Math.max(0, all.length() - TOLD_CHARACTERS));
    }

    /** The whole output. */
    String all() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
