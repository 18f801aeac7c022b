package io.rivulet.broker.producer;

import io.rivulet.protocol.record.ControlMarker;
import io.rivulet.store.BatchGate;
import io.rivulet.store.GateVerdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * Admits each sequence of an idempotent producer to a queue once, also across restarts. Batches without a sequence
 * pass. For transactional batches that are in order, the {@link TransactionGate} decides.
 *
 * <p>Crash policy: rebuilt from a snapshot and the batches after it.
 *
 * <p>Owned by: log-writer thread; any thread may write a snapshot.
 */
public final class SequenceGate implements BatchGate {
    public static final int VIEW_ID = 4;

    /** In the flags of {@link #check}: a transactional batch adds its queue to the transaction (KIP-890). */
    public static final int ADDS_ITSELF = 1;

    /** A marker that an administrator writes. Markers without this flag are admitted. */
    public static final int FOREIGN_MARKER = 2;
    /** A marker of the second protocol, in which a marker has a higher epoch than the batches of its transaction. */
    public static final int RAISES_EPOCH = 4;

    /** There is only one coordinator of transactions, so its epoch never changes. */
    public static final int COORDINATOR_EPOCH = 0;

    /** The most batches that an idempotent producer of Kafka has in flight to a broker. */
    public static final int IN_FLIGHT = 5;

    /** To three brokers that were the owner one after the other, and have answered nothing. */
    public static final int IN_FLIGHT_TO_OWNERS = 3 * IN_FLIGHT;

    private static final int NO_SEQUENCE = -1;

    private final SequenceRows rows;
    private final SequenceHeader header = new SequenceHeader();
    private final TransactionGate transactions;
    private final ProducerStates states;

    /**
     * @param mostBatches of a producer in a queue that are known, so that a copy of one is a duplicate
     * @param expirationMillis a producer that is idle for longer is removed
     * @param maxBytes limit of heap for producers; beyond it the longest idle ones are removed
     * @param expiry the time that decides expiry
     */
    public SequenceGate(
            int mostBatches, long expirationMillis, long maxBytes, TransactionGate transactions, LongSupplier expiry) {
        this.rows = new SequenceRows(mostBatches);
        this.transactions = transactions;
        int maxRows = (int) Math.min(Integer.MAX_VALUE, maxBytes / SequenceRows.bytesPerRow(mostBatches));
        this.states = new ProducerStates(rows, expirationMillis, maxRows, expiry);
    }

    /** Sets how long an idle producer stays. */
    public void expireAfter(long millis) {
        states.expireAfter(millis);
    }

    @Override
    public void opened(IntPredicate queueExists) {
        states.opened(queueExists);
    }

    @Override
    public void check(int queueId, ByteBuffer source, int at, int length, int flags, GateVerdict verdict) {
        boolean hasSequence = header.read(source, at);
        if ((flags & FOREIGN_MARKER) != 0) {
            boolean raisesEpoch = (flags & RAISES_EPOCH) != 0;
            states.checkMarker(queueId, header, ControlMarker.coordinatorEpochIn(source, at), raisesEpoch, verdict);
            return;
        }
        if (!hasSequence) {
            verdict.admit();
            return;
        }
        boolean addsItself = (flags & ADDS_ITSELF) != 0;
        states.check(queueId, header, addsItself && header.isTransactional(), verdict);
        if (!verdict.isAdmitted() || !header.isTransactional()) {
            return;
        }
        BatchRefusal refusal = states.hasRoomToOpen(queueId, header)
                ? transactions.check(queueId, header.producerId(), header.epoch(), addsItself)
                : BatchRefusal.TOO_MANY;
        if (refusal != null) {
            verdict.refuse(refusal);
        }
    }

    @Override
    public void appended(int queueId, long baseOffset, ByteBuffer source, int at, int length) {
        if (header.read(source, at)) {
            states.appended(queueId, baseOffset, header);
        }
    }

    @Override
    public void rolledBack(int queueId, long baseOffset) {
        states.rolledBack(queueId, baseOffset);
    }

    @Override
    public void applied(long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at, int length) {
        states.timePasses(groupTimestamp);
        if (header.read(body, at)) {
            states.applied(queueId, baseOffset, header);
        }
        if (header.isTransactional()) {
            notifyTransactions(groupTimestamp, queueId, baseOffset, body, at);
        }
    }

    private void notifyTransactions(long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at) {
        if (header.isControl()) {
            boolean committed = ControlMarker.in(body, at) == ControlMarker.COMMIT;
            states.ended(queueId, baseOffset, header);
            transactions.ended(queueId, header.producerId(), baseOffset, committed);
        } else {
            transactions.written(groupTimestamp, queueId, header.producerId(), header.epoch(), baseOffset);
        }
    }

    /**
     * A producer in one queue. Immutable.
     *
     * @param lastSequence -1 if the producer has written nothing in this epoch
     * @param coordinatorEpoch -1 if no transaction of the producer has ended in the queue
     */
    public record Writer(
            int queueId, long producerId, short epoch, int lastSequence, long lastMillis, int coordinatorEpoch) {}

    /** An upper bound for the calls of {@link #forEach}. Any thread. */
    public int mostWriters() {
        return rows.rowLimit();
    }

    /**
     * Passes every producer in every queue, without expired ones. Those that are added or removed meanwhile may be
     * passed or not. Any thread.
     */
    public void forEach(Consumer<Writer> action) {
        long[] copy = rows.newCopy();
        for (int row = 0, limit = rows.rowLimit(); row < limit; row++) {
            if (rows.copy(row, copy)
                    && (SequenceRows.isOpen(copy[SequenceRows.NEXT])
                            || !states.hasExpired(copy[SequenceRows.TOUCHED]))) {
                action.accept(writer(copy));
            }
        }
    }

    private Writer writer(long[] row) {
        long key = row[SequenceRows.KEY];
        long next = row[SequenceRows.NEXT];
        boolean hasRecords = SequenceRows.recordCount(next) > 0;
        return new Writer(
                SequenceRows.queueId(key),
                row[SequenceRows.PRODUCER_ID],
                SequenceRows.epoch(key),
                hasRecords ? SequenceHeader.first(SequenceRows.nextSequence(next), 1) : NO_SEQUENCE,
                states.clockMillis(row[SequenceRows.TOUCHED]),
                ProducerStates.coordinatorEpoch(SequenceRows.hasMarker(next)));
    }

    // ---- the view ----

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer entry) {
        throw new IllegalStateException("sequences have no entries but the batches themselves");
    }

    @Override
    public Snapshot snapshot() {
        ProducerStates.Time time = states.time();
        return out -> ProducerSnapshot.write(rows, time, out);
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        states.loaded(ProducerSnapshot.read(in, rows));
    }
}
