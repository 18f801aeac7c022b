package io.rivulet.broker.txn;

import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.producer.TransactionGate;
import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import io.rivulet.store.view.BatchGate;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which producers may write in a transaction, what each has open, and what is stable in each queue. It stands between the log writer,
 * which lets batches in, and the coordinator, which ends transactions: after {@link #close} no batch of the transaction gets into the
 * log any more, and the queues that it answers are all that have one.
 *
 * <p>Queues without transactions cost nothing. What is durable here is a function of batches, markers and entries; a queue that was
 * added by a batch which was taken back only gets a marker more.
 *
 * <p>Producers are guarded by the monitor; histories by their own. The log writer alone adds and removes histories.
 */
public final class OpenTransactions implements TransactionGate, StableOffsets {
    /** Finds out about queues. */
    public interface Queues {
        boolean exists(int queueId);

        long startOffset(int queueId);
    }

    /** What is open of a transaction: since when, as the log says, or -1; and the queues that belong to it. */
    record Open(long beganMillis, Set<Integer> queues) {}

    private static final int BYTES_PER_QUEUE = 150;
    private static final int BYTES_PER_ABORTED = 32;
    private static final int LOOK_EVERY = 64;

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

    private long queuesAdded;
    private long abortedEntries;
    private int endsSinceLook;
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

    // ---- the gate: log-writer thread ----

    @Override
    public synchronized long check(int queueId, long producerId, short epoch, boolean addsItself) {
        Producer producer = producers.get(producerId);
        if (producer == null) {
            return SequenceGate.UNKNOWN_PRODUCER;
        }
        if (epoch != producer.epoch) {
            return SequenceGate.FENCED;
        }
        if (producer.ending) {
            return SequenceGate.ENDING;
        }
        if (producer.queues.contains(queueId)) {
            return BatchGate.ADMIT;
        }
        if (!addsItself) {
            return SequenceGate.NOT_ADDED;
        }
        if (!hasRoomFor(1)) {
            return SequenceGate.TOO_MANY;
        }
        add(producer, queueId);
        return BatchGate.ADMIT;
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

    /** Whether a transaction may have so many queues more. */
    synchronized boolean hasRoomFor(int moreQueues) {
        return (queuesAdded + moreQueues) * BYTES_PER_QUEUE + abortedEntries * BYTES_PER_ABORTED <= maxBytes;
    }

    @Override
    public void written(long groupTimestamp, int queueId, long producerId, short epoch, long baseOffset) {
        synchronized (this) {
            Producer producer = producers.computeIfAbsent(producerId, id -> new Producer(id, epoch));
            add(producer, queueId);
            producer.beganMillis = producer.beganMillis < 0 ? groupTimestamp : producer.beganMillis;
        }
        histories.computeIfAbsent(queueId, id -> new QueueHistory()).written(producerId, baseOffset);
    }

    @Override
    public void ended(int queueId, long producerId, long markerOffset, boolean committed) {
        QueueHistory history = histories.get(queueId);
        if (history != null) {
            int abortedBefore = history.abortedCount();
            if (history.ended(producerId, markerOffset, committed)) {
                moved.add(queueId);
            }
            history.trim(queues.exists(queueId) ? queues.startOffset(queueId) : Long.MAX_VALUE);
            countAborted(history.abortedCount() - abortedBefore);
            if (history.isEmpty()) {
                histories.remove(queueId);
            }
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

    private synchronized void countAborted(int more) {
        abortedEntries += more;
    }

    /** After as many ends as there are histories, so that it costs each of them one look. */
    private void forgetWhatWasTrimmed() {
        histories.forEach((queueId, history) -> {
            boolean exists = queues.exists(queueId);
            countAborted(-history.trim(exists ? queues.startOffset(queueId) : Long.MAX_VALUE));
            if (!exists || history.isEmpty()) {
                histories.remove(queueId);
            }
        });
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
            abortedEntries += history.abortedCount();
            histories.put(queueId, history);
        }
    }
}
