package io.rivulet.store.log;

import io.rivulet.store.io.CrashDisk;
import java.io.IOException;

/** Everything on one thread, as in the simulations. */
class InlineCommitLogTest extends CommitLogContractTest {
    private final CrashDisk disk = new CrashDisk();

    @Override
    CommitLog open(LogConfig config, Runnable wakeUp) throws IOException {
        return LocalCommitLog.open(disk, config, wakeUp, new InlineWorkers());
    }
}
