package io.rivulet.store.log.local;

import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.CommitLog;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalBufferedCommitLogTest extends LocalLogContractTest {
    @TempDir
    Path directory;

    @Override
    CommitLog open(LocalLogConfig config, Runnable wakeUp) throws IOException {
        return LocalCommitLog.open(new LocalDisk(directory), config, wakeUp);
    }
}
