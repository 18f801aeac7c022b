package io.rivulet.it;

import io.rivulet.store.faults.Ports;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * One member of ZooKeeper and two bookies, each a process, for all tests of this process, with which they end.
 * Thread-safe.
 */
final class TestEngines {
    private static final Path ENGINE = Path.of("..", "engine", "target").toAbsolutePath();
    private static final int BOOKIES = 2;
    private static final String READY = "Bookie - ready";

    private static @Nullable TestEngines running;

    private final Path directory;
    private final String registry;
    private final List<Process> processes = new ArrayList<>();

    private TestEngines() throws IOException {
        directory = Files.createTempDirectory("rivulet-engines");
        registry = "127.0.0.1:" + Ports.free();
        Runtime.getRuntime().addShutdownHook(new Thread(this::end));
        start(0, 0, "--keeper");
        for (int i = 1; i <= BOOKIES; i++) {
            start(i, Ports.free(), "--bookie");
        }
        for (int i = 1; i <= BOOKIES; i++) {
            awaitReady(i);
        }
    }

    /** What the key rivulet.cluster begins with. Starts the processes, the first time. */
    static synchronized String registry() throws IOException {
        if (running == null) {
            running = new TestEngines();
        }
        return running.registry;
    }

    private void start(int number, int port, String role) throws IOException {
        String classes = ENGINE.resolve("rivulet-engine.jar")
                + File.pathSeparator
                + Files.readString(ENGINE.resolve("classpath")).strip();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-XX:MaxDirectMemorySize=192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dzookeeper.forceSync=no",
                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                        "-XX:SharedArchiveFile=" + ENGINE.resolve("tests.jsa").normalize(),
                        "-Xlog:cds*=off",
                        "-Xlog:class+path=off",
                        "-cp",
                        classes,
                        "io.rivulet.engine.EngineCommand",
                        "--data=" + directory.resolve("engine" + number),
                        "--registry=" + registry,
                        "--id=1",
                        "--bookie-port=" + port,
                        role)
                .redirectErrorStream(true)
                .redirectOutput(output(number).toFile())
                .start();
        processes.add(process);
    }

    private Path output(int number) {
        return directory.resolve("engine" + number + ".log");
    }

    private void awaitReady(int number) {
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    String output = Files.readString(output(number));
                    if (!processes.get(number).isAlive()) {
                        throw new AssertionError("an engine has ended: " + output);
                    }
                    return output.contains(READY);
                });
    }

    private void end() {
        for (Process process : processes) {
            process.destroyForcibly().onExit().join();
        }
        try {
            Utils.delete(directory.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
