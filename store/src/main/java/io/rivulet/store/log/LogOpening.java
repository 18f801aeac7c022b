package io.rivulet.store.log;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the end of a log: tells a write that a crash cut short from damage to something that was durable.
 *
 * <p>Both look the same where they are: no valid group at some lsn {@code e}. What tells them apart is whether anything
 * says that the log was once durable beyond {@code e}:
 * <ul>
 *   <li>the state file, whose {@code durableLsn} was forced before it was written, says so; or
 *   <li>a valid group behind {@code e} says so: its {@code forcedLsn} is greater than {@code e}. The search for one goes
 *       through every byte from {@code e} to the end of the last segment.
 * </ul>
 * Then something durable is gone, and the log refuses to open. Otherwise {@code e} is where writes were in flight when
 * the crash came. Nothing at or behind it was ever acknowledged, whole groups behind it included: the disk is free to
 * write the later of two unforced groups first. All of that is dropped.
 *
 * <p>What was dropped is still on the disk, and must never come back. What lies at {@code e} loses its header. The next
 * epoch writes there; what lies behind that is of an older epoch than the group in front of it, and {@link LogGroupWalker}
 * stops there. So do frames that a segment still holds from an earlier use: they say a different lsn.
 *
 * <p>What this can't see: damage to the last groups after a crash, as long as no later group is valid, looks like a write
 * cut short. After a clean close it is seen, for then the state names the end. Segments before the one that held {@code
 * forcedLsn} are not read at opening; their damage shows when they are replayed or read.
 */
final class LogOpening {
    private static final Logger LOG = LoggerFactory.getLogger(LogOpening.class);

    private final Disk disk;
    private final LogState state;
    private final List<Segment> row;
    private final LogGroupWalker walker;
    /** 0 of a log without segments: there is nothing to settle. */
    private long endLsn;

    private long lastForcedLsn;

    LogOpening(Disk disk, LogState state, List<Segment> row) {
        this.disk = disk;
        this.state = state;
        this.row = row;
        this.walker = new LogGroupWalker(row, state.storeId(), state.epoch());
    }

    /** Where the log ends. Changes nothing. */
    long findEnd() throws IOException {
        if (row.isEmpty()) {
            requireUnused(disk, state);
            return SegmentLayout.HEADER_BYTES;
        }
        Segment start = whereToStart();
        walker.seek(start.firstLsn());
        while ((!state.clean() || walker.endLsn() < state.durableLsn()) && walker.next()) {
            lastForcedLsn = walker.forcedLsn();
        }
        long end = walker.endLsn();
        if (end < state.durableLsn()) {
            String why = ", yet everything up to lsn " + Long.toHexString(state.durableLsn()) + " was durable";
            throw walker.segment().damaged(end, walker.problem() + why);
        }
        if (state.clean()) {
            refuseIfGoesOn(end);
        } else {
            refuseIfDurableBeyond(end);
        }
        endLsn = end;
        return end;
    }

    /** A log without segments is new, or all of them are lost: the first one is made before the first snapshot. */
    static void requireUnused(Disk disk, LogState state) throws IOException {
        boolean hasSnapshots = !new SnapshotFiles(disk, state.storeId()).list().isEmpty();
        if (hasSnapshots || state.durableLsn() > SegmentLayout.HEADER_BYTES) {
            throw new DamagedLogException(disk.describe(), 0, "all segments are missing");
        }
    }

    /** A log that was closed in good order ends where its state says: with a group of a later epoch there, the state is an old copy. */
    private void refuseIfGoesOn(long end) throws IOException {
        for (Segment segment : row) {
            long lsn = Math.max(end, segment.firstLsn());
            if (end <= segment.limitLsn() && walker.check(segment, lsn) == null && walker.epoch() > state.epoch()) {
                throw new DamagedLogException(
                        LogState.NAME,
                        0,
                        "it is older than the log: it says that the log ended at lsn " + Long.toHexString(end)
                                + ", where a group of epoch " + walker.epoch() + " is");
            }
        }
    }

