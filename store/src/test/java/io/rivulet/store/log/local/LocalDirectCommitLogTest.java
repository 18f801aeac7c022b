package io.rivulet.store.log.local;

import io.rivulet.store.io.DirectIoRefusedException;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.CommitLog;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** If the file system refuses direct I/O, the log reports that, and the tests run with buffered I/O. */
class LocalDirectCommitLogTest extends LocalLogContractTest {
    @TempDir
    Path directory;

    @Override
    CommitLog open(LocalLogConfig config, Runnable wakeUp) throws IOException {
        LocalDisk disk = new LocalDisk(directory);
        try {
            return LocalCommitLog.open(disk, config.withIoMode(IoMode.DIRECT), wakeUp);
        } catch (DirectIoRefusedException e) {
            return LocalCommitLog.open(disk, config, wakeUp);
        }
    }
}
