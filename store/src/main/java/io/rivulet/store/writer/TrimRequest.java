package io.rivulet.store.writer;

import io.rivulet.store.Outcome;
import io.rivulet.store.entry.EntryLayout;
import java.util.Arrays;

/**
 * Trims many queues, each to its own offset. Skips deleted queues.
 *
 * <p>Owned by: the caller, until it is offered; then the log-writer thread, until it calls {@code done}.
 */
public final class TrimRequest extends Command {
    private static final int INITIAL_QUEUES = 64;
    private static final int BYTES_PER_QUEUE = 12;

    private final Runnable done;
    private int[] queueIds = new int[INITIAL_QUEUES];
    private long[] startOffsets = new long[INITIAL_QUEUES];
    private int count;
    private int appended;
    private int settled;
    private boolean failed;

    /** @param done called once, when the request is complete, with any outcome */
    public TrimRequest(Runnable done) {
        this.done = done;
    }

    /** Adds the queue. If it was the last one added, replaces its offset. */
    public void put(int queueId, long startOffset) {
        if (count > 0 && queueIds[count - 1] == queueId) {
            startOffsets[count - 1] = startOffset;
            return;
        }
        if (count == queueIds.length) {
            queueIds = Arrays.copyOf(queueIds, 2 * count);
            startOffsets = Arrays.copyOf(startOffsets, 2 * count);
        }
        queueIds[count] = queueId;
        startOffsets[count] = startOffset;
        count++;
    }

    /** The offset of the queue if it was the last one added; else the given offset. */
    public long startOffsetOr(int queueId, long otherwise) {
        return count > 0 && queueIds[count - 1] == queueId ? startOffsets[count - 1] : otherwise;
    }

    public int count() {
        return count;
    }

    /** The queue at this index. */
    public int queueId(int index) {
        return queueIds[index];
    }

    /** The new start offset of the queue at this index. */
    public long startOffset(int index) {
        return startOffsets[index];
    }

    /** Whether an existing queue was not trimmed. Valid when the request is complete. */
    public boolean isFailed() {
        return failed;
    }

    @Override
    long heldBytes() {
        return (long) count * BYTES_PER_QUEUE;
    }

    @Override
    boolean appendTo(GroupAssembly assembly) {
        while (appended < count) {
            int queueId = queueIds[appended];
            if (assembly.exists(queueId)) {
                long startOffset = Math.min(startOffsets[appended], assembly.nextOffset(queueId));
                boolean fits = assembly.appendEntry(
                        EntryLayout.MAX_OVERHEAD_BYTES,
                        (body, at) -> EntryLayout.putTrimmed(body, at, queueId, startOffset));
                if (!fits) {
                    return false;
                }
            }
            appended++;
        }
        return true;
    }

    @Override
    int appendedParts() {
        return appended;
    }

    @Override
    void settle(int from, int to, Outcome outcome) {
        settled += to - from;
        failed |= !outcome.isStored();
        if (settled == count) {
            done.run();
        }
    }

    @Override
    void settleFrom(int from, Outcome outcome) {
        settle(from, count, outcome);
    }
}
