package io.rivulet.store.log.local;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.CommitLog;
import java.io.IOException;

/** Everything on one thread, as in the simulations. */
class InlineCommitLogTest extends LocalLogContractTest {
    private final CrashDisk disk = new CrashDisk();

    @Override
    CommitLog open(LocalLogConfig config, Runnable wakeUp) throws IOException {
        return LocalCommitLog.open(disk, config, wakeUp, new InlineWorkers());
    }
}
