package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static io.rivulet.store.log.LogFixture.replay;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.simulation.TappedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A last group that a crash has interrupted is dropped completely, wherever it was interrupted. */
class TornTailTest {
    private static final int GROUPS = 4;
    private static final int BODY_BYTES = 200;

    private final CrashDisk disk = new CrashDisk();
    private String file = "";
    private int lastAddress;
    private int lastLength;

    private static LocalCommitLog open(CrashDisk disk) throws IOException {
        return LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, new InlineWorkers());
    }

    /** Appends groups 0 to 4 and leaves the log as a kill does. */
    private void appendFiveGroups() throws Exception {
        LocalCommitLog log = open(disk);
        long lsn = 0;
        for (int number = 0; number <= GROUPS; number++) {
            lsn = appendOnly(log, number, BODY_BYTES);
        }
        file = SegmentLayout.fileName(0);
        lastAddress = (int) lsn;
        lastLength = (int) (log.writtenLsn() - lsn);
    }

    private void assertDroppedWhole(CrashDisk torn, String how) throws Exception {
        LocalCommitLog log = open(torn);
        assertThat(replay(log)).as(how).containsExactly(0L, 1L, 2L, 3L);
        appendOnly(log, 100, BODY_BYTES);
        assertThat(replay(open(torn.afterKill()))).as(how).containsExactly(0L, 1L, 2L, 3L, 100L);
    }

    @Test
    void aTornGroupIsDroppedWhole() throws Exception {
        appendFiveGroups();
        for (int cut = 0; cut < lastLength; cut++) {
            byte[] lost = new byte[lastLength - cut];
            int from = lastAddress + cut;
            if (Arrays.equals(lost, Arrays.copyOfRange(disk.content(file), from, from + lost.length))) {
                break; // the checksum ends with zeros by chance, so nothing is torn
            }
            CrashDisk torn = disk.afterKill();
            torn.alter(file, from, lost);

            assertDroppedWhole(torn, "cut at " + cut);
        }
    }

    @Test
    void aTornGroupOverOldBytesIsDroppedWhole() throws Exception {
        appendFiveGroups();
        byte[] old = new byte[lastLength];
        new SplittableRandom(42).nextBytes(old);
        for (int cut = 0; cut < lastLength; cut++) {
            CrashDisk torn = disk.afterKill();
            old[0] = (byte) ~disk.content(file)[lastAddress + cut]; // else what was written may be there by chance
            torn.alter(file, lastAddress + cut, Arrays.copyOf(old, lastLength - cut));

            assertDroppedWhole(torn, "cut at " + cut);
        }
    }

    @Test
    void aGroupOfWhichOnlyTheEndWasWrittenIsDropped() throws Exception {
        appendFiveGroups();
        for (int cut = 1; cut <= lastLength; cut++) {
            CrashDisk torn = disk.afterKill();
            torn.alter(file, lastAddress, new byte[cut]);

            assertDroppedWhole(torn, "without its first " + cut);
        }
    }

    @Test
    void aWholeGroupBehindATornOneIsDroppedWithItWhenNeitherWasDurable() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-force");
        LocalCommitLog log = LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, workers);
        appendOnly(log, 0, BODY_BYTES);
        workers.runPending();
        long torn = appendOnly(log, 1, BODY_BYTES);
        appendOnly(log, 2, BODY_BYTES);
        CrashDisk left = disk.afterKill();
        left.flipBit(SegmentLayout.fileName(0), torn + 100, 0);

        assertThat(replay(open(left))).containsExactly(0L);
    }

    @Test
    void droppedGroupsNeverReappearWhenTheirPlaceIsReachedAgain() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-force");
        LocalCommitLog log = LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, workers);
        appendOnly(log, 0, BODY_BYTES);
        workers.runPending();
        long torn = appendOnly(log, 1, BODY_BYTES);
        appendOnly(log, 2, BODY_BYTES);
        CrashDisk left = disk.afterKill();
        left.flipBit(SegmentLayout.fileName(0), torn + 100, 0);

        long again = appendOnly(open(left), 11, BODY_BYTES);

        assertThat(again).isEqualTo(torn);
        assertThat(replay(open(left.afterKill()))).containsExactly(0L, 11L);
    }

    /** Found by {@link CrashSimulation}: the walk began after the group whose epoch excludes the old one. */
    @Test
    void groupsDroppedAtTheStartOfASegmentNeverReappearWhenTheEarlierOneIsFullAgain() throws Exception {
        int seventhOfASegment = bodyOf(4096);
        ManualWorkers workers = new ManualWorkers("log-force");
        LocalCommitLog log = LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, workers);
        for (int number = 0; number < 6; number++) {
            appendOnly(log, number, seventhOfASegment);
        }
        workers.runPending();
        long torn = appendOnly(log, 6, seventhOfASegment);
        appendOnly(log, 7, seventhOfASegment);
        CrashDisk left = disk.afterKill();
        left.flipBit(SegmentLayout.fileName(0), torn + 100, 0);
        appendOnly(open(left), 16, seventhOfASegment);

        for (int opening = 0; opening < 3; opening++) {
            left = left.afterKill();
            assertThat(replay(open(left))).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 16L);
        }
    }

    private static int bodyOf(int groupBytes) {
        return groupBytes - LogGroupLayout.HEADER_BYTES - LogGroupLayout.CRC_BYTES;
    }

    /** The next group did not fit into the place of the dropped one, so it is in the next segment. */
    @Test
    void aReplayFromThePlaceOfADroppedGroupGoesToTheNextSegment() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-force");
        LocalCommitLog log = LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, workers);
        for (int number = 0; number < 5; number++) {
            appendOnly(log, number, bodyOf(4096));
        }
        workers.runPending();
        long torn = appendOnly(log, 5, bodyOf(4096));
        long dropped = appendOnly(log, 6, bodyOf(4096));
        CrashDisk left = disk.afterKill();
        left.flipBit(SegmentLayout.fileName(0), torn + 100, 0);

        LocalCommitLog later = open(left);
        appendOnly(later, 15, bodyOf(4096));
        long from = later.durableLsn();
        appendOnly(later, 16, bodyOf(8192));

        assertThat(from).isEqualTo(dropped);
        assertThat(replay(later, from)).containsExactly(16L);
        assertThat(replay(open(left.afterKill()), from)).containsExactly(16L);
    }

    /** Found by {@link CrashSimulation}: two groups of the same length begin with the same bytes. */
    @Test
    void aDroppedGroupIsNotCompletedByTheTornBeginningOfTheNext() throws Exception {
        appendFiveGroups();
        byte[] beginning = Arrays.copyOfRange(disk.content(file), lastAddress, lastAddress + LogGroupLayout.LSN_AT);
        CrashDisk left = disk.afterKill();
        left.alter(file, lastAddress, new byte[beginning.length]);
        assertThat(replay(open(left))).containsExactly(0L, 1L, 2L, 3L);

        CrashDisk again = left.afterKill();
        again.alter(file, lastAddress, beginning);

        assertThat(replay(open(again))).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void framesOfARecycledSegmentNeverComeBack() throws Exception {
        LocalCommitLog log = open(disk);
        for (int number = 0; number < 200; number++) {
            log.trimBefore(appendOnly(log, number, BODY_BYTES));
        }
        long kept = log.firstLsn();
        int count = replay(log, kept).size();

        LocalCommitLog again = open(disk.afterKill());

        assertThat(replay(again, kept)).hasSize(count).endsWith(198L, 199L);
    }

    /** A reused segment is full of old groups, each of which may be the next one until it is checked. */
    @Test
    void oldGroupsBehindTheEndAreReadOnce() throws Exception {
        LocalLogConfig config = SmallLog.CONFIG.withSegmentBytes(256 << 10);
        LocalCommitLog log = LocalCommitLog.open(disk, config, () -> {}, new InlineWorkers());
        appendOnly(log, 0, BODY_BYTES);
        CrashDisk left = disk.afterKill();
        String used = SegmentLayout.fileName(0);
        byte[] magic =
                ByteBuffer.allocate(Integer.BYTES).putInt(LogGroupLayout.MAGIC).array();
        for (int at = (int) log.writtenLsn(); at < 256 << 10; at += LogGroupLayout.MIN_ALIGNMENT_BYTES) {
            left.alter(used, at, magic);
        }

        AtomicInteger ios = new AtomicInteger();
        LocalCommitLog again =
                LocalCommitLog.open(new TappedDisk(left, ios::incrementAndGet), config, () -> {}, new InlineWorkers());

        assertThat(replay(again)).containsExactly(0L);
        assertThat(ios).hasValueLessThan(100);
    }
}
