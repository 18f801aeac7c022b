package io.rivulet.store.log;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SegmentPreparationTest {
    private static final LogConfig LARGE =
            LogConfig.DEFAULT.withGroups(1, 512 << 10).withSegmentBytes(2 << 20);

    private final CrashDisk crashDisk = new CrashDisk();
    private final FaultyDisk disk = new FaultyDisk(crashDisk);

    private LocalCommitLog open(LogConfig config) throws IOException {
        return LocalCommitLog.open(disk, config, () -> {}, new InlineWorkers());
    }

    private long segments() {
        return crashDisk.list().stream().filter(SegmentLayout::isSegment).count();
    }

    @Test
    void anIdleLogHasOneSegment() throws Exception {
        appendOnly(open(LogFixture.SMALL), 1, 100);

        assertThat(segments()).isEqualTo(1);
    }

    @Test
    void theNextSegmentIsThereBeforeItIsNeeded() throws Exception {
        LocalCommitLog log = open(LogFixture.SMALL);
        appendOnly(log, 1, 4000);
        appendOnly(log, 2, 4000);

        assertThat(segments()).isEqualTo(2);
    }

    @Test
    void segmentsForSmallGroupsAreFilledSoThatForcesAreShort() throws Exception {
        LocalCommitLog log = open(LogFixture.SMALL);
        long extended = disk.count(Op.EXTEND);
        for (int number = 0; number < 30; number++) {
            appendOnly(log, number, 4000);
        }

        assertThat(disk.count(Op.EXTEND)).isEqualTo(extended);
    }

    @Test
    void segmentsForLargeGroupsAreWrittenOnceOnly() throws Exception {
        LocalCommitLog log = open(LARGE);
        for (int number = 0; number < 12; number++) {
            appendOnly(log, number, 500_000);
        }

        assertThat(disk.count(Op.EXTEND)).isEqualTo(segments());
    }

    @Test
    void trimmedSegmentsAreUsedAgain() throws Exception {
        LocalCommitLog log = open(LogFixture.SMALL);
        for (int number = 0; number < 30; number++) {
            log.trimBefore(appendOnly(log, number, 4000));
        }
        long created = disk.count(Op.CREATE);
        for (int number = 0; number < 100; number++) {
            log.trimBefore(appendOnly(log, number, 4000));
        }

        assertThat(disk.count(Op.CREATE)).isEqualTo(created);
    }
}
