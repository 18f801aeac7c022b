package io.rivulet.store.log;

import io.rivulet.store.io.CrashDisk;
import java.io.IOException;

/** Everything in one thread, as the simulations have it. */
class InlineCommitLogTest extends CommitLogContractTest {
    private final CrashDisk disk = new CrashDisk();

    @Override
    CommitLog open(LogConfig config, Runnable wakeUp) throws IOException {
        return LocalCommitLog.open(disk, config, wakeUp, new InlineWorkers());
    }
}
