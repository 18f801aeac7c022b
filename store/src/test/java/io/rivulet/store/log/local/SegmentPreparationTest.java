package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Cause;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.log.AppendException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SegmentPreparationTest {
    private static final LocalLogConfig LARGE =
            LocalLogConfig.DEFAULT.withGroups(1, 512 << 10).withSegmentBytes(2 << 20);

    private final CrashDisk crashDisk = new CrashDisk();
    private final FaultyDisk disk = new FaultyDisk(crashDisk);

    private LocalCommitLog open(LocalLogConfig config) throws IOException {
        return LocalCommitLog.open(disk, config, () -> {}, new InlineWorkers());
    }

    private long segments() {
        return crashDisk.list().stream().filter(SegmentLayout::isSegment).count();
    }

    @Test
    void anIdleLogHasOneSegment() throws Exception {
        appendOnly(open(SmallLog.CONFIG), 1, 100);

        assertThat(segments()).isEqualTo(1);
    }

    @Test
    void theNextSegmentIsThereBeforeItIsNeeded() throws Exception {
        LocalCommitLog log = open(SmallLog.CONFIG);
        appendOnly(log, 1, 4000);
        appendOnly(log, 2, 4000);

        assertThat(segments()).isEqualTo(2);
    }

    @Test
    void segmentsForSmallGroupsAreFilledSoThatForcesAreShort() throws Exception {
        LocalCommitLog log = open(SmallLog.CONFIG);
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
        LocalCommitLog log = open(SmallLog.CONFIG);
        for (int number = 0; number < 30; number++) {
            log.trimBefore(appendOnly(log, number, 4000));
        }
        long created = disk.count(Op.CREATE);
        for (int number = 0; number < 100; number++) {
            log.trimBefore(appendOnly(log, number, 4000));
        }

        assertThat(disk.count(Op.CREATE)).isEqualTo(created);
    }

    /** Segments are created, renamed, opened, disposed of and deleted meanwhile. */
    @ParameterizedTest
    @EnumSource(
            value = Op.class,
            names = {"CREATE", "OPEN", "RENAME", "DELETE", "WRITE", "EXTEND"})
    void aShortageAtAnyCallPasses(Op op) throws Exception {
        LocalCommitLog log = open(SmallLog.CONFIG);
        int appended = 0;
        for (int i = 0; i < 120; i++) {
            boolean isShort = i % 20 >= 10;
            disk.heal();
            if (isShort) {
                disk.fail(op, Cause.NO_DESCRIPTORS);
            }
            try {
                long lsn = appendOnly(log, appended, 4000);
                appended++;
                log.trimBefore(i % 3 == 0 ? lsn : 0);
            } catch (AppendException e) {
                assertThat(isShort).isTrue();
                assertThat(e.reason()).isEqualTo(AppendException.Reason.DISK_FULL);
            }
            assertThat(log.failure()).isNull();
        }
        disk.heal();
        log.close();

        assertThat(appended).isGreaterThanOrEqualTo(60);
        LocalCommitLog again = open(SmallLog.CONFIG);
        long[] last = new long[1];
        again.replay(again.firstLsn(), group -> last[0] = group.timestamp());
        assertThat(last[0]).isEqualTo(appended - 1);
        again.close();
    }
}
