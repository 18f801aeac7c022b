package io.rivulet.broker.txn;

import io.rivulet.broker.compact.DecidedTransactions;
import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntToLongFunction;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The open and aborted transactions of each queue: a {@link QueueHistory} for each queue that has any, and the heap
 * that all of them take. Queues without transactions cost nothing.
 *
 * <p>Thread-safe. The log writer adds, changes and removes histories; any thread may read. Counts are guarded by this
 * object's monitor.
 */
public final class QueueHistories implements StableOffsets, DecidedTransactions {
    /** Instead of a start offset: the queue does not exist. */
    static final long NO_QUEUE = Long.MAX_VALUE;

    /** Appends the entry that removes a queue's aborted transactions before the offset. Any thread. */
    @FunctionalInterface
    interface Forgetting {
        void forget(int queueId, long beforeOffset);
    }

    /** Queues are checked for trimmed records after at least so many ended transactions. */
    private static final int MIN_ENDS_PER_CHECK = 64;
    /** So few queues are looked up one by one: the map may have a large table with little in it. */
    private static final int FEW_QUEUES = 1024;
    /** A power of two. */
    private static final int COUNTERS = 64;

    private final long maxAbortedBytes;
    private final Map<Integer, QueueHistory> byQueue = new ConcurrentHashMap<>();
    /**
     * Queues whose first open offset has moved, and whose marker is about to be published. Owned by: the log writer.
     */
    private final Set<Integer> moved = new HashSet<>();
    /** How often aborted transactions were forgotten; each counter is shared by several queues. */
    private final AtomicLongArray forgotten = new AtomicLongArray(COUNTERS);

    private volatile IntToLongFunction startOffsets = queueId -> 0;
    private volatile Forgetting forgetting = (queueId, beforeOffset) -> {};
    private long heapBytes;
    private long abortedBytes;
    /** Owned by: the log writer. */
    private int endsSinceCheck;

    /** @param maxAbortedBytes approximate limit of heap for aborted transactions */
    QueueHistories(long maxAbortedBytes) {
        this.maxAbortedBytes = maxAbortedBytes;
    }

    /**
     * Starts when the store has replayed its log. Before, all queues exist and nothing is trimmed.
     *
     * @param queues the start offset of each queue, or {@link #NO_QUEUE}
     * @param entries removes aborted transactions after compaction
     */
    void start(IntToLongFunction queues, Forgetting entries) {
        startOffsets = queues;
        forgetting = entries;
        byQueue.forEach(this::removeIfDeleted);
    }

    boolean exists(int queueId) {
        return startOffsets.applyAsLong(queueId) != NO_QUEUE;
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

    void ended(int queueId, long producerId, long markerOffset, boolean committed) {
        QueueHistory history = byQueue.get(queueId);
        if (history != null) {
            long before = history.heapBytes();
            long abortedBefore = history.abortedBytes();
            if (history.ended(producerId, markerOffset, committed)) {
                moved.add(queueId);
            }
            count(history.heapBytes() - before, history.abortedBytes() - abortedBefore);
            forgetBefore(queueId, history, startOffsets.applyAsLong(queueId));
        }
        if (++endsSinceCheck >= Math.max(MIN_ENDS_PER_CHECK, byQueue.size())) {
            endsSinceCheck = 0;
            forgetTrimmed();
        }
    }

    /** Runs after as many ends as there are histories, so the average cost of an end is one check. */
    private void forgetTrimmed() {
        byQueue.forEach((queueId, history) -> {
            forgetBefore(queueId, history, startOffsets.applyAsLong(queueId));
            removeIfDeleted(queueId, history);
        });
    }

    /**
     * Queues were deleted. Nothing ends in them any more, so what was open would stay and take memory from all others.
     */
    public void queuesDeleted(int firstQueueId, int count) {
        if (count > Math.max(FEW_QUEUES, byQueue.size())) {
            byQueue.forEach(this::removeIfDeleted);
            return;
        }
        for (int queueId = firstQueueId; queueId < firstQueueId + count; queueId++) {
            QueueHistory history = byQueue.get(queueId);
            if (history != null) {
                removeIfDeleted(queueId, history);
            }
        }
    }

    private void removeIfDeleted(int queueId, QueueHistory history) {
        if (!exists(queueId) && byQueue.remove(queueId, history)) {
            count(-history.heapBytes(), -history.abortedBytes());
        }
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

    @Override
    public int grownBytes(int queueId, int payloadBytes) {
        return !moved.isEmpty() && moved.remove(queueId) ? Integer.MAX_VALUE : payloadBytes;
    }

    // ---- any thread ----

    private @Nullable QueueHistory find(int queueId) {
        return byQueue.get(queueId);
    }

    @Override
    public long firstOpenOffset(int queueId) {
        QueueHistory history = find(queueId);
        return history == null ? NONE_OPEN : history.firstOpenOffset();
    }

    @Override
    public List<AbortedTransaction> aborted(int queueId, long fromOffset, long untilOffset, LongPredicate producers) {
        QueueHistory history = find(queueId);
        return history == null ? List.of() : history.aborted(fromOffset, untilOffset, producers);
    }

    @Override
    public long forgotten(int queueId) {
        return forgotten.get(counter(queueId));
    }

    private static int counter(int queueId) {
        return queueId & COUNTERS - 1;
    }

    @Override
    public boolean listsAborted(int queueId) {
        QueueHistory history = find(queueId);
        return history != null && history.listsAborted();
    }

    @Override
    public boolean isListedAsAborted(int queueId, long markerOffset) {
        QueueHistory history = find(queueId);
        return history != null && history.isListedAsAborted(markerOffset);
    }

    @Override
    public void abortedRecordsRemoved(int queueId, long beforeOffset) {
        QueueHistory history = find(queueId);
        if (history != null && history.endedBefore(beforeOffset) > 0) {
            forgetting.forget(queueId, beforeOffset);
        }
    }

    /** Where the producer's transaction begins in the queue, or -1. */
    public long firstOffset(int queueId, long producerId) {
        QueueHistory history = find(queueId);
        return history == null ? -1 : history.firstOffset(producerId);
    }

    // ---- memory: any thread ----

    synchronized long heapBytes() {
        return heapBytes;
    }

    synchronized long abortedBytes() {
        return abortedBytes;
    }

    long abortedBytes(int queueId) {
        QueueHistory history = find(queueId);
        return history == null ? 0 : history.abortedBytes();
    }

    /** Whether the queue may get one more transaction. */
    boolean hasRoomFor(int queueId) {
        long own = abortedBytes(queueId);
        return own == 0 || own <= maxAbortedBytes - abortedBytes();
    }

    @Override
    public boolean listsTooManyAborted(int queueId) {
        return abortedBytes(queueId) > (maxAbortedBytes - abortedBytes()) / 2;
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
