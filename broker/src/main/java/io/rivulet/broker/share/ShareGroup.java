package io.rivulet.broker.share;

import io.rivulet.broker.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one group, and what happens to their records. It has no threads, no clock and no log: callers append the
 * results to the log, and apply them with {@link #beginRow} when they are durable.
 *
 * <p>Guarded by its monitor, which callers hold.
 */
final class ShareGroup {
    private static final long FIXED_BYTES = 400;
    static final long NO_ROW = -1;

    private final String id;
    private final ShareMemory memory;
    private final ShareCounters counters;
    private final ShareRows rows = new ShareRows();
    private final LockList locks = new LockList();
    private final RunPool pool;
    private final Acquisition acquisition;
    private final Acknowledgement acknowledgement;
    private long rowBytes;
    /** An entry on its way to the log deletes the group. */
    private boolean closing;

    private boolean deleted;
    /** A timer is set, or will be. */
    private boolean watched;

    ShareGroup(String id, ShareMemory memory, ShareCounters counters) {
        this.id = id;
        this.memory = memory;
        this.counters = counters;
        this.pool = new RunPool(memory);
        this.acquisition = new Acquisition(locks, memory, pool);
        this.acknowledgement = new Acknowledgement(locks, memory, counters, acquisition);
        this.rowBytes = rows.heapBytes();
        memory.add(FIXED_BYTES + 2L * id.length() + rowBytes);
    }

    String id() {
        return id;
    }

    // ---- rows ----

    int rowCount() {
        return rows.size();
    }

    int lockCount() {
        return locks.size();
    }

    /** Whether the group was deleted, or will be: nothing may be acquired or acknowledged. */
    boolean isClosing() {
        return closing || deleted;
    }

    boolean isDeleted() {
        return deleted;
    }

    void closing(boolean now) {
        closing = now;
    }

    boolean isWatched() {
        return watched;
    }

    /** Without a lock that has to be watched, the group is not busy. */
    void watched(boolean now) {
        watched = now;
        if (!now) {
            pool.clear();
        }
    }

    /** {@link #NO_ROW} if there is none. */
    long startOffset(int queueId) {
        int slot = rows.find(queueId);
        return slot == ShareRows.NONE ? NO_ROW : rows.startAt(slot);
    }

    /** The records from the start offset on that nothing more happens to. */
    long finishedCount(int queueId) {
        RowRuns underWay = runsOf(queueId);
        long count = 0;
        for (int i = 0; underWay != null && i < underWay.size(); i++) {
            count += underWay.get(i).isFinal() ? underWay.get(i).count() : 0;
        }
        return count;
    }

    /** Adds a row. False if there is no memory for it. */
    boolean create(int queueId, long startOffset) {
        if (!memory.hasRoomFor(rows.growthBytes())) {
            return false;
        }
        add(queueId, startOffset);
        return true;
    }

    /** Whether there is memory for rows of these queues. */
    boolean hasRoomFor(int[] queueIds) {
        int more = 0;
        for (int queueId : queueIds) {
            more += rows.find(queueId) == ShareRows.NONE ? 1 : 0;
        }
        return memory.hasRoomFor((long) more * (ShareRows.BYTES_PER_NEW_ROW + RowRuns.HEAP_BYTES));
    }

    /** Adds rows for queues that have none, and returns these queues. */
    int[] createAll(int[] queueIds, long[] startOffsets) {
        int[] created = new int[queueIds.length];
        int count = 0;
        for (int i = 0; i < queueIds.length; i++) {
            if (rows.find(queueIds[i]) == ShareRows.NONE) {
                add(queueIds[i], startOffsets[i]);
                created[count++] = queueIds[i];
            }
        }
        return Arrays.copyOf(created, count);
    }

    private int add(int queueId, long startOffset) {
        int slot = rows.add(queueId, startOffset);
        memory.add(rows.heapBytes() - rowBytes);
        rowBytes = rows.heapBytes();
        return slot;
    }

    private RowRuns underWay(int slot) {
        RowRuns found = rows.runsAt(slot);
        if (found == null) {
            found = pool.row();
            rows.runsAt(slot, found);
            memory.add(RowRuns.HEAP_BYTES);
        }
        return found;
    }

    /** Removes runs that are finished from the start of the row, and what is empty. */
    private void settle(int slot) {
        RowRuns underWay = rows.runsAt(slot);
        if (underWay != null) {
            boolean unused = settleStart(slot, underWay);
            dropIfIdle(slot, underWay);
        }
    }

    /** Returns whether the start offset has moved. */
    private boolean settleStart(int slot, RowRuns underWay) {
        int finished = 0;
        while (finished < underWay.size() && underWay.get(finished).isFinal()) {
            finished++;
        }
        if (finished > 0) {
            rows.startAt(slot, underWay.get(finished - 1).last + 1);
            for (int i = 0; i < finished; i++) {
                if (underWay.get(i).state == RecordState.ACKNOWLEDGED) {
                    pool.add(underWay.get(i)); // a dead letter may still need one that is archived
                }
            }
            underWay.remove(0, finished);
            memory.add(-(long) finished * Run.HEAP_BYTES);
        }
        return finished > 0;
    }

    private void dropIfIdle(int slot, RowRuns underWay) {
        if (underWay.isIdle()) {
            rows.runsAt(slot, null);
            memory.add(-RowRuns.HEAP_BYTES);
            pool.add(underWay);
        }
    }

    /** Moves the start offset forward. Records before it are forgotten. */
    private void moveStart(int slot, long startOffset) {
        if (startOffset <= rows.startAt(slot)) {
            return;
        }
        rows.startAt(slot, startOffset);
        RowRuns underWay = rows.runsAt(slot);
        if (underWay != null) {
            drop(underWay, underWay.find(startOffset));
            if (underWay.size() > 0 && underWay.get(0).first < startOffset) {
                underWay.get(0).first = startOffset;
            }
            underWay.wake();
        }
    }

    private void drop(RowRuns underWay, int count) {
        for (int i = 0; i < count; i++) {
            Run run = underWay.get(i);
            free(run, RecordState.ARCHIVED, run.deliveries);
        }
        underWay.remove(0, count);
        memory.add(-(long) count * Run.HEAP_BYTES);
    }

    private void free(Run run, byte state, int deliveries) {
        if (locks.has(run)) {
            locks.remove(run);
        }
        run.owner = null;
        run.pending = RecordState.NONE;
        run.cause = DeadCause.NONE;
        run.state = state;
        run.deliveries = deliveries;
        run.together = run.isFinal() ? 0 : run.together;
    }

    // ---- acquiring ----

    /**
     * Claims the row of a queue, which exists. Null if there is nothing to acquire, or another fetch has claimed it:
     * then the waiter is notified when that may have changed, unless only an append can change it.
     *
     * @param logStart the first offset in the log
     * @param logEnd the offset behind the last one that may be read
     */
    @Nullable
    Claim claim(
            int queueId, long logStart, long logEnd, int maxRecords, Limits limits, RowWaiter waiter, int waiterSlot) {
        int slot = rows.find(queueId);
        moveStart(slot, logStart);
        RowRuns underWay = rows.runsAt(slot);
        long start = rows.startAt(slot);
        Run available = underWay == null ? null : underWay.firstAvailable();
        long next = underWay == null ? start : underWay.next(start);
        long mostUntil = start + limits.recordLocks();
        long from = available == null ? next : available.first;
        boolean isTaken = closing || (underWay != null && (underWay.claimed || underWay.closing));
        boolean isFull = available == null && next >= mostUntil;
        if (isTaken || from >= logEnd || isFull) {
            await(slot, waiter, waiterSlot, isTaken || from < logEnd);
            return null;
        }
        RowRuns claimed = underWay(slot);
        claimed.claimed = true;
        int most = Math.min(maxRecords, limits.mostWith(available));
        long until = Math.min(logEnd, Math.min(from + most, Math.max(next, mostUntil)));
        return new Claim(claimed, queueId, from, until, limits);
    }

    private void await(int slot, RowWaiter waiter, int waiterSlot, boolean forChange) {
        settle(slot);
        RowRuns underWay = rows.runsAt(slot);
        if (underWay != null) {
            underWay.await(waiter, waiterSlot, forChange);
        }
    }

    /**
     * Acquires what a fetch has read with its claim. Offsets without a record to deliver are archived.
     *
     * @param read the batches with records to deliver
     * @param readUntil the offset behind the last one that was read
     * @param maxRecords a strict limit
     * @param batchRecords records side by side are acquired together until they are so many
     */
    List<Acquired> acquire(
            Claim claim, Spans read, long readUntil, long maxRecords, int batchRecords, String member, long deadline) {
        int slot = rows.find(claim.queueId());
        if (isClosing() || slot == ShareRows.NONE || rows.runsAt(slot) != claim.runs() || claim.runs().closing) {
            return List.of();
        }
        long from = Math.max(claim.from(), rows.startAt(slot));
        acquisition.begin(claim, rows.startAt(slot), batchRecords, member, deadline);
        return acquisition.acquire(read, from, readUntil, maxRecords);
    }

    /**
     * Ends the claim, after the acquisition. Returns whether there may be more to acquire. If not, the waiter is
     * notified when that may have changed, unless only an append can change it.
     *
     * @param logEnd the offset behind the last one that may be read
     */
    boolean unclaim(Claim claim, long logEnd, Limits limits, RowWaiter waiter, int waiterSlot) {
        RowRuns underWay = claim.runs();
        underWay.claimed = false;
        int slot = rows.find(claim.queueId());
        if (slot == ShareRows.NONE || rows.runsAt(slot) != underWay) {
            return true;
        }
        boolean unused = settleStart(slot, underWay);
        underWay.wakeIfUseful(true);
        long start = rows.startAt(slot);
        long next = underWay.next(start);
        boolean isFull = next >= start + limits.recordLocks();
        if (underWay.firstAvailable() != null || (next < logEnd && !isFull)) {
            dropIfIdle(slot, underWay);
            return true;
        }
        await(slot, waiter, waiterSlot, next < logEnd);
        return false;
    }

    /** Takes back an acquisition that the client has not been told of. */
    void undo(int queueId, List<Acquired> acquired, String member) {
        int slot = rows.find(queueId);
        RowRuns underWay = slot == ShareRows.NONE ? null : rows.runsAt(slot);
        if (underWay == null) {
            return;
        }
        for (Acquired range : acquired) {
            for (int i = underWay.find(range.firstOffset());
                    i < underWay.size() && underWay.get(i).last <= range.lastOffset();
                    i++) {
                Run run = underWay.get(i);
                if (run.isHeldBy(member)) {
                    free(run, RecordState.AVAILABLE, run.deliveries - 1);
                    run.together *= 2; // the next time halves it again
                    underWay.available(i);
                }
            }
            memory.add(-(long) underWay.merge(underWay.find(range.firstOffset())) * Run.HEAP_BYTES);
        }
        acquisition.dropUntouched(underWay);
        underWay.wake();
        settle(slot);
    }

    // ---- acknowledging ----

    /**
     * Acknowledges records of a queue, all or none. Runs whose delivery ends are added to the results: they are pending
     * until {@link #endRow} or {@link #rollBack}.
     *
     * @param batches valid ones
     */
    ErrorCode acknowledge(
            int queueId, String member, List<AckBatch> batches, Limits limits, long nowNanos, Results results) {
        RowRuns underWay = runsOf(queueId);
        if (underWay == null || underWay.size() == 0 || underWay.closing || isClosing()) {
            return ErrorCode.INVALID_RECORD_STATE;
        }
        ErrorCode error = acknowledgement.check(underWay, member, limits, batches);
        if (error == ErrorCode.NONE) {
            acknowledgement.begin(batches, nowNanos + limits.lockNanos(), results);
        }
        return error;
    }

    /** Ends the deliveries of all that the member has. */
    void release(String member, Limits limits, Results results) {
        Run run = isClosing() ? null : locks.firstOf(member);
        while (run != null) {
            release(run, limits, results);
            run = locks.firstOf(member);
        }
    }

    /** Ends the deliveries whose time is over, at most {@code most} runs. */
    void expire(long nowNanos, Limits limits, int most, Results results) {
        Run run = isClosing() ? null : locks.first();
        while (run != null && nowNanos - run.deadlineNanos >= 0 && results.size() < most) {
            counters.expired(run.count());
            release(run, limits, results);
            run = locks.first();
        }
    }

    private void release(Run run, Limits limits, Results results) {
        locks.remove(run);
        boolean mayReturn = run.deliveries < limits.deliveryCount();
        counters.exhausted(mayReturn ? 0 : run.count());
        run.pending = mayReturn ? RecordState.AVAILABLE : RecordState.ARCHIVED;
        run.cause = mayReturn ? DeadCause.NONE : DeadCause.EXHAUSTED;
        results.add(run);
        memory.add(Results.HEAP_BYTES);
    }

    /** The deadline of the first lock; null if there is none, or none may end now. */
    @Nullable
    Long firstDeadline() {
        Run first = isClosing() ? null : locks.first();
        return first == null ? null : first.deadlineNanos;
    }

    /** The log has refused the results: the runs are acquired as before, for the whole time. */
    void rollBack(List<Run> results, long deadlineNanos) {
        for (Run run : results) {
            if (run.isPending()) {
                run.pending = RecordState.NONE;
                run.cause = DeadCause.NONE;
                if (!isClosing(run.queueId)) { // otherwise it is locked again if the row stays
                    locks.add(run, deadlineNanos);
                }
            }
        }
    }

    /** A pending run ends before this offset from now on. Returns the rest, which is pending too. */
    Run splitPending(Run run, long offset) {
        RowRuns underWay = Objects.requireNonNull(runsOf(run.queueId));
        acquisition.split(underWay, offset);
        return underWay.get(underWay.find(offset));
    }

    // ---- the log ----

    /**
     * Applies what an entry says about a row: then {@link #set} follows for each of its runs, and {@link #endRow}. To
     * apply it again changes nothing.
     */
    int beginRow(int queueId, long startOffset) {
        int slot = rows.find(queueId);
        if (slot == ShareRows.NONE) {
            return add(queueId, startOffset);
        }
        moveStart(slot, startOffset);
        return slot;
    }

    void set(int slot, long firstSet, long last, byte state, int deliveries) {
        long start = rows.startAt(slot);
        if (last < start) {
            return;
        }
        long first = Math.max(firstSet, start);
        RowRuns known = rows.runsAt(slot);
        if (RecordState.isFinal(state) && first == start && (known == null || known.size() == 0)) {
            rows.startAt(slot, last + 1);
            return;
        }
        RowRuns underWay = underWay(slot);
        int index = underWay.find(first);
        if (index == underWay.size() || underWay.get(index).first != first || underWay.get(index).last != last) {
            index = isolate(slot, underWay, first, last);
        }
        for (int i = index; i < underWay.size() && underWay.get(i).last <= last; i++) {
            free(underWay.get(i), state, deliveries);
            underWay.available(i);
        }
        memory.add(-(long) underWay.merge(index) * Run.HEAP_BYTES);
    }

    /** Makes runs begin at the first offset and end at the last one. Returns the index of the first of them. */
    private int isolate(int slot, RowRuns underWay, long first, long last) {
        long start = rows.startAt(slot);
        long next = underWay.next(start);
        if (first > next) {
            append(underWay, pool.run(rows.queueIdAt(slot), next, first - 1, RecordState.AVAILABLE, 0));
        }
        if (last >= underWay.next(start)) {
            append(underWay, pool.run(rows.queueIdAt(slot), underWay.next(start), last, RecordState.AVAILABLE, 0));
        }
        acquisition.split(underWay, first);
        acquisition.split(underWay, last + 1);
        return underWay.find(first);
    }

    void endRow(int slot) {
        RowRuns underWay = rows.runsAt(slot);
        if (underWay != null) {
            underWay.wakeIfUseful(settleStart(slot, underWay));
            dropIfIdle(slot, underWay);
        }
    }

    private void append(RowRuns underWay, Run run) {
        underWay.append(run);
        memory.add(Run.HEAP_BYTES);
    }

    /** The row begins at this offset, and nothing is known about its records. */
    void reset(int queueId, long startOffset) {
        remove(queueId);
        add(queueId, startOffset);
    }

    void remove(int queueId) {
        int slot = rows.find(queueId);
        if (slot != ShareRows.NONE) {
            forget(slot);
            rows.remove(slot);
        }
    }

    /** Removes the rows of queues that were deleted. */
    void removeAll(int firstQueueId, int count) {
        if (count > rows.size()) {
            retain(queueId -> queueId < firstQueueId || queueId - firstQueueId >= count);
        } else {
            for (int i = 0; i < count; i++) {
                remove(firstQueueId + i);
            }
        }
    }

    /** Removes the rows of all other queues. */
    void retain(IntPredicate queues) {
        for (int slot = 0; slot < rows.slots(); slot++) {
            int queueId = rows.queueIdAt(slot);
            if (queueId != ShareRows.NONE && !queues.test(queueId)) {
                remove(queueId);
            }
        }
    }

    private void forget(int slot) {
        RowRuns underWay = rows.runsAt(slot);
        if (underWay != null) {
            drop(underWay, underWay.size());
            underWay.closing = true;
            rows.runsAt(slot, null);
            memory.add(-RowRuns.HEAP_BYTES);
            underWay.wake();
        }
    }

    /** The group is deleted: nobody may use this object any more. */
    void delete() {
        deleted = true;
        for (int slot = 0; slot < rows.slots(); slot++) {
            if (rows.queueIdAt(slot) != ShareRows.NONE) {
                forget(slot);
            }
        }
        pool.clear();
        memory.add(-(FIXED_BYTES + 2L * id.length() + rowBytes));
    }

    /**
     * An entry on its way to the log resets or removes the row. No delivery ends until it is there: the log would have
     * the result behind the entry.
     */
    void closing(int queueId) {
        int slot = rows.find(queueId);
        if (slot != ShareRows.NONE) {
            RowRuns underWay = underWay(slot);
            underWay.closing = true;
            for (int i = 0; i < underWay.size(); i++) {
                if (locks.has(underWay.get(i))) {
                    locks.remove(underWay.get(i));
                }
            }
        }
    }

    /** The log has refused that entry: the row stays, and what is acquired is so for the whole time. */
    void reopen(int queueId, long deadlineNanos) {
        int slot = rows.find(queueId);
        RowRuns underWay = slot == ShareRows.NONE ? null : rows.runsAt(slot);
        if (underWay != null && underWay.closing) {
            underWay.closing = false;
            for (int i = 0; i < underWay.size(); i++) {
                Run run = underWay.get(i);
                if (run.state == RecordState.ACQUIRED && !run.isPending()) {
                    locks.add(run, deadlineNanos);
                }
            }
            underWay.wake();
            settle(slot);
        }
    }

    /** Whether {@link #closing(int)} is under way. */
    boolean isClosing(int queueId) {
        RowRuns underWay = runsOf(queueId);
        return underWay != null && underWay.closing;
    }

    /** What is under way in the row of a queue; null if nothing is. */
    @Nullable
    RowRuns runsOf(int queueId) {
        int slot = rows.find(queueId);
        return slot == ShareRows.NONE ? null : rows.runsAt(slot);
    }

    // ---- snapshots ----

    /** Slots of rows are below. */
    int slots() {
        return rows.slots();
    }

    /** What the log knows about the row in a slot; null if the slot is free. */
    @Nullable
    RowImage image(int slot) {
        int queueId = rows.queueIdAt(slot);
        if (queueId == ShareRows.NONE) {
            return null;
        }
        List<RowImage.Part> parts = new ArrayList<>();
        RowRuns underWay = rows.runsAt(slot);
        for (int i = 0; underWay != null && i < underWay.size(); i++) {
            Run run = underWay.get(i);
            addPart(parts, run.first, run.last, run.durableState(), run.durableDeliveries());
        }
        return new RowImage(queueId, rows.startAt(slot), parts);
    }

    /** Records that were never delivered need not be mentioned. */
    private static void addPart(List<RowImage.Part> parts, long first, long last, byte state, int deliveries) {
        if (state == RecordState.AVAILABLE && deliveries == 0) {
            return;
        }
        RowImage.Part before = parts.isEmpty() ? null : parts.get(parts.size() - 1);
        boolean joins = before != null
                && before.last() + 1 == first
                && before.state() == state
                && before.deliveries() == deliveries;
        if (before != null && joins) {
            parts.set(parts.size() - 1, new RowImage.Part(before.first(), last, state, deliveries));
        } else {
            parts.add(new RowImage.Part(first, last, state, deliveries));
        }
    }
}
