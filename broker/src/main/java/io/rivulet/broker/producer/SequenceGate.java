package io.rivulet.broker.producer;

import io.rivulet.protocol.record.ControlMarker;
import io.rivulet.store.BatchGate;
import io.rivulet.store.GateVerdict;
import io.rivulet.store.time.StoreClock;
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

    /** In the flags of {@link #check}: a transactional batch adds its queue to the transaction (the second protocol, KIP-890). */
    public static final int ADDS_ITSELF = 1;

    private final SequenceRows rows = new SequenceRows();
    private final SequenceHeader header = new SequenceHeader();
    private final long expirationMillis;
    private final int maxRows;
    private final LongSupplier expiry;
    private final TransactionGate transactions;
    private volatile ProducerStates states;

    /** @param expirationMillis a producer that is idle for longer is removed */
    public SequenceGate(long expirationMillis) {
        this(expirationMillis, Long.MAX_VALUE, TransactionGate.NONE, StoreClock.trusting(() -> 0));
    }

    /** @param maxBytes limit of heap for producers; beyond it the longest idle ones are removed */
    public SequenceGate(long expirationMillis, long maxBytes, TransactionGate transactions, StoreClock clock) {
        this(expirationMillis, maxBytes, transactions, clock::expiryMillis);
    }

    SequenceGate(long expirationMillis, long maxBytes, TransactionGate transactions, LongSupplier expiry) {
        this.transactions = transactions;
        this.expirationMillis = expirationMillis;
        this.maxRows = (int) Math.min(Integer.MAX_VALUE, maxBytes / SequenceRows.BYTES_PER_ROW);
        this.expiry = expiry;
        this.states = new ProducerStates(rows, expirationMillis, maxRows, expiry, queueId -> true);
    }

    @Override
    public void opened(IntPredicate queueExists) {
        states = new ProducerStates(rows, expirationMillis, maxRows, expiry, queueExists);
    }

    @Override
    public void check(int queueId, ByteBuffer source, int at, int length, int flags, GateVerdict verdict) {
        if (!header.read(source, at)) {
            verdict.admit();
            return;
        }
        states.check(queueId, header, verdict);
        if (!verdict.isAdmitted() || !header.isTransactional()) {
            return;
        }
        boolean addsItself = (flags & ADDS_ITSELF) != 0;
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
            tellTransactions(groupTimestamp, queueId, baseOffset, body, at);
        }
    }

    private void tellTransactions(long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at) {
        if (header.isControl()) {
            boolean committed = ControlMarker.in(body, at) == ControlMarker.COMMIT;
            states.ended(queueId, header.producerId());
            transactions.ended(queueId, header.producerId(), baseOffset, committed);
        } else {
            transactions.written(groupTimestamp, queueId, header.producerId(), header.epoch(), baseOffset);
        }
    }

    /** A producer in one queue. Immutable. */
    public record Writer(int queueId, long producerId, short epoch, int lastSequence, long lastMillis) {}

    /** An upper bound for the calls of {@link #forEach}. Any thread. */
    public int mostWriters() {
        return rows.rowLimit();
    }

    /**
     * Passes every producer in every queue. Those that are added or removed meanwhile may be passed or not. Any thread.
     */
    public void forEach(Consumer<Writer> action) {
        ProducerStates current = states;
        long[] copy = new long[SequenceRows.COPIED_WORDS];
        for (int row = 0, limit = rows.rowLimit(); row < limit; row++) {
            if (rows.copy(row, copy)) {
                long key = copy[SequenceRows.KEY];
                int lastSequence = SequenceHeader.first(SequenceRows.nextSequence(copy[SequenceRows.NEXT]), 1);
                action.accept(new Writer(
                        SequenceRows.queueId(key),
                        copy[SequenceRows.PRODUCER_ID],
                        SequenceRows.epoch(key),
                        lastSequence,
                        current.clockMillis(copy[SequenceRows.TOUCHED])));
            }
        }
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
