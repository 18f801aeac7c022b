package io.rivulet.broker.share;

import io.rivulet.broker.config.ShareGroupConfig;
import io.rivulet.broker.config.ShareOffsetReset;
import io.rivulet.broker.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pass does to the rows of its group: it claims some rows together, and later acquires together what it has read
 * of them. So the lock of the group is taken twice for many rows.
 *
 * <p>Owned by: the pass. Takes the lock of the group.
 */
final class GroupVisits {
    private static final int BEGUN_AT_ONCE = 4096;

    private final ShareGroups groups;
    private final ShareSession session;
    private final ShareOffsetReset.Kind reset;
    private final Limits limits;
    private final SharePass.Wanted wanted;
    private final List<RowImage> begun = new ArrayList<>();
    private @Nullable ShareGroup group;

    GroupVisits(ShareGroups groups, ShareSession session, ShareGroupConfig config, SharePass.Wanted wanted) {
        this.groups = groups;
        this.session = session;
        this.reset = config.offsetReset().kind();
        this.limits = ShareGroups.limits(config);
        this.wanted = wanted;
    }

    /**
     * Claims the rows that have something to acquire. A queue without a row gets one, if it is needed.
     *
     * @param mostRecords that one row may be read for
     */
    void claim(List<Visit> visits, long mostRecords) {
        ShareGroup here = findOrCreate(visits);
        group = here;
        if (here == null) {
            return;
        }
        int most = (int) Math.min(Integer.MAX_VALUE, mostRecords);
        synchronized (here) {
            for (Visit visit : visits) {
                if (visit.error == ErrorCode.NONE && visit.claim == null && hasRow(here, visit)) {
                    claim(here, visit, most);
                }
            }
        }
        if (begun.size() >= BEGUN_AT_ONCE) {
            appendBegun();
        }
    }

    /** A group is created for its first row. It needs memory, too. It may have been deleted since the pass began. */
    private @Nullable ShareGroup findOrCreate(List<Visit> visits) {
        ShareGroup known = groups.find(session.key.groupId());
        for (int i = 0; known == null && i < visits.size(); i++) {
            Visit visit = visits.get(i);
            if (visit.error == ErrorCode.NONE && needsRow(visit)) {
                boolean hasRoom = groups.memory().hasRoomFor(RowRuns.HEAP_BYTES);
                known = hasRoom ? groups.findOrCreateKnown(session.key.groupId()) : null;
                if (known == null) {
                    visit.error = hasRoom ? ErrorCode.UNKNOWN_SERVER_ERROR : ErrorCode.POLICY_VIOLATION;
                }
            }
        }
        return known;
    }

    /** With EARLIEST, a queue that has nothing yet needs no row. */
    private boolean needsRow(Visit visit) {
        return reset != ShareOffsetReset.Kind.EARLIEST || visit.logStart < visit.logEnd;
    }

    private boolean hasRow(ShareGroup here, Visit visit) {
        if (here.isClosing()) {
            return false;
        }
        if (here.startOffset(visit.queueId) != ShareGroup.NO_ROW) {
            return true;
        }
        if (!needsRow(visit)) {
            return false;
        }
        long start = switch (reset) {
            case EARLIEST -> visit.logStart;
            case LATEST -> visit.logEnd;
            case BY_DURATION -> visit.searchedStart;
        };
        if (!groups.memory().hasRoomFor(RowRuns.HEAP_BYTES)) {
            visit.error = ErrorCode.POLICY_VIOLATION; // before the search, which may be long
            return false;
        }
        visit.needsSearch = start == Visit.UNKNOWN;
        if (visit.needsSearch || !groups.store().exists(visit.queueId)) {
            return false;
        }
        if (!here.create(visit.queueId, start)) {
            visit.error = ErrorCode.POLICY_VIOLATION;
            return false;
        }
        if (reset != ShareOffsetReset.Kind.EARLIEST) {
            begun.add(new RowImage(visit.queueId, start, List.of()));
        }
        return true;
    }

    private void claim(ShareGroup here, Visit visit, int most) {
        if (groups.memory().hasRoomFor(RowRuns.HEAP_BYTES + Acquisition.BYTES_OF_SPAN)) {
            visit.claim = here.claim(
                    visit.queueId, visit.logStart, visit.readableEnd, most, limits, session.waiter, visit.slot);
            if (visit.claim != null) {
                visit.claim.runs().topicId =
                        session.partitions.topicOf(visit.slot).id();
            }
        } else {
            visit.error = ErrorCode.POLICY_VIOLATION;
        }
    }

    /** Acquires what was read, and ends the claims. Returns the number of records. */
    long acquire(List<Visit> visits, long mostRecords) {
        ShareGroup here = group;
        if (here == null) {
            return 0;
        }
        long records = 0;
        synchronized (here) {
            long deadline = groups.nanos() + limits.lockNanos();
            for (Visit visit : visits) {
                Claim claim = visit.claim;
                if (claim == null) {
                    continue;
                }
                if (visit.wasRead && visit.readUntil > claim.from()) {
                    long most = wanted.strict() ? mostRecords - records : Long.MAX_VALUE;
                    records += acquire(here, visit, claim, most, deadline);
                }
                visit.hasMore = here.unclaim(claim, visit.readableEnd, limits, session.waiter, visit.slot);
            }
            groups.watch(here);
        }
        return records;
    }

    private long acquire(ShareGroup here, Visit visit, Claim claim, long most, long deadline) {
        visit.acquired = here.acquire(
                claim, visit.spans, visit.readUntil, most, wanted.batchRecords(), wanted.member(), deadline);
        long records = 0;
        for (Acquired range : visit.acquired) {
            records += range.lastOffset() - range.firstOffset() + 1;
        }
        return records;
    }

    /** Ends the claims after a failure: nothing is acquired. */
    void unclaim(List<Visit> visits) {
        for (Visit visit : visits) {
            visit.wasRead = false;
        }
        acquire(visits, 0);
    }

    /** Takes back what was acquired. */
    void undo(List<SharePass.Found> found) {
        ShareGroup here = groups.find(session.key.groupId());
        if (here == null || found.isEmpty()) {
            return;
        }
        synchronized (here) {
            for (SharePass.Found one : found) {
                here.undo(one.queueId(), one.acquired(), wanted.member());
            }
        }
    }

    /** Appends where new rows begin. */
    void appendBegun() {
        ShareGroup here = groups.find(session.key.groupId());
        if (here != null && !begun.isEmpty()) {
            groups.appendBegun(here, begun);
        }
        begun.clear();
    }
}
