package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Durability;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of 48 MB in three segments: more than is read ahead. */
class ReplayAheadTest {
    private static final int GROUPS = 12;
    private static final LocalLogConfig CONFIG =
            LocalLogConfig.DEFAULT.withDurability(Durability.NONE).withSegmentBytes(20 << 20);
    private static final List<Long> ALL = LongStream.range(0, GROUPS).boxed().toList();

    @TempDir
    private Path directory;

    @BeforeEach
    void appendGroups() throws Exception {
        try (CommitLog log = LocalCommitLog.open(new LocalDisk(directory), CONFIG, () -> {})) {
            for (int number = 0; number < GROUPS; number++) {
                LogFixture.appendOnly(log, number, 4_000_000);
            }
        }
    }

    @Test
    void readsAheadABoundedAmountAndEverythingOnce() throws Exception {
        FaultyDisk disk = new FaultyDisk(new LocalDisk(directory));
        try (CommitLog log = LocalCommitLog.open(disk, CONFIG, () -> {}, new InlineWorkers())) {
            long before = disk.count(Op.READ);
            List<Long> readsAtFirst = new ArrayList<>();
            List<Long> numbers = new ArrayList<>();

            log.replay(log.firstLsn(), group -> {
                readsAtFirst.add(disk.count(Op.READ) - before);
                numbers.add(LogFixture.check(group));
            });

            assertThat(numbers).isEqualTo(ALL);
            assertThat(readsAtFirst.get(0)).isBetween(32L, 40L);
            assertThat(disk.count(Op.READ) - before).isLessThan(2 * 48 + 20);
        }
    }

    @Test
    void aReadAheadThatFailsHarmsNoReplay() throws Exception {
        FaultyDisk disk = new FaultyDisk(new LocalDisk(directory));
        disk.failNth(Op.READ, 2, name -> Thread.currentThread().getName().equals("replay-ahead"));
        try (CommitLog log = LocalCommitLog.open(disk, CONFIG, () -> {})) {
            assertThat(LogFixture.replay(log)).isEqualTo(ALL);
            assertThat(LogFixture.replay(log)).isEqualTo(ALL);
        }
    }
}
