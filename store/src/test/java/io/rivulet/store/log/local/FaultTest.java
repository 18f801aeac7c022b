package io.rivulet.store.log.local;

import static io.rivulet.store.log.LogFixture.appendOnly;
import static io.rivulet.store.log.LogFixture.replay;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.DirectIoRefusedException;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.AppendOutcome;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogFixture;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.log.LogGroupLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log with a disk that has faults. */
@Timeout(600)
class FaultTest {
    private final CrashDisk crashDisk = new CrashDisk();
    private final FaultyDisk disk = new FaultyDisk(crashDisk);
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final LocalCommitLog log = open(disk);

    FaultTest() throws IOException {}

    private LocalCommitLog open(Disk from) throws IOException {
        return LocalCommitLog.open(from, SmallLog.CONFIG, wakeUps::incrementAndGet, new InlineWorkers());
    }

    private AppendException refused(long number) {
        AppendException refusal = catchThrowableOfType(AppendException.class, () -> appendOnly(log, number, 700));
        assertThat(refusal).isNotNull();
        return refusal;
    }

    private Throwable failure() {
        Throwable failure = log.failure();
        if (failure == null) {
            throw new AssertionError("the log has not failed");
        }
        return failure;
    }

    @Test
    void aFailedWriteIsUnknownAndFinal() throws Exception {
        disk.shortWriteNth(1, 300);

        assertThat(refused(1).reason()).isEqualTo(AppendException.Reason.WRITE_FAILED);
        AppendException later = refused(2);
        assertThat(later.reason()).isEqualTo(AppendException.Reason.LOG_FAILED);
        assertThat(later).hasCause(failure()).hasMessageContaining("WRITE failed, on order");
    }

    @Test
    void aFailedForceIsFinalAndNeverRetried() throws Exception {
        appendOnly(log, 0, 700);
        disk.failNth(Op.FORCE, 1);
        long lsn = appendOnly(log, 1, 700);
        long forces = disk.count(Op.FORCE);

        assertThat(LogFixture.outcome(log, lsn)).isEqualTo(AppendOutcome.UNKNOWN);
        assertThat(refused(2).reason()).isEqualTo(AppendException.Reason.LOG_FAILED);
        assertThatThrownBy(log::force).hasCause(failure());
        log.close();
        assertThat(disk.count(Op.FORCE)).isEqualTo(forces);
    }

    @Test
    void aFailedForceWakesTheWriter() throws Exception {
        disk.failNth(Op.FORCE, 1);
        int before = wakeUps.get();
        appendOnly(log, 1, 700);

        assertThat(wakeUps.get()).isGreaterThan(before);
        assertThat(failure()).hasMessage("FORCE failed, on order");
    }

    @Test
    void aFailedForceIsNoticedByThreadsThatWait() throws Exception {
        LogFixture fixture = new LogFixture();
        FaultyDisk own = new FaultyDisk(new CrashDisk());
        LocalCommitLog threaded = LocalCommitLog.open(own, SmallLog.CONFIG, fixture);
        own.failNth(Op.FORCE, 1, SegmentLayout::isSegment);
        long lsn = appendOnly(threaded, 1, 700);

        fixture.awaitDurable(threaded, lsn);
        assertThat(LogFixture.outcome(threaded, lsn)).isEqualTo(AppendOutcome.UNKNOWN);
        assertThatThrownBy(threaded::force).isInstanceOf(IOException.class);
        threaded.close();
    }

    @Test
    void theFirstFailureIsTheOneThatIsReported() throws Exception {
        disk.failNth(Op.FORCE, 1).failNth(Op.SYNC_DIRECTORY, 1);
        appendOnly(log, 1, 700);
        Throwable first = failure();
        refused(2);

        assertThat(failure()).isSameAs(first);
    }

    @Test
    void readsGoOnAfterAFailure() throws Exception {
        long lsn = appendOnly(log, 7, 700);
        disk.failNth(Op.FORCE, 1);
        appendOnly(log, 8, 700);

        assertThat(replay(log, lsn)).startsWith(7L);
    }

    @Test
    void whatAFailedForceLeftIsWrittenAgainBeforeItIsBelieved() throws Exception {
        disk.failNth(Op.FORCE, 1);
        appendOnly(log, 1, 700);
        log.close();
        int moment = crashDisk.traceLength();

        LocalCommitLog again = open(disk);

        assertThat(replay(again)).containsExactly(1L);
        assertThat(crashDisk.traceLength()).isGreaterThan(moment + 2);
        assertThat(replay(open(crashDisk.afterPowerCut(crashDisk.traceLength(), 5))))
                .containsExactly(1L);
    }

