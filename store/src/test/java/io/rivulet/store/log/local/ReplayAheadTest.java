package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Durability;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.DirectIoRefusedException;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replays of a log of 48 MB in three segments. */
@Timeout(600)
class ReplayAheadTest {
    private static final int GROUPS = 12;
    /** The opening walks from the last segment whose first group is durable, so the others are read past the cache. */
    private static final LocalLogConfig CONFIG =
            LocalLogConfig.DEFAULT.withDurability(Durability.FSYNC).withSegmentBytes(20 << 20);

    private static final List<Long> ALL = LongStream.range(0, GROUPS).boxed().toList();
    private static final String WORKER = "replay-ahead";

    @TempDir
    private Path directory;

    private LocalLogConfig config = CONFIG;

    @BeforeEach
    void appendGroups() throws Exception {
        LocalDisk disk = new LocalDisk(directory);
        config = CONFIG.withIoMode(modeOf(disk));
        try (CommitLog log = LocalCommitLog.open(disk, config, () -> {})) {
            for (int number = 0; number < GROUPS; number++) {
                LogFixture.appendOnly(log, number, 4_000_000);
            }
        }
    }

    /** Direct, unless the file system refuses that. */
    static IoMode modeOf(Disk disk) throws IOException {
        try (DiskFile probe = disk.create("probe", IoMode.DIRECT)) {
            return probe.alignmentBytes() > 1 ? IoMode.DIRECT : IoMode.BUFFERED;
        } catch (DirectIoRefusedException e) {
            return IoMode.BUFFERED;
        } finally {
            if (disk.exists("probe")) {
                disk.delete("probe");
            }
        }
    }

    @Test
    void readsAheadABoundedAmountAndEverythingOnce() throws Exception {
        FaultyDisk disk = new FaultyDisk(new LocalDisk(directory));
        try (CommitLog log = LocalCommitLog.open(disk, config, () -> {}, new InlineWorkers())) {
            long before = disk.count(Op.READ);
            List<Long> readsAtFirst = new ArrayList<>();
            List<Long> numbers = new ArrayList<>();

            log.replay(log.firstLsn(), group -> {
                readsAtFirst.add(disk.count(Op.READ) - before);
                numbers.add(LogFixture.check(group));
            });

            assertThat(numbers).isEqualTo(ALL);
            assertThat(readsAtFirst.get(0)).isLessThanOrEqualTo(5 + 3 * ReplayAhead.WINDOWS);
            assertThat(disk.count(Op.READ) - before).isBetween(46L, 48L + 3 * ReplayAhead.WINDOWS);
        }
    }

    /** After a force that failed, only the page cache may have what the opening has read, until it is written again. */
    @Test
    void whatTheOpeningHasReadComesFromThePageCache() throws Exception {
        Set<String> past = ConcurrentHashMap.newKeySet();
        Disk disk = new ForwardingDisk(new LocalDisk(directory)) {
            @Override
            protected DiskFile file(DiskFile file) {
                return new ForwardingFile(file) {
                    @Override
                    public int readPast(long address, ByteBuffer target) throws IOException {
                        past.add(file.name());
                        return super.readPast(address, target);
                    }
                };
            }
        };
        try (CommitLog log = LocalCommitLog.open(disk, config, () -> {})) {
            assertThat(LogFixture.replay(log)).isEqualTo(ALL);
        }
        assertThat(past).containsExactlyInAnyOrder(segment(0), segment(1));
    }

    private static String segment(int index) {
        return SegmentLayout.fileName(index * CONFIG.segmentBytes());
    }

    @Test
    void aReadAheadThatFailsHarmsNoReplay() throws Exception {
        for (int nth = 1; nth < 60; nth += 7) {
            FaultyDisk disk = new FaultyDisk(new LocalDisk(directory));
            disk.failNth(Op.READ, nth, name -> isWorker());
            try (CommitLog log = LocalCommitLog.open(disk, config, () -> {})) {
                assertThat(LogFixture.replay(log)).as("failed read %d", nth).isEqualTo(ALL);
                assertThat(LogFixture.replay(log)).isEqualTo(ALL);
            }
        }
    }

    private static boolean isWorker() {
        return Thread.currentThread().getName().equals(WORKER);
    }

    @Test
    void anErrorInTheThreadLeavesNoReplayWaiting() throws Exception {
        FailureLatch failures = new FailureLatch();
        Disk disk = new FullMemory(new LocalDisk(directory));
        try (CommitLog log = LocalCommitLog.open(disk, config, () -> {}, Workers.threads(failures), failures)) {
            assertThat(LogFixture.replay(log)).isEqualTo(ALL);
            assertThat(failures.cause()).isInstanceOf(OutOfMemoryError.class);
        }
    }

    /** Each read past the page cache fails with an Error. */
    private static final class FullMemory extends ForwardingDisk {
        FullMemory(Disk disk) {
            super(disk);
        }

        @Override
        protected DiskFile file(DiskFile file) {
            return new ForwardingFile(file) {
                @Override
                public int readPast(long address, ByteBuffer target) {
                    throw new OutOfMemoryError("on order");
                }
            };
        }
    }
}
