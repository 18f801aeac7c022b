package io.rivulet.broker.producer;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.record.RecordBatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets each sequence of an idempotent producer into a queue once. It stands before the store, so between a batch's admission and
 * its completion the batch is under way: what follows it is compared with that.
 *
 * <p>Lives in memory: after a restart a queue takes the first sequence of each producer at its word (docs/decisions/0011).
 *
 * <p>Guarded by its monitor; the order of admissions of one producer is that of its requests, for they come on one connection.
 */
public final class SequenceGate {
    /** Instead of the offset of a duplicate: the batch is new, and is under way from now on. */
    public static final long ADMITTED = -1;

    private record Key(long producerId, int queueId) {}

    private record UnderWay(short epoch, int baseSequence, int recordCount) {
        static UnderWay of(RecordBatch batch) {
            return new UnderWay(batch.producerEpoch(), batch.baseSequence(), batch.recordCount());
        }

        int nextSequence() {
            return baseSequence + recordCount & Integer.MAX_VALUE;
        }
    }

    /** With each batch that is stored: rows go at least as fast as they come. */
    private static final int ROWS_PER_EXPIRY = 2;

    private final ProducerStates states = new ProducerStates();
    private final Map<Key, Deque<UnderWay>> underWay = new HashMap<>();
    private final long expirationMillis;

    /** @param expirationMillis after so long a silence a producer is forgotten */
    public SequenceGate(long expirationMillis) {
        this.expirationMillis = expirationMillis;
    }

    /**
     * Admits the batch, which must be {@link #settled} later; or tells where it is already.
     *
     * @return {@link #ADMITTED}, or the base offset that the same batch got before
     * @throws RefusedException when its epoch or sequence is not the next
     */
    public synchronized long admit(int queueId, RecordBatch batch) {
        Key key = new Key(batch.producerId(), queueId);
        Deque<UnderWay> before = underWay.get(key);
        Verdict verdict = before == null ? states.check(queueId, batch) : checkBehind(before, queueId, batch);
        if (verdict == Verdict.DUPLICATE) {
            return states.duplicateOffset();
        }
        if (verdict != Verdict.NEXT) {
            throw refusal(verdict, batch);
        }
        underWay.computeIfAbsent(key, k -> new ArrayDeque<>(2)).add(UnderWay.of(batch));
        return ADMITTED;
    }

    private static RefusedException refusal(Verdict verdict, RecordBatch batch) {
        return verdict == Verdict.FENCED
                ? new RefusedException(
                        ErrorCode.INVALID_PRODUCER_EPOCH,
                        "epoch " + batch.producerEpoch() + " of producer " + batch.producerId() + " is an old one")
                : new RefusedException(
                        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                        "sequence " + batch.baseSequence() + " of producer " + batch.producerId() + " is not the next");
    }

    private Verdict checkBehind(Deque<UnderWay> before, int queueId, RecordBatch batch) {
        UnderWay wanted = UnderWay.of(batch);
        if (before.contains(wanted)) {
            // Sent again before its first copy is durable; its fate is not known yet.
            throw new RefusedException(ErrorCode.REQUEST_TIMED_OUT, "the same batch is on its way to the log");
        }
        UnderWay last = before.getLast();
        if (wanted.epoch == last.epoch && wanted.baseSequence == last.nextSequence()) {
            return Verdict.NEXT;
        }
        if (wanted.epoch != last.epoch) {
            return wanted.epoch < last.epoch
                    ? Verdict.FENCED
                    : wanted.baseSequence == 0 ? Verdict.NEXT : Verdict.OUT_OF_ORDER;
        }
        return states.check(queueId, batch) == Verdict.DUPLICATE ? Verdict.DUPLICATE : Verdict.OUT_OF_ORDER;
    }

    /** The batch that was admitted got its offset, or, if {@code stored} is false, did not get into the log. */
    public synchronized void settled(int queueId, RecordBatch batch, boolean stored, long baseOffset, long nowMillis) {
        Key key = new Key(batch.producerId(), queueId);
        Deque<UnderWay> all = underWay.get(key);
        if (all != null) {
            all.removeFirstOccurrence(UnderWay.of(batch));
            if (all.isEmpty()) {
                underWay.remove(key);
            }
        }
        if (stored) {
            states.stored(queueId, batch, baseOffset, nowMillis);
            states.expireSome(nowMillis - expirationMillis, ROWS_PER_EXPIRY);
        }
    }
}
