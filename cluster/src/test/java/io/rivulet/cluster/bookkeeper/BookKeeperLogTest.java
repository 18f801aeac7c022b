package io.rivulet.cluster.bookkeeper;

import io.rivulet.cluster.ledger.LedgerLogConfig;
import io.rivulet.cluster.ledger.LedgerLogLocation;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.CommitLogContractTest;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every log, on BookKeeper. */
class BookKeeperLogTest extends CommitLogContractTest {
    private static final int LEDGER_BYTES = 12 << 10;
    private static final AtomicInteger LOGS = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestBookies bookies;
    private static BookKeeperEngine engine;

    private final String name = "log-" + LOGS.incrementAndGet();
    private final CrashDisk disk = new CrashDisk();

    @BeforeAll
    static void startBookies() throws Exception {
        bookies = new TestBookies(directory, 3);
        engine = new BookKeeperEngine(bookies.registry(), "test");
    }

    @AfterAll
    static void stopBookies() throws Exception {
        engine.close();
        bookies.close();
    }

    @Override
    protected CommitLog open(LogConfig config, Runnable wakeUp) throws IOException {
        FailureLatch failures = new FailureLatch();
        CommitLog log = new LedgerLogLocation(engine, name, disk, LedgerLogConfig.DEFAULT.withLedgerBytes(LEDGER_BYTES))
                .open(config, wakeUp, Workers.threads(failures), failures);
        log.begin();
        return log;
    }
}
