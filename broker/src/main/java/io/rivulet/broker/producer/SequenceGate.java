package io.rivulet.broker.producer;

import io.rivulet.store.view.BatchGate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.IntPredicate;

/**
 * Lets each sequence of an idempotent producer into a queue once, also over restarts. Batches without a sequence pass.
 *
 * <p>Crash policy: a snapshot, and the batches behind it.
 *
 * <p>Owned by: log-writer thread; a snapshot is written by any.
 */
public final class SequenceGate implements BatchGate {
    public static final int VIEW_ID = 4;

    /** The refusals of {@link #check}. */
    public static final long OUT_OF_ORDER = ProducerStates.OUT_OF_ORDER;

    public static final long FENCED = ProducerStates.FENCED;

    private final SequenceRows rows = new SequenceRows();
    private final SequenceHeader header = new SequenceHeader();
    private final long expirationMillis;
    private ProducerStates states;

    /** @param expirationMillis after so long a silence a producer is forgotten */
    public SequenceGate(long expirationMillis) {
        this.expirationMillis = expirationMillis;
        this.states = new ProducerStates(rows, expirationMillis, queueId -> true);
    }

    @Override
    public void opened(IntPredicate queueExists) {
        states = new ProducerStates(rows, expirationMillis, queueExists);
    }

    @Override
    public long check(int queueId, ByteBuffer source, int at, int length) {
        return header.read(source, at) ? states.check(queueId, header) : ADMIT;
    }

    @Override
    public void laid(int queueId, long baseOffset, ByteBuffer source, int at, int length) {
        if (header.read(source, at)) {
            states.laid(queueId, baseOffset, header);
        }
    }

    @Override
    public void takenBack(int queueId, long baseOffset) {
        states.takenBack(queueId, baseOffset);
    }

    @Override
    public void applied(long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at, int length) {
        states.timePasses(groupTimestamp);
        if (header.read(body, at)) {
            states.applied(queueId, baseOffset, header);
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
        long nowMillis = states.nowMillis();
        return out -> ProducerSnapshot.write(rows, nowMillis, out);
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        states.timePasses(ProducerSnapshot.read(in, rows));
    }
}
