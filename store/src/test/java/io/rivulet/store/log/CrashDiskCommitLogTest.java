package io.rivulet.store.log;

import io.rivulet.store.io.CrashDisk;
import java.io.IOException;

class CrashDiskCommitLogTest extends CommitLogContractTest {
    private final CrashDisk disk = new CrashDisk();

    @Override
    CommitLog open(LogConfig config, Runnable wakeUp) throws IOException {
        return LocalCommitLog.open(disk, config, wakeUp);
    }
}
