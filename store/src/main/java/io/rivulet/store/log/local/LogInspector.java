package io.rivulet.store.log.local;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.LogGroupView;
import io.rivulet.store.log.SnapshotFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log that may be damaged, and reports its groups and every problem. Changes nothing, continues after damage,
 * and needs no open log. Not thread-safe.
 */
public final class LogInspector {
    /** The header of a segment ends before this byte. */
    public static final int FIRST_GROUP_AT = SegmentLayout.HEADER_BYTES;

    /** Receives the content in log order. */
    public interface Visitor {
        /** The state file of the log; {@code clean} if the log was closed normally. */
        void state(long storeId, long epoch, long durableLsn, boolean clean);

        void segment(String file, long baseLsn, long segmentBytes);

        /** An opening reads all groups from this segment to the end of the log, and refuses a damaged one. */
        void walkedFrom(long lsn);

        /** A valid group; the view is valid during the call only. */
        void group(String file, long address, LogGroupView group);

        /** Durable data is missing or altered, beginning at this byte. */
        void problem(String file, long address, String what);

        /**
         * Groups are damaged.
         *
         * @param untilLsn where they end
         */
        default void damage(String file, long address, long untilLsn, String what) {
            problem(file, address, what);
        }

        /** Where the log ends, and why there is no further group. */
        void end(String file, long address, long lsn, String what);
    }

    /** The names of the snapshots in a log that is not open. */
    public static List<String> snapshots(Disk disk) throws IOException {
        return new SnapshotFiles(disk, 0).list();
    }

    /**
     * Reads a snapshot of a log that is not open; every byte is verified before the reader gets it.
     *
     * @throws DamagedLogException if the snapshot is damaged
     */
    public static boolean loadSnapshot(Disk disk, long storeId, String name, CommitLog.SnapshotReader reader)
            throws IOException {
        return new SnapshotFiles(disk, storeId).load(name, reader);
    }

    private final Disk disk;
    private final Visitor visitor;

    private LogInspector(Disk disk, Visitor visitor) {
        this.disk = disk;
        this.visitor = visitor;
    }

    /** @throws IOException if the disk can't be read; damage is reported to the visitor */
    public static void inspect(Disk disk, Visitor visitor) throws IOException {
        new LogInspector(disk, visitor).inspect();
    }

    private void inspect() throws IOException {
        LogState state = state();
        List<Segment> row = new ArrayList<>();
        try {
            openSegments(row, state);
            List<List<Segment>> runs = runsWithoutGaps(row);
            if (state != null && !runs.isEmpty()) {
                visitor.walkedFrom(new LogOpening(disk, state, runs.get(runs.size() - 1)).firstToWalk());
            }
            if (state != null && row.isEmpty()) {
                inspectWithoutSegments(state);
            }
            long endLsn = LogGroupLayout.NO_LSN;
            for (List<Segment> run : runs) {
                endLsn = walk(run, state);
            }
            if (state != null && !runs.isEmpty() && endLsn < state.durableLsn()) {
                List<Segment> last = runs.get(runs.size() - 1);
                visitor.problem(
                        last.get(last.size() - 1).name(),
                        FIRST_GROUP_AT,
                        "the log ends at lsn " + Long.toHexString(endLsn) + ", yet everything up to lsn "
                                + Long.toHexString(state.durableLsn()) + " was durable");
            }
        } finally {
            SegmentFiles.closeAll(row);
        }
    }

    private void inspectWithoutSegments(LogState state) throws IOException {
        try {
            LogOpening.requireUnused(disk, state);
        } catch (DamagedLogException e) {
            visitor.problem(e.file(), e.address(), e.what());
        }
    }

    private @Nullable LogState state() throws IOException {
        try {
            LogState state = LogState.load(disk);
            if (state == null) {
                visitor.problem(LogState.NAME, 0, "the file is missing");
                return null;
            }
            visitor.state(state.storeId(), state.epoch(), state.durableLsn(), state.clean());
            return state;
        } catch (DamagedLogException e) {
            visitor.problem(e.file(), e.address(), e.what());
            return null;
        } catch (IOException e) {
            visitor.problem(LogState.NAME, 0, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void openSegments(List<Segment> row, @Nullable LogState state) throws IOException {
        for (String name : disk.list()) {
            if (!SegmentLayout.isSegment(name)) {
                continue;
            }
            DiskFile file = disk.open(name);
            try {
                SegmentLayout.Header header = SegmentLayout.read(file);
                if (state != null && header.storeId() != state.storeId()) {
                    visitor.problem(name, SegmentLayout.STORE_ID_AT, "the segment belongs to another store");
                }
                visitor.segment(name, header.baseLsn(), header.segmentBytes());
                row.add(new Segment(file, header, () -> {}));
            } catch (DamagedLogException e) {
                visitor.problem(e.file(), e.address(), e.what());
                file.close();
            }
        }
    }

    private List<List<Segment>> runsWithoutGaps(List<Segment> row) {
        List<List<Segment>> runs = new ArrayList<>();
        long expectedBaseLsn = LogGroupLayout.NO_LSN;
        for (Segment segment : row) {
            if (segment.baseLsn() != expectedBaseLsn) {
                if (!runs.isEmpty()) {
                    visitor.problem(segment.name(), 0, "the segment before it is missing or damaged");
                }
                runs.add(new ArrayList<>());
            }
            runs.get(runs.size() - 1).add(segment);
            expectedBaseLsn = segment.limitLsn();
        }
        return runs;
    }

    /** Returns the end of the last group. */
    private long walk(List<Segment> run, @Nullable LogState state) throws IOException {
        long storeId = state != null
                ? state.storeId()
                : SegmentLayout.read(run.get(0).file()).storeId();
        LogGroupWalker walker = new LogGroupWalker(run, storeId, state != null ? state.epoch() : Long.MAX_VALUE);
        walker.seek(run.get(0).firstLsn());
        while (true) {
            while (walker.next()) {
                Segment segment = walker.segment();
                visitor.group(segment.name(), segment.address(walker.lsn()), walker.view());
            }
            Segment segment = walker.segment();
            long endLsn = walker.endLsn();
            String what = walker.problem();
            long laterLsn = durableBehind(endLsn, run, walker);
            if (laterLsn == LogGroupLayout.NO_LSN) {
                visitor.end(segment.name(), segment.address(endLsn), endLsn, what);
                return endLsn;
            }
            visitor.damage(
                    segment.name(),
                    segment.address(endLsn),
                    walker.previousEndLsn(),
                    what + "; the next valid group is at lsn " + Long.toHexString(laterLsn));
            walker.seek(laterLsn);
        }
    }

    /**
     * The next valid group whose {@code forcedLsn} is greater than {@code endLsn}: then the place at {@code endLsn} is
     * damaged.
     */
    private static long durableBehind(long endLsn, List<Segment> run, LogGroupWalker walker) throws IOException {
        LaterGroupSearch later = new LaterGroupSearch(run, walker);
        long lsn = later.next(endLsn);
        while (lsn != LogGroupLayout.NO_LSN && walker.forcedLsn() <= endLsn) {
            lsn = later.next(lsn + walker.length());
        }
        return lsn;
    }
}
