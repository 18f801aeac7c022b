package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.log.TrimmedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers, a writer and trims at the same time, with real files and threads. */
@Timeout(600)
class ConcurrencyTest {
    private static final int GROUPS = 2000;
    private static final int BODY_BYTES = 3000;

    @TempDir
    Path directory;

    private final LogFixture fixture = new LogFixture();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLongArray lsns = new AtomicLongArray(GROUPS);
    private final ConcurrentLinkedQueue<Long> readBack = new ConcurrentLinkedQueue<>();

    @Test
    void readsDuringTrimsGetTheBytesOrATrimmedException() throws Exception {
        try (LocalCommitLog log = LocalCommitLog.open(new LocalDisk(directory), SmallLog.CONFIG, fixture)) {
            Thread[] readers = {new Thread(() -> readRandomly(log, 1)), new Thread(() -> readRandomly(log, 2))};
            for (Thread reader : readers) {
                reader.start();
            }
            for (int number = 0; number < GROUPS; number++) {
                lsns.set(number, appendOnly(log, number, BODY_BYTES));
                if (number % 40 == 39) {
                    log.trimBefore(lsns.get(number - 20));
                }
            }
            fixture.awaitDurable(log, lsns.get(GROUPS - 1));
            for (Thread reader : readers) {
                reader.join();
            }

            assertThat(failure.get()).isNull();
            assertThat(readBack).isNotEmpty();
        }
    }

    /** Continues until it has read the last group. */
    private void readRandomly(CommitLog log, long seed) {
        java.util.SplittableRandom random = new java.util.SplittableRandom(seed);
        ByteBuffer target = ByteBuffer.allocate(100);
        try {
            while (lsns.get(GROUPS - 1) == 0) {
                int number = random.nextInt(GROUPS);
                if (lsns.get(number) != 0) {
                    readOne(log, number, target);
                }
            }
            readOne(log, GROUPS - 1, target);
        } catch (IOException | AssertionError e) {
            failure.compareAndSet(null, e);
        }
    }

    private void readOne(CommitLog log, int number, ByteBuffer target) throws IOException {
        try {
            log.read(lsns.get(number), 500, 100, target.clear());
            assertThat(target.flip())
                    .isEqualTo(LogFixture.body(number, BODY_BYTES).slice(500, 100));
            readBack.add((long) number);
        } catch (TrimmedException e) {
            assertThat(log.firstLsn()).isGreaterThan(lsns.get(number));
        }
    }
}
