package io.rivulet.broker.txn;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The {@link QueueHistory} of each queue that has transactions, and the heap that all of them take. Queues without
 * transactions cost nothing.
 *
 * <p>The log writer adds, changes and removes histories; any thread may look one up. Counts are guarded by this
 * object's monitor.
 */
final class QueueHistories {
    /** Queues are checked for trimmed records after at least so many ended transactions. */
    private static final int MIN_ENDS_PER_CHECK = 64;
    /** A power of two. */
    private static final int COUNTERS = 64;

    private final Map<Integer, QueueHistory> byQueue = new ConcurrentHashMap<>();
    /**
     * Queues whose first open offset has moved, and whose marker is about to be published. Owned by: the log writer.
     */
    private final Set<Integer> moved = new HashSet<>();
    /** How often aborted transactions were forgotten; each counter is shared by several queues. */
    private final AtomicLongArray forgotten = new AtomicLongArray(COUNTERS);

    private long heapBytes;
    private long abortedBytes;
    /** Owned by: the log writer. */
    private int endsSinceCheck;

    @Nullable
    QueueHistory find(int queueId) {
        return byQueue.get(queueId);
    }

    // ---- changes: log writer ----

    void written(int queueId, long producerId, long baseOffset) {
        QueueHistory known = byQueue.get(queueId);
        QueueHistory history = known == null ? new QueueHistory() : known;
        long before = known == null ? 0 : history.heapBytes();
        if (history.written(producerId, baseOffset)) {
            count(history.heapBytes() - before, 0);
            byQueue.putIfAbsent(queueId, history);
        }
    }

    void ended(int queueId, long producerId, long markerOffset, boolean committed, OpenTransactions.Queues queues) {
        QueueHistory history = byQueue.get(queueId);
        if (history != null) {
            long before = history.heapBytes();
            long abortedBefore = history.abortedBytes();
            if (history.ended(producerId, markerOffset, committed)) {
                moved.add(queueId);
            }
            count(history.heapBytes() - before, history.abortedBytes() - abortedBefore);
            forgetBefore(queueId, history, startOffset(queueId, queues));
        }
        if (++endsSinceCheck >= Math.max(MIN_ENDS_PER_CHECK, byQueue.size())) {
            endsSinceCheck = 0;
            forgetTrimmed(queues);
        }
    }

    /** Runs after as many ends as there are histories, so it costs each end one check. */
    private void forgetTrimmed(OpenTransactions.Queues queues) {
        byQueue.forEach((queueId, history) -> {
            forgetBefore(queueId, history, startOffset(queueId, queues));
            if (!queues.exists(queueId) && byQueue.remove(queueId, history)) {
                count(-history.heapBytes(), -history.abortedBytes());
            }
        });
    }

    private static long startOffset(int queueId, OpenTransactions.Queues queues) {
        return queues.exists(queueId) ? queues.startOffset(queueId) : Long.MAX_VALUE;
    }

    /** Forgets the queue's aborted transactions that ended before the offset. */
    void forgetBefore(int queueId, long beforeOffset) {
        QueueHistory history = byQueue.get(queueId);
        if (history != null) {
            forgetBefore(queueId, history, beforeOffset);
        }
    }

    private void forgetBefore(int queueId, QueueHistory history, long beforeOffset) {
        long before = history.heapBytes();
        long abortedBefore = history.abortedBytes();
        if (history.endedBefore(beforeOffset) > 0) {
            forgotten.incrementAndGet(counter(queueId));
            history.forget(beforeOffset);
        }
        boolean empty = history.isEmpty();
        if (empty) {
            byQueue.remove(queueId);
        }
        count((empty ? 0 : history.heapBytes()) - before, history.abortedBytes() - abortedBefore);
    }

    private synchronized void count(long moreBytes, long moreAbortedBytes) {
        heapBytes += moreBytes;
        abortedBytes += moreAbortedBytes;
    }

    /**
     * Whether a marker that is about to be published moves the queue's first open offset. Returns true once for each.
     */
    boolean takeMoved(int queueId) {
        return !moved.isEmpty() && moved.remove(queueId);
    }

    // ---- any thread ----

    long forgotten(int queueId) {
        return forgotten.get(counter(queueId));
    }

    private static int counter(int queueId) {
        return queueId & COUNTERS - 1;
    }

    synchronized long heapBytes() {
        return heapBytes;
    }

    synchronized long abortedBytes() {
        return abortedBytes;
    }

    long abortedBytes(int queueId) {
        QueueHistory history = byQueue.get(queueId);
        return history == null ? 0 : history.abortedBytes();
    }

    // ---- snapshot: log writer ----

    /** The number of bytes that {@link #write} writes. */
    int bytes() {
        int bytes = Integer.BYTES;
        for (QueueHistory history : byQueue.values()) {
            bytes += Integer.BYTES + history.bytes();
        }
        return bytes;
    }

    /** {@code | histories 4 | for each: queue id 4, history |}. */
    void write(ByteBuffer out) {
        out.putInt(byQueue.size());
        byQueue.forEach((queueId, history) -> {
            out.putInt(queueId);
            history.write(out);
        });
    }

    void read(ByteBuffer in) {
        for (int left = in.getInt(); left > 0; left--) {
            int queueId = in.getInt();
            QueueHistory history = QueueHistory.read(in);
            count(history.heapBytes(), history.abortedBytes());
            byQueue.put(queueId, history);
        }
    }
}
