package io.rivulet.broker.txn;

import io.rivulet.broker.compact.DecidedTransactions;
import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.broker.producer.BatchRefusal;
import io.rivulet.broker.producer.TransactionGate;
import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which producers may write in a transaction, what each has open, and what is stable in each queue. It stands between the log writer,
 * which lets batches in, and the coordinator, which ends transactions: after {@link #close} no batch of the transaction gets into the
 * log any more, and the queues that it answers are all that have one.
 *
 * <p>Queues without transactions cost nothing. What is durable here is a function of batches, markers and entries; a queue that was
 * added by a batch which was taken back only gets a marker more.
 *
 * <p>Aborted transactions may take three quarters of the memory, the rest is for those that are open. A queue with aborted ones gets no
 * more when it has more than is left of that; a transaction, when it has more than is left of all. So a queue whose aborted ones are
 * never forgotten is refused while the others go on, and the memory that a queue without aborted ones needs is free when its
 * transaction ends.
 *
 * <p>Producers are guarded by the monitor; histories by their own. The log writer alone adds and removes histories.
 */
public final class OpenTransactions implements TransactionGate, StableOffsets, DecidedTransactions {
    /** Finds out about queues. */
    public interface Queues {
        boolean exists(int queueId);

        long startOffset(int queueId);
    }

    /** What is open of a transaction: since when, as the log says, or -1; and the queues that belong to it. */
    record Open(long beganMillis, Set<Integer> queues) {}

    /** Has the log say that a queue's aborted transactions before the offset are forgotten. Any thread. */
    @FunctionalInterface
    public interface Forgetting {
        void forget(int queueId, long beforeOffset);
    }

    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactions.class);

    /** Of a queue in the set of a producer. */
    static final int BYTES_PER_QUEUE = 64;

    private static final int LOOK_EVERY = 64;
    /** A power of two. */
    private static final int COUNTERS = 64;

    private static final long NANOS_BETWEEN_WARNINGS = 60_000_000_000L;

    /** A transactional id's producer. Guarded by the monitor of the transactions. */
    private static final class Producer {
        private final long id;
        private short epoch;
        private boolean open;
        private boolean ending;
        private long beganMillis = -1;
        private Set<Integer> queues = new HashSet<>(4);

        Producer(long id, short epoch) {
            this.id = id;
            this.epoch = epoch;
        }
    }

    private final long maxBytes;
    private final Map<Long, Producer> producers = new HashMap<>();
    private final Map<Integer, QueueHistory> histories = new ConcurrentHashMap<>();
    /** Queues whose first open offset has moved, and whose marker is about to be published. Log-writer thread. */
    private final Set<Integer> moved = new HashSet<>();

    /** What {@link #forgotten} answers, for some queues each. */
    private final AtomicLongArray forgotten = new AtomicLongArray(COUNTERS);

    private long queuesAdded;
    private long historyBytes;
    private long abortedBytes;
    private int endsSinceLook;
    private long warnedNanos = System.nanoTime() - NANOS_BETWEEN_WARNINGS;
    private volatile Forgetting forgetting = (queueId, beforeOffset) -> {};
    private volatile LongConsumer begun = producerId -> {};
    private volatile Queues queues = new Queues() {
        @Override
        public boolean exists(int queueId) {
            return true;
        }

        @Override
        public long startOffset(int queueId) {
            return 0;
        }
    };

    /** @param maxBytes what open and aborted transactions may take of the heap, about, before no more are begun */
    public OpenTransactions(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** From here on who has begun a transaction is told, on the thread that noticed; those that are open already, at once. */
    void start(Queues all, LongConsumer whenBegun) {
        queues = all;
        synchronized (this) {
            begun = whenBegun;
            for (Producer producer : producers.values()) {
                if (producer.open) {
                    whenBegun.accept(producer.id);
                }
            }
        }
    }

    /** From here on what compaction has removed is forgotten. */
    void forgetWith(Forgetting entries) {
        forgetting = entries;
    }

    // ---- the gate: log-writer thread ----

    @Override
    public synchronized @Nullable BatchRefusal check(int queueId, long producerId, short epoch, boolean addsItself) {
        Producer producer = producers.get(producerId);
        if (producer == null) {
            return BatchRefusal.UNKNOWN_PRODUCER;
        }
        if (epoch != producer.epoch) {
            return BatchRefusal.FENCED;
        }
        if (producer.ending) {
            return BatchRefusal.ENDING;
        }
        if (producer.queues.contains(queueId)) {
            return null;
        }
        if (!addsItself) {
            return BatchRefusal.NOT_ADDED;
        }
        if (!hasRoomFor(producer, 1, 0) || !hasRoomFor(queueId)) {
            warn(producerId, queueId);
            return BatchRefusal.TOO_MANY;
        }
        add(producer, queueId);
        return null;
    }

    private void warn(long producerId, int queueId) {
        long now = System.nanoTime();
        if (now - warnedNanos >= NANOS_BETWEEN_WARNINGS) {
            warnedNanos = now;
            LOG.warn(
                    "Producer {} is refused a transaction in queue {}: of rivulet.transactions.bytes {} bytes are left, and {}"
                            + " are taken by transactions that were aborted in this queue, {} by all that were aborted",
                    producerId,
                    queueId,
                    freeBytes(),
                    abortedBytes(queueId),
                    abortedBytes);
        }
    }

    private void add(Producer producer, int queueId) {
        queuesAdded += producer.queues.add(queueId) ? 1 : 0;
        open(producer);
    }

    private void open(Producer producer) {
        if (!producer.open) {
            producer.open = true;
            begun.accept(producer.id);
        }
    }

    /**
     * Whether the producer's transaction may have these queues too.
     *
     * @param queuesComing that were admitted for any transaction, and are not applied yet
     */
    synchronized boolean hasRoomFor(long producerId, int[] queueIds, int queuesComing) {
        if (!hasRoomFor(producers.get(producerId), queueIds.length, queuesComing)) {
            return false;
        }
        for (int queueId : queueIds) {
            if (!hasRoomFor(queueId)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasRoomFor(@Nullable Producer producer, int moreQueues, int queuesComing) {
        long queuesNow = producer == null ? 0 : producer.queues.size();
        return (queuesNow + moreQueues + queuesComing) * (BYTES_PER_QUEUE + QueueHistory.BYTES_AT_FIRST) <= freeBytes();
    }

    private boolean hasRoomFor(int queueId) {
        long own = abortedBytes(queueId);
        return own == 0 || own <= freeForAborted();
    }

    private synchronized long freeForAborted() {
        return maxBytes / 4 * 3 - abortedBytes;
    }

    private long abortedBytes(int queueId) {
        QueueHistory history = histories.get(queueId);
        return history == null ? 0 : history.abortedBytes();
    }

    private long freeBytes() {
        return maxBytes - queuesAdded * BYTES_PER_QUEUE - historyBytes;
    }

    @Override
    public void written(long groupTimestamp, int queueId, long producerId, short epoch, long baseOffset) {
        synchronized (this) {
            Producer producer = producers.computeIfAbsent(producerId, id -> new Producer(id, epoch));
            add(producer, queueId);
            producer.beganMillis = producer.beganMillis < 0 ? groupTimestamp : producer.beganMillis;
        }
        QueueHistory known = histories.get(queueId);
        QueueHistory history = known == null ? new QueueHistory() : known;
        long before = known == null ? 0 : history.heapBytes();
        if (history.written(producerId, baseOffset)) {
            count(history.heapBytes() - before, 0);
            histories.putIfAbsent(queueId, history);
        }
    }

    @Override
    public void ended(int queueId, long producerId, long markerOffset, boolean committed) {
        QueueHistory history = histories.get(queueId);
        if (history != null) {
            long before = history.heapBytes();
            long abortedBefore = history.abortedBytes();
            if (history.ended(producerId, markerOffset, committed)) {
                moved.add(queueId);
            }
            count(history.heapBytes() - before, history.abortedBytes() - abortedBefore);
            forgetBefore(queueId, history, startOffset(queueId));
        }
        synchronized (this) {
            Producer producer = producers.get(producerId);
            if (producer != null && producer.queues.remove(queueId)) {
                queuesAdded--;
            }
        }
        if (++endsSinceLook >= Math.max(LOOK_EVERY, histories.size())) {
            endsSinceLook = 0;
            forgetWhatWasTrimmed();
        }
    }

    private long startOffset(int queueId) {
        return queues.exists(queueId) ? queues.startOffset(queueId) : Long.MAX_VALUE;
    }

    private synchronized void count(long moreBytes, long moreAbortedBytes) {
        historyBytes += moreBytes;
        abortedBytes += moreAbortedBytes;
    }

    /** After as many ends as there are histories, so that it costs each of them one look. */
    private void forgetWhatWasTrimmed() {
        histories.forEach((queueId, history) -> {
            forgetBefore(queueId, history, startOffset(queueId));
            if (!queues.exists(queueId) && histories.remove(queueId, history)) {
                count(-history.heapBytes(), -history.abortedBytes());
            }
        });
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
            histories.remove(queueId);
        }
        count((empty ? 0 : history.heapBytes()) - before, history.abortedBytes() - abortedBefore);
    }

    private static int counter(int queueId) {
        return queueId & COUNTERS - 1;
    }

    @Override
    public int grownBytes(int queueId, int payloadBytes) {
        return !moved.isEmpty() && moved.remove(queueId) ? Integer.MAX_VALUE : payloadBytes;
    }

    // ---- entries: log-writer thread, or while the store opens ----

    /** The transactional id's producer now has this id and epoch; what it had before ends, if it is another. */
    synchronized void named(long producerId, short epoch, boolean ending, long previousId) {
        if (previousId != producerId) {
            drop(producers.remove(previousId));
        }
        Producer producer = producers.computeIfAbsent(producerId, id -> new Producer(id, epoch));
        producer.epoch = epoch;
        producer.ending |= ending;
    }

    synchronized void added(long groupTimestamp, long producerId, short epoch, int[] queueIds) {
        Producer producer = producers.computeIfAbsent(producerId, id -> new Producer(id, epoch));
        producer.beganMillis = producer.beganMillis < 0 ? groupTimestamp : producer.beganMillis;
        open(producer);
        for (int queueId : queueIds) {
            add(producer, queueId);
        }
    }

    /** Of the queue's aborted transactions that ended before the offset no record is left. */
    void abortedGone(int queueId, long beforeOffset) {
        QueueHistory history = histories.get(queueId);
        if (history != null) {
            forgetBefore(queueId, history, beforeOffset);
        }
    }

    /** The transaction has ended; its markers are in the log before this. */
    synchronized void over(long producerId) {
        Producer producer = producers.get(producerId);
        if (producer != null) {
            drop(producer);
            producer.queues = new HashSet<>(4);
            producer.open = false;
            producer.ending = false;
            producer.beganMillis = -1;
        }
    }

    synchronized void forgotten(long producerId) {
        drop(producers.remove(producerId));
    }

    private void drop(@Nullable Producer producer) {
        queuesAdded -= producer == null ? 0 : producer.queues.size();
    }

    // ---- the coordinator ----

    synchronized boolean isOpen(long producerId) {
        Producer producer = producers.get(producerId);
        return producer != null && producer.open;
    }

    /** Whether what is open was begun by a later epoch than this one. */
    synchronized boolean isOpenSince(long producerId, short epoch) {
        Producer producer = producers.get(producerId);
        return producer != null && producer.open && epoch < producer.epoch;
    }

    synchronized boolean hasAll(long producerId, int[] queueIds) {
        Producer producer = producers.get(producerId);
        if (producer == null || !producer.open) {
            return false;
        }
        for (int queueId : queueIds) {
            if (!producer.queues.contains(queueId)) {
                return false;
            }
        }
        return true;
    }

    /** When its transaction began, as the log says, or -1. */
    synchronized long beganMillis(long producerId) {
        Producer producer = producers.get(producerId);
        return producer == null ? -1 : producer.beganMillis;
    }

    synchronized int queueCount(long producerId) {
        Producer producer = producers.get(producerId);
        return producer == null ? 0 : producer.queues.size();
    }

    synchronized Open look(long producerId) {
        Producer producer = producers.get(producerId);
        return producer == null ? new Open(-1, Set.of()) : new Open(producer.beganMillis, Set.copyOf(producer.queues));
    }

    /** No further batch of the transaction is let in; answers the queues that may have one, those that are deleted left out. */
    synchronized int[] close(long producerId) {
        Producer producer = producers.get(producerId);
        if (producer == null) {
            return new int[0];
        }
        producer.ending = true;
        return producer.queues.stream()
                .mapToInt(Integer::intValue)
                .filter(queues::exists)
                .sorted()
                .toArray();
    }

    /** The end did not get into the log: all is as before {@link #close}. */
    synchronized void reopen(long producerId) {
        Producer producer = producers.get(producerId);
        if (producer != null) {
            producer.ending = false;
        }
    }

    // ---- any thread ----

    @Override
    public long firstOpenOffset(int queueId) {
        QueueHistory history = histories.get(queueId);
        return history == null ? NONE_OPEN : history.firstOpenOffset();
    }

    @Override
    public List<AbortedTransaction> aborted(int queueId, long fromOffset, long untilOffset) {
        QueueHistory history = histories.get(queueId);
        return history == null ? List.of() : history.aborted(fromOffset, untilOffset);
    }

    @Override
    public long forgotten(int queueId) {
        return forgotten.get(counter(queueId));
    }

    @Override
    public boolean listsAborted(int queueId) {
        QueueHistory history = histories.get(queueId);
        return history != null && history.listsAborted();
    }

    @Override
    public boolean listsTooManyAborted(int queueId) {
        return abortedBytes(queueId) > freeForAborted() / 2;
    }

    @Override
    public boolean isListedAsAborted(int queueId, long markerOffset) {
        QueueHistory history = histories.get(queueId);
        return history != null && history.isListedAsAborted(markerOffset);
    }

    @Override
    public void abortedAreGone(int queueId, long beforeOffset) {
        QueueHistory history = histories.get(queueId);
        if (history != null && history.endedBefore(beforeOffset) > 0) {
            forgetting.forget(queueId, beforeOffset);
        }
    }

    /** Where the producer's transaction begins in the queue, or -1. */
    public long firstOffset(int queueId, long producerId) {
        QueueHistory history = histories.get(queueId);
        return history == null ? -1 : history.firstOffset(producerId);
    }

    // ---- snapshot ----

    /**
     * All that is durable, as it is now: {@code | producers 4 | for each: id 8, epoch 2, began 8, queues 4, queue ids 4 each |
     * histories 4 | for each: queue id 4, history |}. Log-writer thread.
     */
    synchronized ByteBuffer write() {
        int bytes = 2 * Integer.BYTES;
        int openProducers = 0;
        for (Producer producer : producers.values()) {
            if (producer.beganMillis >= 0) {
                openProducers++;
                bytes += 22 + producer.queues.size() * Integer.BYTES;
            }
        }
        for (QueueHistory history : histories.values()) {
            bytes += Integer.BYTES + history.bytes();
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).putInt(openProducers);
        for (Producer producer : producers.values()) {
            if (producer.beganMillis >= 0) {
                out.putLong(producer.id)
                        .putShort(producer.epoch)
                        .putLong(producer.beganMillis)
                        .putInt(producer.queues.size());
                producer.queues.forEach(out::putInt);
            }
        }
        out.putInt(histories.size());
        histories.forEach((queueId, history) -> {
            out.putInt(queueId);
            history.write(out);
        });
        return out.flip();
    }

    /** What {@link #write} has written. */
    synchronized void read(ByteBuffer in) {
        for (int left = in.getInt(); left > 0; left--) {
            Producer producer = new Producer(in.getLong(), in.getShort());
            producer.beganMillis = in.getLong();
            for (int queuesLeft = in.getInt(); queuesLeft > 0; queuesLeft--) {
                queuesAdded += producer.queues.add(in.getInt()) ? 1 : 0;
            }
            producer.open = true;
            producers.put(producer.id, producer);
        }
        for (int left = in.getInt(); left > 0; left--) {
            int queueId = in.getInt();
            QueueHistory history = QueueHistory.read(in);
            count(history.heapBytes(), history.abortedBytes());
            histories.put(queueId, history);
        }
    }
}
