package io.rivulet.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rivulet.cluster.bookkeeper.BookKeeperEngine;
import io.rivulet.cluster.engine.Engine;
import io.rivulet.store.faults.Ports;
import java.io.IOException;
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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three engines on this machine, as docs/CLUSTER.md starts them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class EngineIT {
    private static final String HOST = "127.0.0.1";
    private static final int ENGINES = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int SESSION_MILLIS = 10_000;
    /** Ports of a member. */
    private static final int PORTS = 3;

    @TempDir
    private Path directory;

    private final List<ChildProcess> engines = new ArrayList<>();
    private final int[] keeperPorts = new int[ENGINES];
    private final int[] bookiePorts = new int[ENGINES];

    @AfterEach
    void stop() {
        engines.forEach(ChildProcess::close);
    }

    @Test
    void oneOfThreeMayDieAndComeBack() throws Exception {
        startAll();
        String id = idOf(0);
        try (BookKeeperEngine engine = new BookKeeperEngine(registry(), "test")) {
            swap(engine, null, "before");
            long before = engine.create(engine.reserve()).id();

            engines.get(0).kill();

            // If it led, the others vote first.
            Engine.Versioned kept = requireNonNull(await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> engine.load("record"), Objects::nonNull));
            assertThat(text(kept)).isEqualTo("before");
            swap(engine, kept, "after");
            long after = engine.create(engine.reserve()).id();
            assertThat(after).isNotEqualTo(before);

            start(0);
            awaitReady(0);
            assertThat(idOf(0)).isEqualTo(id);
        }
    }

    @Test
    void oneEndsWithoutTheOthers() throws Exception {
        startAll();
        engines.get(1).kill();
        engines.get(2).kill();

        engines.get(0).terminate();

        int unused = engines.get(0).awaitEnd();
    }

    /** It was longer away than its sessions in ZooKeeper last: that of its bookie, and that of the copying. */
    @Test
    @SuppressWarnings("try") // nothing interrupts a test
    void oneThatWasPausedForLongComesBack() throws Exception {
        startAll();
        try (BookKeeperAdmin admin = new BookKeeperAdmin(SmallCluster.configuration(registry()));
                ZooKeeper keeper = new ZooKeeper(registry(), SESSION_MILLIS, event -> {})) {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(KeeperException.class)
                    .until(() -> votes(keeper) == ENGINES);
            engines.get(0).pause();
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(KeeperException.class)
                    .until(() -> admin.getAvailableBookies().size() == ENGINES - 1 && votes(keeper) == ENGINES - 1);

            engines.get(0).resume();
            engines.get(0).awaitOutput("Copying of lost entries has ended, and starts again");

            await().atMost(PATIENCE).until(() -> admin.getAvailableBookies().size() == ENGINES);
            assertThat(engines.get(0).isAlive()).isTrue();
        }
    }

    @Test
    void aBookieWhoseDirectoryWasWipedIsAnotherOne() throws Exception {
        startAll();
        String id = idOf(0);
        engines.get(0).kill();
        try (var files = Files.walk(directory.resolve("0/bookie"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }

        start(0);
        awaitReady(0);

        assertThat(idOf(0)).isNotEqualTo(id);
    }

    @Test
    void aSecondOneInTheSameDirectoryIsRefused() throws Exception {
        keeperPorts[0] = Ports.free(PORTS);
        bookiePorts[0] = Ports.free();
        engines.add(alone());
        awaitReady(0);
        keeperPorts[0] = Ports.free(PORTS);
        bookiePorts[0] = Ports.free();
        engines.add(alone());

        assertThat(engines.get(1).awaitEnd()).isEqualTo(1);
        assertThat(engines.get(1).output()).contains("another engine uses");
        assertThat(engines.get(0).isAlive()).isTrue();
    }

    private ChildProcess alone(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--data=" + directory.resolve("alone"),
                "--registry=" + HOST + ":" + keeperPorts[0],
                "--id=1",
                "--bookie-port=" + bookiePorts[0]));
        arguments.addAll(List.of(options));
        return ChildProcess.engine(directory.resolve("alone" + engines.size() + ".log"), arguments);
    }

    @Test
    void aJournalWithoutAnIdIsRefused() throws Exception {
        Files.createDirectories(directory.resolve("0/bookie/journal"));
        pickPorts();
        start(0);

        assertThat(engines.get(0).awaitEnd()).isNotZero();
        assertThat(engines.get(0).output()).contains("has a journal and no file 'id'");
    }

    @Test
    void oneWhosePortIsTakenEnds() throws Exception {
        pickPorts();
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(bookiePorts[0]));
            engines.add(alone());

            assertThat(engines.get(0).awaitEnd()).isEqualTo(1);
            assertThat(engines.get(0).output()).contains("Address already in use");
        }
    }

    /** Its directory was copied, for example, and another process has its id. */
    @Test
    @SuppressWarnings("try") // nothing interrupts a test
    void oneWhoseBookieRunsElsewhereEnds() throws Exception {
        pickPorts();
        engines.add(alone("--keeper"));
        engines.add(alone("--bookie"));
        awaitReady(1);
        engines.get(1).kill();
        String id = Files.readString(directory.resolve("alone/bookie/id")).strip();
        try (ZooKeeper keeper = new ZooKeeper(HOST + ":" + keeperPorts[0], SESSION_MILLIS, event -> {})) {
            String unused = await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(KeeperException.class)
                    .until(
                            () -> keeper.create(
                                    "/ledgers/available/" + id,
                                    new byte[0],
                                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                                    CreateMode.EPHEMERAL),
                            Objects::nonNull);

            engines.add(alone("--bookie"));

            assertThat(engines.get(2).awaitEnd()).isEqualTo(1);
            assertThat(engines.get(2).output()).contains(id + " is still registered");
        }
    }

    /** Who copies lost entries is voted for; each engine votes as long as its session lasts. */
    private static int votes(ZooKeeper keeper) throws Exception {
        return keeper.getChildren("/ledgers/underreplication/auditorelection", false)
                .size();
    }

    private static void swap(Engine engine, Engine.@Nullable Versioned state, String text) throws IOException {
        int unused = engine.swap("record", state, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
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
            awaitReady(i);
        }
    }

    private void pickPorts() throws IOException {
        for (int i = 0; i < ENGINES; i++) {
            keeperPorts[i] = Ports.free(PORTS);
            bookiePorts[i] = Ports.free();
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
        ChildProcess engine = ChildProcess.engine(
                directory.resolve(number + ".log"),
                List.of(
                        "--data=" + directory.resolve(String.valueOf(number)),
                        "--registry=" + registry(),
                        "--id=" + (number + 1),
                        "--bookie-port=" + bookiePorts[number]));
        if (number < engines.size()) {
            engines.set(number, engine);
        } else {
            engines.add(engine);
        }
    }

    private void awaitReady(int number) {
        engines.get(number).awaitOutput("Bookie - ready");
    }

    private String idOf(int number) throws IOException {
        return Files.readString(directory.resolve(number + "/bookie/id")).strip();
    }
}
