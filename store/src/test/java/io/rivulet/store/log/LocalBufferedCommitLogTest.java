package io.rivulet.store.log;

import io.rivulet.store.io.LocalDisk;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalBufferedCommitLogTest extends CommitLogContractTest {
    @TempDir
    Path directory;

    @Override
    CommitLog open(LogConfig config, Runnable wakeUp) throws IOException {
        return LocalCommitLog.open(new LocalDisk(directory), config, wakeUp);
    }
}
