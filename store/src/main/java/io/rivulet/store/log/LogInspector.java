package io.rivulet.store.log;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a log that may be damaged and tells what is whole and what is wrong where. Changes nothing, goes on behind
 * damage, and needs no open log. Not thread-safe.
 */
public final class LogInspector {
    /** Before this byte of a segment is its header. */
    public static final int FIRST_GROUP_AT = SegmentLayout.HEADER_BYTES;

    /** What there is to see, in the order of the log. */
    public interface Visitor {
        /** The log's own notes; {@code clean} says that it was closed in good order. */
        void state(long storeId, long epoch, long durableLsn, boolean clean);

        void segment(String file, long baseLsn, long segmentBytes);

        /** From this segment on, an opening walks over all groups to the log's end, and refuses when one is damaged. */
        void walkedFrom(long lsn);

        /** A whole group; the view is good during the call only. */
        void group(String file, long address, LogGroupView group);

        /** Something that was durable is missing or altered from this byte on. */
        void problem(String file, long address, String what);

        /** Where the log ends, and what is found there instead of a group. */
        void end(String file, long address, long lsn, String what);
    }

    /** The names of the snapshots in a log that is not open. */
    public static List<String> snapshots(Disk disk) throws IOException {
        return new SnapshotFiles(disk, 0).list();
    }

    /**
     * Reads a snapshot of a log that is not open; every byte is verified before the reader sees it.
     *
     * @throws DamagedLogException when it is not what was saved
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

    /** @throws IOException when the disk can't be read; damage goes to the visitor */
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
                visitor.walkedFrom(new LogOpening(disk, state, runs.get(runs.size() - 1)).walkedFromLsn());
            }
            if (state != null && row.isEmpty()) {
                inspectWithoutSegments(state);
            }
            for (List<Segment> run : runs) {
                walk(run, state);
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

    private void walk(List<Segment> run, @Nullable LogState state) throws IOException {
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
                return;
            }
            visitor.problem(
                    segment.name(),
                    segment.address(endLsn),
                    what + "; the next whole group is at lsn " + Long.toHexString(laterLsn));
            walker.seek(laterLsn);
        }
    }

    /** The next whole group that knows the log to have been durable beyond {@code endLsn}: so what is there is damage. */
    private static long durableBehind(long endLsn, List<Segment> run, LogGroupWalker walker) throws IOException {
        LaterGroupSearch later = new LaterGroupSearch(run, walker);
        long lsn = later.next(endLsn);
        while (lsn != LogGroupLayout.NO_LSN && walker.forcedLsn() <= endLsn) {
            lsn = later.next(lsn + walker.length());
        }
        return lsn;
    }
}
