package io.rivulet.store;

import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

/**
 * A view of the batches that also decides which batches are stored. It finds duplicates.
 *
 * <p>The gate is notified of a batch when it is appended and again when it is durable. Appended batches serve to check
 * the next batches; a full disk rolls them back. Only durable batches may go into a {@link #snapshot}, so that the
 * state is a function of the log. Nothing needs repair after a crash.
 *
 * <p>Batches that are appended and not yet durable form a queue: {@link #appended} adds at the end, {@link #rolledBack}
 * removes the last, {@link #applied} removes the first.
 *
 * <p>Threads: as {@link View}. Buffers are big-endian and lent for the call; indexes are absolute. No call may block.
 * No call may allocate after warming up, because every batch passes through here.
 */
public interface BatchGate extends View {
    /**
     * Called once, before anything else. Queue ids are never reused, so the state of a deleted queue may be removed
     * later.
     */
    void opened(IntPredicate queueExists);

    /**
     * Decides whether the batch may be stored in the queue, which exists. Changes nothing, and may be called again for
     * the same batch. {@link #appended} follows only if there is room.
     *
     * @param flags {@link AppendRequest#gateFlags}
     * @param verdict receives the answer
     */
    void check(int queueId, ByteBuffer source, int at, int length, int flags, GateVerdict verdict);

    /** The batch that was just admitted is in the log's next group and has its offset; it is not durable yet. */
    void appended(int queueId, long baseOffset, ByteBuffer source, int at, int length);

    /** The last batch that was appended and not rolled back is not written to the log. */
    void rolledBack(int queueId, long baseOffset);

    /** Of a huge batch, {@link #applied} gets only so many bytes, the first ones. */
    int HUGE_HEAD_BYTES = 64;

    /**
     * The batch is durable. A replay passes all batches after the last snapshot, and some that the snapshot contains:
     * the second call for a batch must change nothing. A replay may leave out batches of queues that were deleted
     * later.
     */
    void applied(long groupTimestamp, int queueId, long baseOffset, ByteBuffer body, int at, int length);
}
