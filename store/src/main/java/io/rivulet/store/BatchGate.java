package io.rivulet.store;

import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

/**
 * A view of the batches themselves that also has a say before each gets its offset: who must let nothing into a queue twice
 * stands here.
 *
 * <p>It is told of a batch when it is laid down, which a full disk may take back, and again when it is durable. The first is for
 * comparing with what comes next; only the second may go into a {@link #snapshot}, so that state is a function of the log. There
 * is nothing to mend after a crash.
 *
 * <p>Batches laid down and not yet applied are a queue: {@link #appended} puts in at its end, {@link #rolledBack} takes out there,
 * {@link #applied} takes out at its beginning.
 *
 * <p>Threads: as {@link View}. Buffers are big-endian and lent for the call; batches are at absolute indexes. No call may block
 * or, after warming up, allocate: they are on the way of every batch.
 */
public interface BatchGate extends View {
    /** Called once, before anything else. An id is never given to another queue, so what is kept of a deleted one may wait. */
    void opened(IntPredicate queueExists);

    /**
     * Decides whether the batch may be stored in the queue, which exists. Changes nothing; may be called again for the same batch,
     * and {@link #appended} follows only if there is room.
     *
     * @param flags {@link AppendRequest#gateFlags}
     * @param verdict takes the answer
     */
    void check(int queueId, ByteBuffer source, int at, int length, int flags, GateVerdict verdict);

    /** The batch that was just admitted has its offset; it is not durable yet. */
    void appended(int queueId, long baseOffset, ByteBuffer source, int at, int length);

    /** The last batch that was laid down and not taken back never gets into the log. */
    void rolledBack(int queueId, long baseOffset);

    /**
     * The batch is durable. In a replay all batches are told that the last snapshot does not cover, and more: telling one twice
     * must change nothing. Those of queues that were deleted later may be left out.
     */
    void applied(long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at, int length);
}