    @Test
    void aFullDiskRefusesTheGroupAndTheNextOneTakesItsPlace() throws Exception {
        appendOnly(log, 0, 700);
        long end = log.writtenLsn();
        disk.fullAtNthWrite(1, 600);

        AppendException refusal = refused(1);

        assertThat(refusal.reason()).isEqualTo(AppendException.Reason.DISK_FULL);
        assertThat(log.failure()).isNull();
        assertThat(appendOnly(log, 2, 100)).isEqualTo(end);
        assertThat(replay(log)).containsExactly(0L, 2L);
        assertThat(replay(open(crashDisk.afterKill()))).containsExactly(0L, 2L);
    }

    @Test
    void aGroupThatFoundNoSpaceIsMissingAfterACrashEvenIfItsBodyEndsInZeros() throws Exception {
        int length = LogGroupLayout.paddedLength(700, LogGroupLayout.MIN_ALIGNMENT_BYTES);
        for (int written = 0; written <= length - LogGroupLayout.CRC_BYTES; written++) {
            disk.fullAtNthWrite(1, written);
            LogGroup group = acquiredFrom(log);
            group.body().putLong(1).put(new byte[692]);

            assertThatThrownBy(() -> LogFixture.appendWritten(log, group)).isInstanceOf(AppendException.class);
            log.releaseGroup(group);
            assertThat(replay(open(crashDisk.afterKill())))
                    .as("written %d", written)
                    .isEmpty();
        }
    }

    @Test
    void aFullDiskAtTheEndOfASegmentLosesNothingAndAppendsContinueLater() throws Exception {
        List<Long> acknowledged = new ArrayList<>();
        AppendException refusal = null;
        for (long number = 0; refusal == null; number++) {
            try {
                fullUnlessSegmentHasRoom(number);
                appendOnly(log, number, 4000);
                acknowledged.add(number);
            } catch (AppendException e) {
                refusal = e;
            }
        }
        assertThat(refusal.reason()).isEqualTo(AppendException.Reason.DISK_FULL);
        assertThat(refused(500).reason()).isEqualTo(AppendException.Reason.DISK_FULL);
        assertThat(acknowledged).hasSizeGreaterThan(5);

        disk.full(false);
        appendOnly(log, 1000, 4000);
        acknowledged.add(1000L);
        assertThat(replay(log)).isEqualTo(acknowledged);
        assertThat(replay(open(crashDisk.afterKill()))).isEqualTo(acknowledged);
    }

    /** The blocks of a prepared segment are already allocated: only new segments need space. */
    private void fullUnlessSegmentHasRoom(long number) {
        disk.full(number >= 2 && log.writtenLsn() % SmallLog.CONFIG.segmentBytes() > 28_000);
    }

    @Test
    void aFullDiskOnTheWriteThreadWithdrawsTheGroupAndAllLaterOnesAlsoInLaterSegments() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-io");
        LocalCommitLog behind = LocalCommitLog.open(disk, SmallLog.CONFIG, wakeUps::incrementAndGet, workers);
        int wakeUpsBefore = wakeUps.get();
        List<LogGroup> groups = new ArrayList<>();
        for (long number = 0; number < 4; number++) {
            LogGroup group = acquiredFrom(behind);
            LogFixture.fill(group, number, 8000); // four of them take two segments
            behind.append(group);
            groups.add(group);
        }
        disk.fullAtNthWrite(2, 600);
        workers.runPending();
        assertThat(wakeUps.get()).isGreaterThan(wakeUpsBefore);

        assertThat(behind.withdrawRefused()).isTrue();

