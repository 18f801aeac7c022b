package io.rivulet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One engine, with little direct memory. Each file of entries that a thread reads costs it a buffer. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@SuppressWarnings("try") // nothing interrupts a test
final class BookieMemoryIT {
    private static final String HOST = "127.0.0.1";
    private static final int MEMBER_PORTS = 3;
    /** A bookie begins a file at each start. */
    private static final int FILES = 2;
    /** Threads are picked by ledger. */
    private static final int LEDGERS_OF_A_FILE = 16;

    private static final int ENTRY_BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final byte[] PASSWORD = {};

    @TempDir
    private Path directory;

    private int keeperPort;
    private int bookiePort;
    private final List<ChildProcess> engines = new ArrayList<>();

    @BeforeEach
    void pickPorts() throws IOException {
        keeperPort = Ports.free(MEMBER_PORTS);
        bookiePort = Ports.free();
    }

    @AfterEach
    void stop() {
        engines.forEach(ChildProcess::close);
    }

    @Test
    void readersOfManyFilesShareItsBuffers() throws Exception {
        List<Long> ledgers = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            ChildProcess engine = start(160);
            try (BookKeeper client = client()) {
                for (int j = 0; j < LEDGERS_OF_A_FILE; j++) {
                    ledgers.add(eventually(() -> write(client)));
                }
            }
            engine.kill();
        }
        ChildProcess engine = start(160);

        try (BookKeeper client = client()) {
            for (long ledger : ledgers) {
                assertThat(eventually(() -> read(client, ledger))).isEqualTo((long) ENTRY_BYTES);
            }
        }

        assertThat(engine.isAlive()).isTrue();
        assertThat(engine.output()).doesNotContain("OutOfMemoryError");
    }

    @Test
    void oneWithoutMemoryEndsAtItsStart() throws Exception {
        ChildProcess engine = launch(80);

        assertThat(engine.awaitEnd()).isEqualTo(1);
    }

    @Test
    void oneWithoutMemoryEndsLater() throws Exception {
        ChildProcess engine = start(136);

        try (BookKeeper client = client()) {
            WriteHandle ledger = eventually(() -> create(client));
            for (int i = 0; i < 200; i++) {
                CompletableFuture<Long> unused = ledger.appendAsync(new byte[ENTRY_BYTES]);
            }
            assertThat(engine.awaitEnd()).isEqualTo(1);
        }
    }

    private ChildProcess start(int directMemoryMib) throws IOException {
        ChildProcess engine = launch(directMemoryMib);
        engine.awaitOutput("Bookie - ready");
        return engine;
    }

    private ChildProcess launch(int directMemoryMib) throws IOException {
        ChildProcess engine = ChildProcess.engine(
                directory.resolve("engine.log"),
                directMemoryMib,
                List.of(
                        "--data=" + directory.resolve("engine"),
                        "--registry=" + HOST + ":" + keeperPort,
                        "--id=1",
                        "--bookie-port=" + bookiePort));
        engines.add(engine);
        return engine;
    }

    /** On a busy machine, the session of a bookie may end, and begin again. */
    private <T> T eventually(Callable<T> action) throws IOException {
        try {
            return Objects.requireNonNull(await().atMost(PATIENCE)
                    .ignoreExceptionsMatching(e -> e instanceof ExecutionException || e instanceof BKException)
                    .until(action, Objects::nonNull));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(engines.get(engines.size() - 1).output(), e);
        }
    }

    private BookKeeper client() throws Exception {
        ClientConfiguration configuration = SmallCluster.configuration(HOST + ":" + keeperPort);
        return BookKeeper.newBuilder(configuration).build();
    }

    private static WriteHandle create(BookKeeper client) throws Exception {
        return client.newCreateLedgerOp()
                .withEnsembleSize(1)
                .withWriteQuorumSize(1)
                .withAckQuorumSize(1)
                .withPassword(PASSWORD)
                .execute()
                .get();
    }

    /** Leaves the ledger open, so it is recovered when it is read. */
    private static long write(BookKeeper client) throws Exception {
        WriteHandle ledger = create(client);
        long unused = ledger.append(new byte[ENTRY_BYTES]);
        return ledger.getId();
    }

    private static long read(BookKeeper client, long ledger) throws Exception {
        try (ReadHandle handle = client.newOpenLedgerOp()
                        .withLedgerId(ledger)
                        .withPassword(PASSWORD)
                        .withDigestType(DigestType.CRC32C)
                        .withRecovery(true)
                        .execute()
                        .get();
                LedgerEntries entries = handle.read(0, 0)) {
            return entries.getEntry(0).getLength();
        }
    }
}
