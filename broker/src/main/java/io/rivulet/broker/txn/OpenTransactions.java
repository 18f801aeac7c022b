package io.rivulet.broker.txn;

import io.rivulet.broker.producer.BatchRefusal;
import io.rivulet.broker.producer.TransactionGate;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which producers may write in a transaction, and the open transaction of each. The log writer admits batches here, and
 * the coordinator ends transactions. After {@link #close} no further batch of the transaction is admitted, and the
 * returned queues are all that have one. {@link QueueHistories} has the open and aborted transactions of each queue.
 *
 * <p>The durable part of the state is a function of batches, markers and entries. If a batch that added a queue was not
 * stored, the queue only gets an unneeded marker.
 *
 * <p>Aborted transactions may take three quarters of the memory; the rest is for open ones. A queue gets no new
 * transactions when its aborted ones take more than the free part of these three quarters. A transaction gets no more
 * queues when it takes more than all free memory. So only queues with too many aborted transactions are refused.
 *
 * <p>Thread-safe: producers are guarded by the monitor, and {@link QueueHistories} guards itself.
 */
final class OpenTransactions implements TransactionGate {
    /** An open transaction: when it began, according to the log, or -1; and its queues. */
    record Open(long beganMillis, Set<Integer> queues) {}

    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactions.class);

    /** Heap bytes of a queue in the set of a producer. */
    static final int BYTES_PER_QUEUE = 64;

    private static final long NANOS_BETWEEN_WARNINGS = 60_000_000_000L;

    /** The producer of a transactional id. Guarded by the monitor of {@link OpenTransactions}. */
    private static final class Producer {
        private final long id;
        private short epoch;
        private boolean open;
        private boolean ending;
        /** The log has the decision how the transaction ends, and all of its batches before that. */
        private boolean decided;

        private long beganMillis = -1;
        /** When the last transaction that has ended began, or -1. Not in snapshots. */
        private long lastBeganMillis = -1;

        private Set<Integer> queues = new HashSet<>(4);

        Producer(long id, short epoch) {
            this.id = id;
            this.epoch = epoch;
        }
    }

    private final long maxBytes;
    private final QueueHistories histories;
    private final Map<Long, Producer> producers = new HashMap<>();
    /** Stands for each producer that is not known. Never changed. */
    private final Producer unknown = new Producer(-1, (short) -1);

    private long queuesAdded;
    private long warnedNanos = System.nanoTime() - NANOS_BETWEEN_WARNINGS;
    private LongConsumer begun = producerId -> {};

    /** @param maxBytes approximate limit of heap for open and aborted transactions */
    OpenTransactions(long maxBytes) {
        this.maxBytes = maxBytes;
        this.histories = new QueueHistories(maxBytes / 4 * 3);
    }

    QueueHistories histories() {
        return histories;
    }

    /**
     * From now on {@code whenBegun} is called for each producer that begins a transaction, on the thread that admits
     * its first batch. It is called at once for transactions that are open already.
     */
    synchronized void start(LongConsumer whenBegun) {
        begun = whenBegun;
        for (Producer producer : producers.values()) {
            if (producer.open) {
                whenBegun.accept(producer.id);
            }
        }
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
        if (!hasRoomFor(producer, 1, 0) || !histories.hasRoomFor(queueId)) {
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
                    "Producer {} is refused a transaction in queue {}: of rivulet.transactions.bytes, {} bytes are "
                            + "left. Aborted transactions take {} bytes in this queue and {} bytes in all queues.",
                    producerId,
                    queueId,
                    freeBytes(),
                    histories.abortedBytes(queueId),
                    histories.abortedBytes());
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
     * Whether these queues may be added to the producer's transaction.
     *
     * @param queuesComing queues that were admitted for any transaction and are not applied yet
     */
    synchronized boolean hasRoomFor(long producerId, int[] queueIds, int queuesComing) {
        return hasRoomFor(find(producerId), queueIds.length, queuesComing)
                && Arrays.stream(queueIds).allMatch(histories::hasRoomFor);
    }

    private boolean hasRoomFor(Producer producer, int moreQueues, int queuesComing) {
        long queuesNow = producer.queues.size();
        return (queuesNow + moreQueues + queuesComing) * (BYTES_PER_QUEUE + QueueHistory.BYTES_AT_FIRST) <= freeBytes();
    }

    private long freeBytes() {
        return maxBytes - queuesAdded * BYTES_PER_QUEUE - histories.heapBytes();
    }

    @Override
    public void written(long groupTimestamp, int queueId, long producerId, short epoch, long baseOffset) {
        synchronized (this) {
            Producer producer = producers.computeIfAbsent(producerId, id -> new Producer(id, epoch));
            add(producer, queueId);
            producer.beganMillis = producer.beganMillis < 0 ? groupTimestamp : producer.beganMillis;
        }
        histories.written(queueId, producerId, baseOffset);
    }

    @Override
    public void ended(int queueId, long producerId, long markerOffset, boolean committed) {
        histories.ended(queueId, producerId, markerOffset, committed);
        synchronized (this) {
            // Without a decision, either the marker is that of an administrator, so a batch may follow, or the entry
            // that ends the transaction is in the same group of the log.
            Producer producer = producers.get(producerId);
            if (producer != null && producer.decided && producer.queues.remove(queueId)) {
                queuesAdded--;
            }
        }
    }

    // ---- entries: log-writer thread, or while the store opens ----

    /**
     * Sets the producer id and epoch of a transactional id. A previous producer id is removed. After a decision, each
     * marker removes its queue.
     */
    synchronized void setProducer(long producerId, short epoch, boolean decided, long previousId) {
        Producer previous = previousId == producerId ? null : producers.remove(previousId);
        Producer producer = producers.computeIfAbsent(producerId, id -> new Producer(id, epoch));
        if (previous != null) {
            drop(previous);
            producer.lastBeganMillis = previous.lastBeganMillis;
        }
        producer.epoch = epoch;
        producer.ending = decided;
        producer.decided = decided;
    }

    synchronized void added(long groupTimestamp, long producerId, short epoch, int[] queueIds) {
        Producer producer = producers.computeIfAbsent(producerId, id -> new Producer(id, epoch));
        producer.beganMillis = producer.beganMillis < 0 ? groupTimestamp : producer.beganMillis;
        open(producer);
        for (int queueId : queueIds) {
            add(producer, queueId);
        }
    }

    /** The transaction has ended; its markers come before this in the log. */
    synchronized void transactionEnded(long producerId) {
        Producer producer = producers.get(producerId);
        if (producer != null) {
            drop(producer);
            producer.queues = new HashSet<>(4);
            producer.open = false;
            producer.ending = false;
            producer.decided = false;
            producer.lastBeganMillis = producer.beganMillis;
            producer.beganMillis = -1;
        }
    }

    synchronized void removeProducer(long producerId) {
        drop(producers.remove(producerId));
    }

    private void drop(@Nullable Producer producer) {
        queuesAdded -= producer == null ? 0 : producer.queues.size();
    }

    // ---- the coordinator ----

    private Producer find(long producerId) {
        return producers.getOrDefault(producerId, unknown);
    }

    synchronized boolean isOpen(long producerId) {
        return find(producerId).open;
    }

    /** Whether a transaction is open that a later epoch began. */
    synchronized boolean isOpenSince(long producerId, short epoch) {
        Producer producer = find(producerId);
        return producer.open && epoch < producer.epoch;
    }

    synchronized boolean hasAll(long producerId, int[] queueIds) {
        Producer producer = find(producerId);
        return producer.open && Arrays.stream(queueIds).allMatch(producer.queues::contains);
    }

    /** When its transaction began, according to the log, or -1. */
    synchronized long beganMillis(long producerId) {
        return find(producerId).beganMillis;
    }

    /** When its last transaction that has ended began, or -1 if that is not known since the start of the broker. */
    synchronized long lastBeganMillis(long producerId) {
        return find(producerId).lastBeganMillis;
    }

    synchronized int queueCount(long producerId) {
        return find(producerId).queues.size();
    }

    synchronized Open describe(long producerId) {
        Producer producer = find(producerId);
        return new Open(producer.beganMillis, Set.copyOf(producer.queues));
    }

    /** Admits no further batch of the transaction. Returns the queues that may have one, without deleted ones. */
    synchronized int[] close(long producerId) {
        Producer producer = producers.get(producerId);
        if (producer == null) {
            return new int[0];
        }
        producer.ending = true;
        return producer.queues.stream()
                .mapToInt(Integer::intValue)
                .filter(histories::exists)
                .sorted()
                .toArray();
    }

    /**
     * Admits no further batch of this producer and epoch, if it has no open transaction. Ends with the next {@link
     * #setProducer}.
     */
    synchronized boolean closeIfIdle(long producerId) {
        Producer producer = producers.get(producerId);
        if (producer == null) {
            return true;
        }
        producer.ending |= !producer.open;
        return !producer.open;
    }

    /** The end was not stored: undoes {@link #close} and {@link #closeIfIdle}. */
    synchronized void reopen(long producerId) {
        Producer producer = producers.get(producerId);
        if (producer != null) {
            producer.ending = false;
        }
    }

    // ---- snapshot ----

    /**
     * The durable state, as it is now: {@code | producers 4 | for each: id 8, epoch 2, began 8, queues 4, queue ids 4
     * each | histories as in QueueHistories |}. Log-writer thread.
     */
    synchronized ByteBuffer write() {
        int bytes = Integer.BYTES + histories.bytes();
        int openProducers = 0;
        for (Producer producer : producers.values()) {
            if (producer.beganMillis >= 0) {
                openProducers++;
                bytes += 22 + producer.queues.size() * Integer.BYTES;
            }
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
        histories.write(out);
        return out.flip();
    }

    /** Reads what {@link #write} has written. */
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
        histories.read(in);
    }
}
