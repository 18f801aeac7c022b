package io.rivulet.store.log.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.LogRanges;
import io.rivulet.store.log.TrimmedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Parts of bodies that are close together are read with one I/O. */
final class LogReadsTest {
    private static final int BODY_BYTES = 4000;
    private static final LocalLogConfig CONFIG =
            LocalLogConfig.DEFAULT.withGroups(2, 8192).withSegmentBytes(64 << 10);
    private static final int GROUPS = 40;

    private final LogFixture fixture = new LogFixture();
    private final FaultyDisk disk = new FaultyDisk(new CrashDisk());
    private final List<Long> lsns = new ArrayList<>();
    private final LogRanges ranges = new LogRanges(GROUPS);
    private final ByteBuffer target = ByteBuffer.allocate(1 << 20);
    private CommitLog log;

    @BeforeEach
    void open() throws Exception {
        log = LocalCommitLog.open(disk, CONFIG, fixture, new InlineWorkers());
        for (int i = 0; i < GROUPS; i++) {
            lsns.add(fixture.append(log, i, BODY_BYTES));
        }
    }

    @AfterEach
    void close() throws IOException {
        log.close();
    }

    @Test
    void neighboursAreReadByOneIo() throws Exception {
        addAll(0, 1, 2, 4);
        long before = disk.count(Op.READ);

        assertThat(log.read(ranges, target)).isEqualTo(4);

        assertThat(disk.count(Op.READ)).isEqualTo(before + 1);
        requireRead(0, 1, 2, 4);
    }

    @Test
    void rangesThatDoNotFitIntoTheTargetAreNotRead() throws Exception {
        addAll(0, 1, 2, 3);

        assertThat(log.read(ranges, ByteBuffer.allocate(3 * BODY_BYTES))).isEqualTo(2);
    }

    @Test
    void distantRangesAndThoseInTheNextSegmentAreNotReadTogether() throws Exception {
        int firstOfNext = firstOfSecondSegment();
        addAll(firstOfNext - 1, firstOfNext);
        assertThat(log.read(ranges, target)).isEqualTo(1);
        requireRead(firstOfNext - 1);

        ranges.clear();
        addAll(0, firstOfNext - 1);
        assertThat(log.read(ranges, target)).isEqualTo(2);
    }

    private int firstOfSecondSegment() {
        int first = 0;
        while (lsns.get(first) < CONFIG.segmentBytes()) {
            first++;
        }
        return first;
    }

    @Test
    void rangesOfOneGroupMayComeInAnyOrder() throws Exception {
        ranges.add(lsns.get(3), 1000, 500);
        ranges.add(lsns.get(3), 200, 500);

        assertThat(log.read(ranges, target)).isEqualTo(1);
        assertThat(target.slice(ranges.placeOf(0), 500))
                .isEqualTo(LogFixture.body(3, BODY_BYTES).slice(1000, 500));
    }

    @Test
    void whatAGroupStillHoldsIsReadWithoutTheDisk() throws Exception {
        addAll(GROUPS - 1);
        ranges.add(lsns.get(GROUPS - 1), 1, 1);
        long before = disk.count(Op.READ);

        assertThat(log.read(ranges, target)).isEqualTo(2);

        assertThat(disk.count(Op.READ)).isEqualTo(before);
        requireRead(GROUPS - 1);
    }

    @Test
    void aBadSectorFailsOnlyReadsThatNeedIt() throws Exception {
        addAll(0, 1, 2);
        long badFrom = lsns.get(2) + LogGroupLayout.HEADER_BYTES + 100;
        disk.failReads(segmentName(), badFrom, badFrom + 10);

        assertThat(log.read(ranges, target)).isEqualTo(1);
        requireRead(0);

        ranges.clear();
        addAll(2);
        assertThatThrownBy(() -> log.read(ranges, target)).isInstanceOf(IOException.class);
    }

    private String segmentName() throws IOException {
        return disk.list().stream().filter(SegmentLayout::isSegment).findFirst().orElseThrow();
    }

    @Test
    void readsOfTrimmedAndOfUnwrittenGroupsFail() throws Exception {
        log.trimBefore(lsns.get(GROUPS - 1));
        addAll(0, GROUPS - 1);
        assertThatThrownBy(() -> log.read(ranges, target)).isInstanceOf(TrimmedException.class);

        ranges.clear();
        ranges.add(lsns.get(GROUPS - 1), BODY_BYTES, 100_000);
        assertThatThrownBy(() -> log.read(ranges, target)).isInstanceOf(IllegalArgumentException.class);
    }

    private void addAll(int... groups) {
        for (int group : groups) {
            ranges.add(lsns.get(group), 10, BODY_BYTES - 10);
        }
    }

    private void requireRead(int... groups) {
        for (int i = 0; i < groups.length; i++) {
            assertThat(target.slice(ranges.placeOf(i), BODY_BYTES - 10))
                    .isEqualTo(LogFixture.body(groups[i], BODY_BYTES).slice(10, BODY_BYTES - 10));
        }
    }
}
