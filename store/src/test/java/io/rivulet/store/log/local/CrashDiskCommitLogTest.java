package io.rivulet.store.log.local;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.CommitLog;
import java.io.IOException;

class CrashDiskCommitLogTest extends LocalLogContractTest {
    private final CrashDisk disk = new CrashDisk();

    @Override
    CommitLog open(LocalLogConfig config, Runnable wakeUp) throws IOException {
        return LocalCommitLog.open(disk, config, wakeUp);
    }
}
