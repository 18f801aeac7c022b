package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.CrashDisk;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A disk that does not respond for a while, as during a stall or while the process is frozen. */
@Timeout(600)
class StalledDiskTest {
    private static final String FORCE = "log-force";
    private static final int PATIENCE_MILLIS = 1;
    /** Each wait takes that long. */
    private static final int MANY_WAITS = 20;

    private final FailureLatch failures = new FailureLatch();
    /** The disk responds when the test runs the work that forces. */
    private final ManualWorkers workers = new ManualWorkers(FORCE);

    private final LocalCommitLog log = LocalCommitLog.openUnchanged(
            new CrashDisk(), SmallLog.CONFIG, () -> {}, workers, failures, new DiskWait(PATIENCE_MILLIS));
    private final AtomicReference<IOException> thrown = new AtomicReference<>();
    private final Thread forcing = new Thread(this::force);

    StalledDiskTest() throws IOException {}

    private void force() {
        try {
            log.force();
        } catch (IOException e) {
            thrown.set(e);
        }
    }

    @BeforeEach
    void waitForTheDisk() throws Exception {
        log.begin();
        appendOnly(log, 1, 700);
        forcing.start();
        while (forcing.isAlive() && waits() < MANY_WAITS) {
            Thread.onSpinWait();
        }
    }

    private long waits() {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(forcing.getId());
        return info == null ? 0 : info.getWaitedCount();
    }

    @Test
    void aForceLastsAsLongAsTheStall() throws Exception {
        workers.runPending(FORCE);
        forcing.join();

        assertThat(thrown.get()).isNull();
        assertThat(failures.cause()).isNull();
        assertThat(log.durableLsn()).isEqualTo(log.writtenLsn());
        workers.eager();
        log.close();
    }

    @Test
    void aForceEndsWhenTheLogWillBeClosed() throws Exception {
        assertThat(forcing.isAlive()).isTrue();

        log.closeSoon();
        forcing.join();

        assertThat(thrown.get()).hasMessageContaining("the disk has not responded for 1 ms");
        workers.eager();
        log.close();
    }
}
