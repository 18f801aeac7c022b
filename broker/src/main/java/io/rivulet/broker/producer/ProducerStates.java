package io.rivulet.broker.producer;

import static io.rivulet.store.view.BatchGate.ADMIT;

import io.rivulet.store.view.BatchGate;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * Which sequences each queue has from each idempotent producer: the last five batches, which is as many as a producer has in flight,
 * and behind them those that are laid down and not durable yet.
 *
 * <p>Rows are a function of the durable batches and of the time alone. Rows are stamped with the stamps of groups. Whether a producer
 * has been silent for too long is judged by a time that follows no short jump of the clock, see {@link
 * io.rivulet.store.time.StoreClock#expiryMillis}; that its row goes some time later, or with its queue, changes no verdict.
 *
 * <p>Owned by: log-writer thread.
 */
final class ProducerStates {
    /** Leaves a gap, or is an old one. */
    static final long OUT_OF_ORDER = -2;
    /** The producer has begun anew elsewhere. */
    static final long FENCED = -3;

    private static final int FIRST_SEQUENCE = 0;
    /** With each batch that is applied: rows go faster than they come. */
    private static final int ROWS_PER_LOOK = 2;

    private final SequenceRows rows;
    private final LaidBatches laid = new LaidBatches();
    private final long expirationMillis;
    private final IntPredicate queueExists;
    /** Of the last row that was looked for. */
    private int foundRow = SequenceRows.NO_ROW;

    private final LongSupplier expiry;
    private final LongSupplier latest;
    /** The stamp of the last group. */
    private long nowMillis;
    /** What is old is judged by this time, since the last group. */
    private long expiryMillis;
    /** No stamp is later, unless the clock was set back after it. */
    private long latestMillis;

    private int lookedAt;

    /**
     * @param expirationMillis after so long a silence a producer is forgotten
     * @param expiry the time that decides about it
     * @param latest the time that no stamp is ahead of, unless the clock was set back
     * @param queueExists what is kept of other queues may go
     */
    ProducerStates(
            SequenceRows rows,
            long expirationMillis,
            LongSupplier expiry,
            LongSupplier latest,
            IntPredicate queueExists) {
        this.rows = rows;
        this.expirationMillis = expirationMillis;
        this.expiry = expiry;
        this.latest = latest;
        this.expiryMillis = expiry.getAsLong();
        this.latestMillis = latest.getAsLong();
        this.queueExists = queueExists;
    }

    /** The time of the last group. */
    long nowMillis() {
        return nowMillis;
    }

    /** A group of this stamp has become durable. Stamps go back when the clock is set back. */
    void timePasses(long groupMillis) {
        if (groupMillis != nowMillis) {
            nowMillis = groupMillis;
            expiryMillis = expiry.getAsLong();
            latestMillis = latest.getAsLong();
        }
    }

    // ---- before a batch is laid down ----

    /** As {@link BatchGate#check}. A producer that is not known is taken at its word. */
    long check(int queueId, SequenceHeader header) {
        int row = find(queueId, header);
        if (row == SequenceRows.NO_ROW) {
            return ADMIT;
        }
        long last = rows.lastLaid(row);
        if (laid.holds(last)) {
            int next = SequenceHeader.next(laid.baseSequence(last), laid.recordCount(last));
            return check(row, header, laid.epoch(last), next);
        }
        return isKnown(row) ? check(row, header, rows.epoch(row), nextSequence(row)) : ADMIT;
    }

    private long check(int row, SequenceHeader header, short epoch, int nextSequence) {
        if (header.epoch() != epoch) {
            if (header.epoch() < epoch) {
                return FENCED;
            }
            return header.baseSequence() == FIRST_SEQUENCE ? ADMIT : OUT_OF_ORDER;
        }
        return header.baseSequence() == nextSequence ? ADMIT : offsetOfCopy(row, header);
    }

    private long offsetOfCopy(int row, SequenceHeader header) {
        for (long i = rows.lastLaid(row); laid.holds(i) && laid.epoch(i) == header.epoch(); i = laid.previous(i)) {
            if (laid.baseSequence(i) == header.baseSequence() && laid.recordCount(i) == header.recordCount()) {
                return laid.baseOffset(i);
            }
        }
        int known = isKnown(row) && rows.epoch(row) == header.epoch() ? rows.batches(row) : 0;
        for (int i = 0; i < known; i++) {
            if (rows.baseSequence(row, i) == header.baseSequence()
                    && rows.recordCount(row, i) == header.recordCount()) {
                return rows.baseOffset(row, i);
            }
        }
        return OUT_OF_ORDER;
    }

    private int nextSequence(int row) {
        int last = rows.batches(row) - 1;
        return SequenceHeader.next(rows.baseSequence(row, last), rows.recordCount(row, last));
    }

    /** Whether there is something durable of it, and not too old. */
    private boolean isKnown(int row) {
        return rows.batches(row) > 0 && expiryMillis - rows.lastMillis(row) <= expirationMillis;
    }

    // ---- from the laying to the disk ----

    void laid(int queueId, long baseOffset, SequenceHeader header) {
        int row = findOrAdd(queueId, header);
        rows.lastLaid(row, laid.add(row, header, baseOffset, rows.lastLaid(row)));
    }

    void takenBack(int queueId, long baseOffset) {
        long last = laid.lastNumber();
        if (laid.isEmpty() || !is(last, queueId, baseOffset)) {
            return; // a batch without a sequence
        }
        int row = laid.row(last);
        rows.lastLaid(row, laid.previous(last));
        laid.removeLast();
        if (rows.batches(row) == 0 && !laid.holds(rows.lastLaid(row))) {
            rows.remove(row);
        }
    }

    private boolean is(long number, int queueId, long baseOffset) {
        return laid.baseOffset(number) == baseOffset && rows.queueId(laid.row(number)) == queueId;
    }

    // ---- when it is durable, and in a replay ----

    /** The queue has the batch at the offset. Telling it twice does no harm. */
    void applied(int queueId, long baseOffset, SequenceHeader header) {
        long first = laid.firstNumber();
        int row;
        if (!laid.isEmpty() && is(first, queueId, baseOffset)) {
            row = laid.row(first);
            laid.removeFirst();
        } else {
            row = findOrAdd(queueId, header);
        }
        if (!isKnown(row)) {
            rows.clear(row);
        }
        int last = rows.batches(row) - 1;
        if (last < 0 || rows.baseOffset(row, last) < baseOffset) {
            rows.addBatch(row, header.epoch(), baseOffset, header.baseSequence(), header.recordCount(), nowMillis);
        }
        forgetSome();
    }

    /** Goes round and drops rows that nothing can be learned from any more. */
    private void forgetSome() {
        for (int i = 0; i < ROWS_PER_LOOK; i++) {
            lookedAt = lookedAt + 1 < rows.rowLimit() ? lookedAt + 1 : 0;
            boolean there = rows.exists(lookedAt) && !laid.holds(rows.lastLaid(lookedAt));
            if (there && (!isKnown(lookedAt) || !queueExists.test(rows.queueId(lookedAt)))) {
                rows.remove(lookedAt);
            } else if (there && rows.lastMillis(lookedAt) > latestMillis) {
                rows.lastMillis(lookedAt, latestMillis);
            }
        }
    }

    // ---- leaves ----

    private int find(int queueId, SequenceHeader header) {
        boolean found = foundRow != SequenceRows.NO_ROW
                && rows.queueId(foundRow) == queueId
                && rows.producerId(foundRow) == header.producerId();
        if (!found) {
            foundRow = rows.find(header.producerId(), queueId);
        }
        return foundRow;
    }

    private int findOrAdd(int queueId, SequenceHeader header) {
        int row = find(queueId, header);
        if (row == SequenceRows.NO_ROW) {
            row = rows.add(header.producerId(), queueId);
            foundRow = row;
        }
        return row;
    }
}
