package io.rivulet.broker.producer;

import io.rivulet.store.GateVerdict;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequences that each queue has from each idempotent producer: the last five batches, which is as many as a
 * producer has in flight, and then the appended batches that are not durable yet.
 *
 * <p>Rows depend on the durable batches only: those that were touched last, as many as the budget has room for, and all
 * with an open transaction. So a replay keeps the same rows as the live broker. Rows of deleted queues are removed some
 * time later, which changes no verdict.
 *
 * <p>Rows are ordered by a time that never goes back: the sum of all forward steps between the timestamps of log
 * groups. Idle producers expire by {@link io.rivulet.store.time.StoreClock#expiryMillis}, which ignores short jumps of
 * the clock.
 *
 * <p>Owned by: log-writer thread.
 */
final class ProducerStates {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerStates.class);

    private static final int FIRST_SEQUENCE = 0;
    /** Rows checked with each applied batch, so that rows are removed faster than they are added. */
    private static final int ROWS_PER_CHECK = 2;
    /** Bits below the time in a row's touched number. */
    private static final int ORDER_BITS = 20;

    private static final long MILLIS_BETWEEN_WARNINGS = 3_600_000;

    private final SequenceRows rows;
    private final PendingBatches pending = new PendingBatches();
    private long expirationMillis;
    private final int maxRows;
    private final LongSupplier expiry;
    private IntPredicate queueExists = queueId -> true;
    /** The last row that was looked up. */
    private int foundRow = SequenceRows.NO_ROW;

    /** The timestamp of the last log group. Read by any thread. */
    private volatile long groupMillis;

    /** How far time is ahead of the log groups' timestamps: the sum of all backward steps. Read by any thread. */
    private volatile long aheadMillis;

    /** The time that decides expiry, as of the last log group. */
    private long expiryMillis;

    /** The last touched number: the time, and the order within the millisecond. */
    private long touched;

    private int checkedRow;
    private long nextWarningMillis;

    /**
     * @param expirationMillis a producer that is idle for longer is removed
     * @param maxRows with so many rows the longest idle one is replaced by the next
     * @param expiry the time that decides expiry
     */
    ProducerStates(SequenceRows rows, long expirationMillis, int maxRows, LongSupplier expiry) {
        this.rows = rows;
        this.expirationMillis = expirationMillis;
        this.maxRows = maxRows;
        this.expiry = expiry;
        this.expiryMillis = expiry.getAsLong();
    }

    void expireAfter(long millis) {
        expirationMillis = millis;
    }

    /** Called once, before the replay: rows of queues that do not exist are removed. */
    void opened(IntPredicate newQueueExists) {
        queueExists = newQueueExists;
        expiryMillis = expiry.getAsLong();
    }

    // ---- time ----

    /** A log group with this timestamp has become durable. */
    void timePasses(long newGroupMillis) {
        if (newGroupMillis == groupMillis) {
            return;
        }
        if (newGroupMillis < groupMillis) {
            long aheadBefore = aheadMillis;
            aheadMillis = aheadBefore + groupMillis - newGroupMillis;
        }
        groupMillis = newGroupMillis;
        expiryMillis = expiry.getAsLong();
    }

    private long nowMillis() {
        return groupMillis + aheadMillis;
    }

    private static long millisOf(long touched) {
        return touched >>> ORDER_BITS;
    }

    /**
     * When the row was touched, by the present clock. A row that was touched before a jump of the clock has the time of
     * then. Any thread.
     */
    long clockMillis(long rowTouched) {
        long millis = millisOf(rowTouched);
        return millis <= groupMillis ? millis : millis - aheadMillis;
    }

    private long touch() {
        touched = Math.max(touched + 1, nowMillis() << ORDER_BITS);
        return touched;
    }

    /** The time in a snapshot. Immutable. */
    record Time(long groupMillis, long aheadMillis, long touched) {
        /** The time in snapshots of version 1. */
        static Time ofMillis(long millis) {
            return new Time(millis, 0, touchedAt(millis));
        }
    }

    static long touchedAt(long millis) {
        return millis << ORDER_BITS;
    }

    Time time() {
        return new Time(groupMillis, aheadMillis, touched);
    }

    /** The rows have been loaded from a snapshot. */
    void loaded(Time time) {
        groupMillis = time.groupMillis;
        aheadMillis = time.aheadMillis;
        touched = time.touched;
        rows.sortIdle();
        makeRoom();
    }

    // ---- before the append ----

    /**
     * As {@link SequenceGate#check}. A batch of an unknown producer is admitted, unless too many of them are in flight.
     */
    void check(int queueId, SequenceHeader header, GateVerdict verdict) {
        int row = find(queueId, header.producerId());
        if (row == SequenceRows.NO_ROW) {
            if (newRows() < maxRows) {
                verdict.admit();
            } else {
                verdict.refuse(BatchRefusal.TOO_MANY_NEW);
            }
            return;
        }
        long last = rows.lastPending(row);
        if (pending.holds(last)) {
            int next = SequenceHeader.next(pending.baseSequence(last), pending.recordCount(last));
            check(row, header, pending.epoch(last), next, verdict);
        } else if (isKnown(row)) {
            check(row, header, rows.epoch(row), rows.nextSequence(row), verdict);
        } else {
            verdict.admit();
        }
    }

    private void check(int row, SequenceHeader header, short epoch, int nextSequence, GateVerdict verdict) {
        boolean sameEpoch = header.epoch() == epoch;
        if (header.epoch() < epoch) {
            verdict.refuse(BatchRefusal.FENCED);
        } else if (header.baseSequence() == (sameEpoch ? nextSequence : FIRST_SEQUENCE)) {
            verdict.admit();
        } else {
            long copy = sameEpoch ? offsetOfCopy(row, header) : SequenceRows.NO_BATCH;
            if (copy == SequenceRows.NO_BATCH) {
                verdict.refuse(BatchRefusal.OUT_OF_ORDER);
            } else {
                verdict.duplicate(copy);
            }
        }
    }

    private long offsetOfCopy(int row, SequenceHeader header) {
        for (long i = rows.lastPending(row);
                pending.holds(i) && pending.epoch(i) == header.epoch();
                i = pending.previous(i)) {
            if (pending.baseSequence(i) == header.baseSequence() && pending.recordCount(i) == header.recordCount()) {
                return pending.baseOffset(i);
            }
        }
        return isKnown(row) && rows.epoch(row) == header.epoch()
                ? rows.offsetOf(row, header.baseSequence(), header.recordCount())
                : SequenceRows.NO_BATCH;
    }

    /** Rows without durable batches; they can't be removed. */
    private int newRows() {
        return rows.size() - rows.idleCount() - rows.openCount();
    }

    /** Whether the row has durable batches and has not expired. */
    private boolean isKnown(int row) {
        return rows.batches(row) > 0
                && (rows.isOpen(row) || expiryMillis - clockMillis(rows.touched(row)) <= expirationMillis);
    }

    /**
     * Whether the producer may open a transaction in the queue. Half of all rows may have one, because such rows are
     * not removed.
     */
    boolean hasRoomToOpen(int queueId, SequenceHeader header) {
        int row = find(queueId, header.producerId());
        if (rows.openCount() < maxRows / 2 || (row != SequenceRows.NO_ROW && rows.isOpen(row))) {
            return true;
        }
        forgetDeleted();
        return false;
    }

    // ---- appended, not durable ----

    void appended(int queueId, long baseOffset, SequenceHeader header) {
        int row = findOrAdd(queueId, header);
        rows.lastPending(row, pending.add(row, header, baseOffset, rows.lastPending(row)));
    }

    void rolledBack(int queueId, long baseOffset) {
        long last = pending.lastNumber();
        if (pending.isEmpty() || !is(last, queueId, baseOffset)) {
            return; // a batch without a sequence
        }
        int row = pending.row(last);
        rows.lastPending(row, pending.previous(last));
        pending.removeLast();
        if (rows.batches(row) == 0 && !hasPending(row)) {
            rows.remove(row);
        }
    }

    private boolean is(long number, int queueId, long baseOffset) {
        return pending.baseOffset(number) == baseOffset && rows.queueId(pending.row(number)) == queueId;
    }

    private boolean hasPending(int row) {
        return pending.holds(rows.lastPending(row));
    }

    // ---- durable, or in a replay ----

    /** The queue has the batch at the offset. A repeated call has no effect. */
    void applied(int queueId, long baseOffset, SequenceHeader header) {
        long first = pending.firstNumber();
        int row;
        if (!pending.isEmpty() && is(first, queueId, baseOffset)) {
            row = pending.row(first);
            pending.removeFirst();
        } else {
            row = findOrAdd(queueId, header);
        }
        if (!isKnown(row)) {
            rows.clear(row);
        }
        long number = touch();
        if (rows.batches(row) == 0 || rows.lastOffset(row) < baseOffset) {
            rows.addBatch(row, header.epoch(), baseOffset, header.baseSequence(), header.recordCount(), number);
        }
        if (header.isTransactional()) {
            rows.open(row);
        } else if (!rows.isOpen(row)) {
            rows.makeYoungest(row);
        }
        makeRoom();
        forgetExpired();
        forgetDeleted();
    }

    /** The queue has the marker that ends the producer's transaction. A repeated call has no effect. */
    void ended(int queueId, long producerId) {
        int row = find(queueId, producerId);
        if (row != SequenceRows.NO_ROW) {
            rows.close(row, touch());
        }
    }

    /**
     * Removes the longest idle rows if there are too many. The next batch of such a producer is admitted, as after its
     * expiry.
     */
    private void makeRoom() {
        while (rows.idleCount() + rows.openCount() > maxRows && rows.oldest() != SequenceRows.NO_ROW) {
            if (isKnown(rows.oldest())) {
                warn();
            }
            forget(rows.oldest());
        }
    }

    private void warn() {
        if (nowMillis() >= nextWarningMillis) {
            nextWarningMillis = nowMillis() + MILLIS_BETWEEN_WARNINGS;
            LOG.warn(
                    "{} producers and queues are all that rivulet.producers.bytes has room for: "
                            + "the longest idle of them are forgotten, {} ms after their last batch",
                    maxRows,
                    nowMillis() - millisOf(rows.touched(rows.oldest())));
        }
    }

    private void forgetExpired() {
        for (int i = 0; i < ROWS_PER_CHECK && rows.oldest() != SequenceRows.NO_ROW && !isKnown(rows.oldest()); i++) {
            forget(rows.oldest());
        }
    }

    private void forget(int row) {
        if (hasPending(row)) {
            rows.clear(row);
        } else {
            rows.remove(row);
        }
    }

    /** Removes rows of deleted queues, a few with each call. */
    private void forgetDeleted() {
        for (int i = 0; i < ROWS_PER_CHECK; i++) {
            checkedRow = checkedRow + 1 < rows.rowLimit() ? checkedRow + 1 : 0;
            boolean there = checkedRow < rows.rowLimit() && rows.exists(checkedRow) && !hasPending(checkedRow);
            if (there && !queueExists.test(rows.queueId(checkedRow))) {
                rows.remove(checkedRow);
            }
        }
    }

    // ---- leaves ----

    private int find(int queueId, long producerId) {
        boolean found = foundRow != SequenceRows.NO_ROW
                && rows.queueId(foundRow) == queueId
                && rows.producerId(foundRow) == producerId;
        if (!found) {
            foundRow = rows.find(producerId, queueId);
        }
        return foundRow;
    }

    private int findOrAdd(int queueId, SequenceHeader header) {
        int row = find(queueId, header.producerId());
        if (row == SequenceRows.NO_ROW) {
            row = rows.add(header.producerId(), queueId);
            foundRow = row;
        }
        return row;
    }
}
