package io.rivulet.store.log.local;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.DamagedLogException;
import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.SnapshotFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the end of a log. Distinguishes a write that a crash interrupted from damage to durable data.
 *
 * <p>Both look the same: there is no valid group at some lsn {@code e}. It is damage if there is evidence that the log
 * was once durable beyond {@code e}:
 * <ul>
 * <li>the {@code durableLsn} of the state file, which was forced before the state was written, is greater than {@code
 * e}; or
 * <li>a valid group after {@code e} has a {@code forcedLsn} greater than {@code e}. The search for one reads every byte
 * from {@code e} to the end of the last segment.
 * </ul> Then durable data is lost, and the log refuses to open. Otherwise {@code e} is where writes were in flight at
 * the crash. Nothing at or after it was ever acknowledged, including whole groups: the disk may write the later of two
 * unforced groups first. All of it is dropped.
 *
 * <p>Dropped groups are still on the disk and must never reappear. The header at {@code e} is cleared. The next epoch
 * writes there. Groups after that are of an older epoch than the group before them, and {@link LogGroupWalker} stops
 * there. It also stops at groups of an earlier use of the segment, because their lsn differs.
 *
 * <p>Not detected: damage to the last groups after a crash, if no later group is valid. It looks like an interrupted
 * write. After a clean close it is detected, because then the state has the end. Segments before the one with {@code
 * forcedLsn} are not read at opening; their damage is found when they are replayed or read.
 */
final class LogOpening {
    private static final Logger LOG = LoggerFactory.getLogger(LogOpening.class);

    private final Disk disk;
    private final LogState state;
    private final List<Segment> row;
    private final LogGroupWalker walker;
    /** 0 for a log without segments: then there is nothing to settle. */
    private long endLsn;

    private long lastForcedLsn;
    private long walkedFromLsn = Long.MAX_VALUE;

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
        Segment start = startOfWalk();
        walkedFromLsn = start.baseLsn();
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
            refuseIfLogContinues(end);
        } else {
            refuseIfDurableBeyond(end);
        }
        endLsn = end;
        return end;
    }

    /** A log without segments is new, or all of them are lost: the first one is created before the first snapshot. */
    static void requireUnused(Disk disk, LogState state) throws IOException {
        boolean hasSnapshots = !new SnapshotFiles(disk, state.storeId()).list().isEmpty();
        if (hasSnapshots || state.durableLsn() > SegmentLayout.HEADER_BYTES) {
            throw new DamagedLogException(disk.describe(), 0, "all segments are missing");
        }
    }

    /**
     * A log that was closed normally ends where its state says. If a group of a later epoch is there, the state is an
     * old copy.
     */
    private void refuseIfLogContinues(long end) throws IOException {
        for (Segment segment : row) {
            long lsn = Math.max(end, segment.firstLsn());
            if (end <= segment.limitLsn() && walker.check(segment, lsn) == null && walker.epoch() > state.epoch()) {
                throw new DamagedLogException(
                        LogState.NAME,
                        0,
                        "it is older than the log: it ends the log at lsn " + Long.toHexString(end)
                                + ", where a group of epoch " + walker.epoch() + " is");
            }
        }
    }

    /**
     * Where the walk starts: at the last segment whose first group is valid and known to be durable. Earlier segments
     * need no check. The walk gets its lowest epoch from this group, so it must not be one that was dropped. Without
     * such a segment the walk starts at the first one: after a trim, the first remaining group is always durable.
     */
    private Segment startOfWalk() throws IOException {
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

    /** Groups before this one are not checked. The log has segments. */
    long firstToWalk() throws IOException {
        return startOfWalk().firstLsn();
    }

    /** From here on {@link #findEnd()} has read the log. */
    long walkedFromLsn() {
        return walkedFromLsn;
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
                        + " proves that the log was durable up to lsn " + Long.toHexString(walker.forcedLsn());
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
            LOG.info("Dropped {} whole groups after lsn {}: never acknowledged.", dropped, Long.toHexString(end));
        }
    }

    /**
     * Forces what is not known to be on the disk, so that readers may get it. Writes it again before that: if a force
     * failed before, the operating system may keep these bytes in memory as clean, and a force without dirty bytes
     * would succeed.
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
     * Clears the header where the next group will go: at the end or at the start of the next segment. An old group
     * there may have an acceptable epoch and may lack only a few bytes, with which a new group of the same length
     * begins. A second crash in the middle of writing that group would complete the old one.
     */
    void clearTornGroups() throws IOException {
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