    /**
     * The last segment that starts with a group known to be durable, and behind which nothing is: what is before it need not
     * be looked at. Its first group gives the walk an epoch to start from, so it must not be one that was once dropped. The
     * first segment of all will do: nothing is trimmed unless the first group of what stays is durable.
     */
    private Segment whereToStart() throws IOException {
        long knownForced = state.durableLsn();
        long lastFirstLsn = row.get(0).firstLsn();
        for (int i = row.size() - 1; i >= 0; i--) {
            Segment segment = row.get(i);
            if (walker.check(segment, segment.firstLsn()) == null) {
                knownForced = Math.max(knownForced, walker.forcedLsn());
                lastFirstLsn = segment.firstLsn();
                break;
            }
        }
        Segment start = row.get(0);
        for (Segment segment : row) {
            boolean startsDurable = segment.firstLsn() < knownForced && segment.firstLsn() <= lastFirstLsn;
            start = startsDurable ? segment : start;
        }
        return start;
    }

    /** Groups in front of this one are not looked at. The log has segments. */
    long walkedFromLsn() throws IOException {
        return whereToStart().firstLsn();
    }

    private void refuseIfDurableBeyond(long end) throws IOException {
        String problem = walker.problem();
        Segment endSegment = walker.segment();
        LaterGroupSearch later = new LaterGroupSearch(row, walker);
        int dropped = 0;
        long lsn = end;
        while ((lsn = later.next(lsn)) != LogGroupLayout.NO_LSN) {
            if (walker.forcedLsn() > end) {
                String what = problem + ", yet the group at lsn " + Long.toHexString(lsn)
                        + " says that the log was durable up to lsn " + Long.toHexString(walker.forcedLsn());
                throw endSegment.damaged(end, what);
            }
            if (walker.epoch() > state.epoch()) {
                throw new DamagedLogException(
                        LogState.NAME, 0, "it is older than the log, which has reached epoch " + walker.epoch());
            }
            dropped++;
            lsn += walker.length();
        }
        if (dropped > 0) {
            LOG.info("Dropped {} whole groups behind lsn {}: never acknowledged.", dropped, Long.toHexString(end));
        }
    }

    /**
     * Forces what is not known to be on the disk, so that it may be shown to anyone. It is written once more for that: if a
     * force failed before, the operating system may hold these bytes in memory, call them clean, and let a force of nothing
     * succeed.
     */
    void writeAgain() throws IOException {
        if (endLsn == 0 || state.clean()) {
            return;
        }
        long fromLsn = Math.max(state.durableLsn(), lastForcedLsn);
        ByteBuffer chunk = ByteBuffer.allocateDirect(SegmentLayout.HEADER_BYTES << 4);
        for (Segment segment : row) {
            long lsn = Math.max(fromLsn, segment.firstLsn());
            long limit = Math.min(endLsn, segment.limitLsn());
            if (lsn >= limit) {
                continue;
            }
            try (DiskFile file = disk.open(segment.name())) {
                for (; lsn < limit; lsn += chunk.limit()) {
                    chunk.clear().limit((int) Math.min(chunk.capacity(), limit - lsn));
                    segment.read(lsn, chunk);
                    file.write(segment.address(lsn), chunk.flip());
                }
                file.force();
            }
        }
    }

    /**
     * Clears the header of what may lie where the next group goes, at the end or at the start of the next segment. It is of
     * an epoch that the group in front of it would let pass, and may lack no more than a few bytes: those with which the next
     * group begins, if that is as long. A second crash, in the middle of that group's write, would make it whole.
     */
    void shutOutTornGroups() throws IOException {
        if (endLsn == 0 || state.clean()) {
            return;
        }
        for (Segment segment : row) {
            if (endLsn < segment.limitLsn() && disk.exists(segment.name())) {
                clearHeader(segment, Math.max(endLsn, segment.firstLsn()));
            }
        }
    }

    private void clearHeader(Segment segment, long lsn) throws IOException {
        int lengthBytes = (int) Math.min(LogGroupLayout.HEADER_BYTES, segment.limitLsn() - lsn);
        try (DiskFile file = disk.open(segment.name())) {
            file.write(segment.address(lsn), ByteBuffer.allocateDirect(lengthBytes));
            file.force();
        }
    }
}
