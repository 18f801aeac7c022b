package io.rivulet.broker.producer;

import io.rivulet.store.GateVerdict;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequences that each queue has from each idempotent producer: as many of the last batches as a producer has in
 * flight, and then the appended batches that are not durable yet.
 *
 * <p>Rows depend on the durable batches only: those that were touched last, as many as the budget has room for, and all
 * with an open transaction. So a replay keeps the same rows as the live broker. Rows of deleted queues are removed some
 * time later, which changes no verdict.
 *
 * <p>Rows are ordered by a number with the time in its upper bits. When the timestamps of log groups go back, the time
 * of rows goes on, until it is {@link #MOST_AHEAD_MILLIS} ahead of the groups. Then it is the groups' time again, and a
 * row that was touched after that counts as touched now. So no row looks older than it is because of a time that was
 * taken back. Idle producers expire by {@link io.rivulet.store.time.StoreClock#expiryMillis}, which ignores short jumps
 * of the clock.
 *
 * <p>Owned by: log-writer thread, except where a method says any thread.
 */
final class ProducerStates {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerStates.class);

    private static final int FIRST_SEQUENCE = 0;
    private static final int NO_RECORDS = 0;
    private static final int NO_COORDINATOR_EPOCH = -1;
    /** Rows checked with each applied batch, so that rows are removed faster than they are added. */
    private static final int ROWS_PER_CHECK = 2;
    /** Bits below the time in a row's touched number. */
    private static final int ORDER_BITS = 20;

    /** How far the time of rows may be ahead of the log groups' timestamps. */
    static final long MOST_AHEAD_MILLIS = 10_000;

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

    /** How far time is ahead of the log groups' timestamps: by backward steps. */
    private long aheadMillis;

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
            aheadMillis += groupMillis - newGroupMillis;
        }
        groupMillis = newGroupMillis;
        expiryMillis = expiry.getAsLong();
        boundAhead();
    }

    private void boundAhead() {
        if (aheadMillis > MOST_AHEAD_MILLIS) {
            aheadMillis = 0;
            touched = rows.touchedBy(touchedAt(groupMillis));
            nextWarningMillis = Math.min(nextWarningMillis, groupMillis + MILLIS_BETWEEN_WARNINGS);
        }
    }

    private long nowMillis() {
        return groupMillis + aheadMillis;
    }

    private static long millisOf(long touched) {
        return touched >>> ORDER_BITS;
    }

    /** When the row was touched, and not later than the last log group. Any thread. */
    long clockMillis(long rowTouched) {
        return Math.min(millisOf(rowTouched), groupMillis);
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
        boundAhead();
        makeRoom();
    }

    // ---- before the append ----

    /**
     * As {@link SequenceGate#check}. A batch of an unknown producer is admitted, unless too many of them are in flight.
     *
     * @param beginsAtZero whether an unknown producer must begin at sequence 0
     */
    void check(int queueId, SequenceHeader header, boolean beginsAtZero, GateVerdict verdict) {
        int row = find(queueId, header.producerId());
        if (row != SequenceRows.NO_ROW && hasPending(row)) {
            long last = rows.lastPending(row);
            int next = SequenceHeader.next(pending.baseSequence(last), pending.recordCount(last));
            check(row, header, pending.epoch(last), next, verdict);
        } else if (row != SequenceRows.NO_ROW && isKnown(row)) {
            check(row, header, rows.epoch(row), rows.nextSequence(row), verdict);
        } else if (beginsAtZero && header.baseSequence() != FIRST_SEQUENCE) {
            verdict.refuse(BatchRefusal.OUT_OF_ORDER);
        } else if (row == SequenceRows.NO_ROW && newRows() >= maxRows) {
            verdict.refuse(BatchRefusal.TOO_MANY_NEW);
        } else {
            verdict.admit();
        }
    }

    private void check(int row, SequenceHeader header, short epoch, int nextSequence, GateVerdict verdict) {
        boolean sameEpoch = header.epoch() == epoch;
        if (header.epoch() < epoch) {
            verdict.refuse(BatchRefusal.FENCED);
        } else if (header.baseSequence() == (sameEpoch ? nextSequence : FIRST_SEQUENCE)) {
            if (header.isTransactional() || !isInTransaction(row)) {
                verdict.admit();
            } else {
                verdict.refuse(BatchRefusal.NOT_TRANSACTIONAL);
            }
        } else {
            long copy = sameEpoch ? offsetOfCopy(row, header) : SequenceRows.NO_BATCH;
            if (copy == SequenceRows.NO_BATCH) {
                verdict.refuse(BatchRefusal.OUT_OF_ORDER);
            } else {
                verdict.duplicate(copy);
            }
        }
    }

    /** Whether the last batch is part of a transaction without a durable marker. */
    private boolean isInTransaction(int row) {
        return rows.isOpen(row) || (hasPending(row) && pending.isTransactional(rows.lastPending(row)));
    }

    /**
     * Decides about a marker that an administrator writes.
     *
     * @param raisesEpoch whether the marker has a higher epoch than the batches of its transaction
     */
    void checkMarker(
            int queueId, SequenceHeader marker, int coordinatorEpoch, boolean raisesEpoch, GateVerdict verdict) {
        int row = find(queueId, marker.producerId());
        verdict.admit();
        if (row == SequenceRows.NO_ROW || !(hasPending(row) || isKnown(row))) {
            return;
        }
        short epoch = hasPending(row) ? pending.epoch(rows.lastPending(row)) : rows.epoch(row);
        if (marker.epoch() < epoch || (raisesEpoch && marker.epoch() == epoch && isInTransaction(row))) {
            verdict.refuse(BatchRefusal.FENCED);
        } else if (coordinatorEpoch < coordinatorEpoch(rows.hasMarker(row))) {
            verdict.refuse(BatchRefusal.COORDINATOR_FENCED);
        }
    }

    /** The epoch of the coordinator that has written the last marker of a producer. */
    static int coordinatorEpoch(boolean hasMarker) {
        return hasMarker ? SequenceGate.COORDINATOR_EPOCH : NO_COORDINATOR_EPOCH;
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
        return rows.batches(row) > 0 && (rows.isOpen(row) || !isExpired(rows.touched(row), expiryMillis));
    }

    private boolean isExpired(long rowTouched, long nowMillis) {
        return nowMillis - millisOf(rowTouched) > expirationMillis;
    }

    /** Whether a row without an open transaction has expired by now. Any thread. */
    boolean hasExpired(long rowTouched) {
        return isExpired(rowTouched, expiry.getAsLong());
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

    /**
     * The queue has the marker that ends the producer's transaction. A marker with a higher epoch begins that epoch: it
     * counts as a batch without records. A repeated call has no effect.
     */
    void ended(int queueId, long markerOffset, SequenceHeader marker) {
        int row = find(queueId, marker.producerId());
        if (row == SequenceRows.NO_ROW) {
            return;
        }
        long number = touch();
        rows.close(row, number);
        if (rows.batches(row) == 0 || rows.lastOffset(row) > markerOffset) {
            return;
        }
        rows.mark(row);
        if (marker.epoch() > rows.epoch(row)) {
            rows.addBatch(row, marker.epoch(), markerOffset, FIRST_SEQUENCE, NO_RECORDS, number);
            rows.makeYoungest(row);
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