        assertThat(groups).extracting(LogGroup::isAppended).containsExactly(true, false, false, false);
        assertThat(behind.withdrawRefused()).isFalse();
        assertThat(behind.failure()).isNull();
        assertThat(behind.counters().refusedAppends()).isEqualTo(3);
        groups.forEach(behind::releaseGroup);
        workers.eager();
        List<Long> numbers = new ArrayList<>(List.of(0L));
        for (long number = 10; number < 20; number++) {
            appendOnly(behind, number, 8000);
            numbers.add(number);
        }
        assertThat(replay(behind)).isEqualTo(numbers);
        assertThat(replay(open(crashDisk.afterKill()))).isEqualTo(numbers);
    }

    @Test
    void aForceDoesNotWaitForAGroupThatTheDiskHasNoRoomFor() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-io");
        LocalCommitLog behind = LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, workers);
        LogGroup group = acquiredFrom(behind);
        LogFixture.fill(group, 1, 700);
        behind.append(group);
        disk.full(true);
        workers.eager();

        behind.force();

        assertThat(behind.writtenLsn()).isEqualTo(group.lsn());
        assertThat(behind.withdrawRefused()).isTrue();
        assertThat(group.isAppended()).isFalse();
    }

    @Test
    void nothingIsWrittenAfterAFailure() throws Exception {
        ManualWorkers workers = new ManualWorkers("log-io");
        LocalCommitLog behind = LocalCommitLog.open(disk, SmallLog.CONFIG, () -> {}, workers);
        for (long number = 0; number < 3; number++) {
            LogGroup group = acquiredFrom(behind);
            LogFixture.fill(group, number, 700);
            behind.append(group);
        }
        disk.failNth(Op.WRITE, 2);
        long writes = disk.count(Op.WRITE);

        workers.runPending();
        workers.eager();

        assertThat(behind.failure()).isNotNull();
        assertThat(disk.count(Op.WRITE)).isEqualTo(writes + 2);
        assertThatThrownBy(behind::force).isInstanceOf(IOException.class);
        assertThat(replay(behind)).containsExactly(0L);
    }

    private static LogGroup acquiredFrom(CommitLog from) {
        LogGroup group = from.acquireGroup();
        if (group == null) {
            throw new IllegalStateException("no group is free");
        }
        return group;
    }

    @Test
    void aFailedDirectorySyncIsFinal() throws Exception {
        disk.failNth(Op.SYNC_DIRECTORY, 1);
        long number = 0;
        AppendException refusal = null;
        while (refusal == null) {
            try {
                appendOnly(log, number++, 4000);
            } catch (AppendException e) {
                refusal = e;
            }
        }

        assertThat(refusal.reason()).isEqualTo(AppendException.Reason.LOG_FAILED);
        assertThat(failure()).hasMessage("SYNC_DIRECTORY failed, on order");
    }

    @Test
    void workThatBreaksIsAFailureToo() throws Exception {
        Disk breaking = new ForwardingDisk(new CrashDisk()) {
            @Override
            protected DiskFile file(DiskFile file) {
                return new ForwardingFile(file) {
                    @Override
                    public void force() throws IOException {
                        if (SegmentLayout.isSegment(name())) {
                            throw new IllegalStateException("broken");
                        }
                        super.force();
                    }
                };
            }
        };
        LocalCommitLog broken = open(breaking);
        appendOnly(broken, 1, 100);

        assertThat(broken.failure()).hasMessage("broken");
    }

    @Test
    void aFailedReadHarmsNothing() throws Exception {
        long lsn = appendOnly(log, 1, 700);
        for (long number = 2; number <= 5; number++) {
            appendOnly(log, number, 700); // so that no group in memory holds the first any more
        }
        disk.failNth(Op.READ, 1);

        assertThatThrownBy(() -> log.read(lsn, 0, 10, ByteBuffer.allocate(10))).hasMessage("READ failed, on order");
        assertThat(log.failure()).isNull();
        assertThat(replay(log)).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void aBadStretchOfTheDiskStopsTheReplayThere() throws Exception {
        appendOnly(log, 1, 700);
        disk.failReads(SegmentLayout.fileName(0), 4200, 4300);

        assertThatThrownBy(() -> replay(log)).hasMessage("READ failed, on order");
    }

    @Test
    void anOpeningThatFailsAnywhereLosesNothing() throws Exception {
        for (int number = 0; number < 30; number++) {
            appendOnly(log, number, 4000);
        }
        for (Op op : Op.values()) {
            boolean failed = true;
            for (int n = 1; failed; n++) {
                CrashDisk left = crashDisk.afterKill();
                failed = failsToOpen(new FaultyDisk(left).failNth(op, n));
                assertThat(replay(open(left))).as("%s %d", op, n).hasSize(30);
            }
        }
    }

    private boolean failsToOpen(Disk faulty) {
        try {
            LocalCommitLog opened = open(faulty);
            return opened.failure() != null;
        } catch (IOException e) {
            assertThat(e).isNotInstanceOf(DamagedLogException.class).hasMessageContaining("on order");
            return true;
        }
    }

    @Test
    void aFailedSnapshotLeavesTheOldOne() throws Exception {
        log.saveSnapshot("view", out -> out.write(ByteBuffer.wrap(new byte[] {1})));
        for (Op op : List.of(Op.CREATE, Op.WRITE, Op.FORCE, Op.RENAME)) {
            disk.failNth(op, 1);
            assertThatThrownBy(() -> log.saveSnapshot("view", out -> out.write(ByteBuffer.wrap(new byte[] {2}))))
                    .isInstanceOf(IOException.class);
            assertThat(log.loadSnapshot("view", in -> {
                        ByteBuffer one = ByteBuffer.allocate(1);
                        in.read(one);
                        assertThat(one.get(0)).isEqualTo((byte) 1);
                    }))
                    .isTrue();
        }
    }

    @Test
    void aFileSystemThatRefusesDirectIoIsReportedAndBufferedIoIsNamed() {
        Disk refusing = new ForwardingDisk(new CrashDisk()) {
            @Override
            public DiskFile create(String name, IoMode mode) throws IOException {
                if (mode == IoMode.DIRECT) {
                    throw new DirectIoRefusedException("/data", new UnsupportedOperationException());
                }
                return super.create(name, mode);
            }
        };

        assertThatThrownBy(() -> LocalCommitLog.open(
                        refusing, SmallLog.CONFIG.withIoMode(Disk.IoMode.DIRECT), () -> {}, new InlineWorkers()))
                .isInstanceOf(DirectIoRefusedException.class)
                .hasMessageContaining("/data")
                .hasMessageContaining("buffered");
    }
}
