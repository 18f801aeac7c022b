package io.rivulet.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.bookkeeper.BookKeeperEngine;
import io.rivulet.cluster.engine.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three engines on this machine, as docs/CLUSTER.md starts them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class EngineIT {
    private static final String HOST = "127.0.0.1";
    private static final int ENGINES = 3;
    /** Ports of a member. */
    private static final int PORTS = 3;

    @TempDir
    private Path directory;

    private final List<Process> engines = new ArrayList<>();
    private final int[] keeperPorts = new int[ENGINES];
    private final int[] bookiePorts = new int[ENGINES];

    @AfterEach
    void stop() throws InterruptedException {
        for (Process engine : engines) {
            engine.destroyForcibly().waitFor();
        }
    }

    @Test
    void oneOfThreeMayDieAndComeBack() throws Exception {
        startAll();
        String id = idOf(0);
        try (BookKeeperEngine engine = new BookKeeperEngine(registry(), "test")) {
            swap(engine, Engine.NO_VERSION, "before");
            long before = engine.create().id();

            engines.get(0).destroyForcibly().waitFor();

            Engine.Versioned kept = requireNonNull(engine.load("record"));
            assertThat(text(kept)).isEqualTo("before");
            swap(engine, kept.version(), "after");
            long after = engine.create().id();
            assertThat(after).isNotEqualTo(before);

            start(0);
            awaitReady(0, 2);
            assertThat(idOf(0)).isEqualTo(id);
        }
    }

    @Test
    void oneEndsWithoutTheOthers() throws Exception {
        startAll();
        engines.get(1).destroyForcibly().waitFor();
        engines.get(2).destroyForcibly().waitFor();

        engines.get(0).destroy();

        assertThat(engines.get(0).waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aBookieWhoseDirectoryWasWipedIsAnotherOne() throws Exception {
        startAll();
        String id = idOf(0);
        engines.get(0).destroyForcibly().waitFor();
        try (var files = Files.walk(directory.resolve("0/bookie"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }

        start(0);
        awaitReady(0, 2);

        assertThat(idOf(0)).isNotEqualTo(id);
    }

    @Test
    void aJournalWithoutAnIdIsRefused() throws Exception {
        Files.createDirectories(directory.resolve("0/bookie/journal"));
        pickPorts();
        start(0);

        assertThat(engines.get(0).waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(engines.get(0).exitValue()).isNotZero();
        assertThat(output(0)).contains("has a journal and no file 'id'");
    }

    private static void swap(Engine engine, int version, String text) throws IOException {
        int unused = engine.swap("record", version, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String text(Engine.Versioned record) {
        return StandardCharsets.UTF_8.decode(record.bytes().duplicate()).toString();
    }

    private void startAll() throws Exception {
        pickPorts();
        for (int i = 0; i < ENGINES; i++) {
            start(i);
        }
        for (int i = 0; i < ENGINES; i++) {
            awaitReady(i, 1);
        }
    }

    private void pickPorts() throws IOException {
        for (int i = 0; i < ENGINES; i++) {
            keeperPorts[i] = freePorts(PORTS);
            bookiePorts[i] = freePorts(1);
        }
    }

    /** The first of free ports side by side, below those that the system gives to clients. */
    private static int freePorts(int count) throws IOException {
        for (int port = 20_000 + (int) (System.nanoTime() >>> 10 & 0x1FFF); port < 32_000; port += count) {
            int free = 0;
            while (free < count && isFree(port + free)) {
                free++;
            }
            if (free == count) {
                return port;
            }
        }
        throw new IOException("no free ports");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private String registry() {
        List<String> members = new ArrayList<>();
        for (int port : keeperPorts) {
            members.add(HOST + ":" + port);
        }
        return String.join(",", members);
    }

    private void start(int number) throws IOException {
        Process engine = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dzookeeper.forceSync=no",
                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EngineCommand.class.getName(),
                        "--data=" + directory.resolve(String.valueOf(number)),
                        "--registry=" + registry(),
                        "--id=" + (number + 1),
                        "--bookie-port=" + bookiePorts[number])
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(number + ".log").toFile()))
                .start();
        if (number < engines.size()) {
            engines.set(number, engine);
        } else {
            engines.add(engine);
        }
    }

    private void awaitReady(int number, int times) {
        Awaitility.await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            String output = output(number);
            assertThat(engines.get(number).isAlive()).as(output).isTrue();
            assertThat(output.split("Bookie - ready", -1)).as(output).hasSizeGreaterThan(times);
        });
    }

    private String output(int number) throws IOException {
        return Files.readString(directory.resolve(number + ".log"));
    }

    private String idOf(int number) throws IOException {
        return Files.readString(directory.resolve(number + "/bookie/id")).strip();
    }
}
