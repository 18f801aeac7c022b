package io.rivulet.cluster.ledger;

import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.cluster.fake.InlineWorkers;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.CommitLogContractTest;
import io.rivulet.store.log.LogConfig;
import java.io.IOException;

/** The contract of every log, on ledgers in memory. */
class FakeLedgerLogTest extends CommitLogContractTest {
    private static final int LEDGER_BYTES = 28 << 10;

    private final FakeEngine engine = FakeEngine.eager();
    private final CrashDisk disk = new CrashDisk();

    @Override
    protected CommitLog open(LogConfig config, Runnable wakeUp) throws IOException {
        FailureLatch failures = new FailureLatch();
        CommitLog log = new LedgerLogLocation(
                        engine.client(), "log", disk, LedgerLogConfig.DEFAULT.withLedgerBytes(LEDGER_BYTES))
                .open(config, wakeUp, new InlineWorkers(), failures);
        log.begin();
        return log;
    }
}
