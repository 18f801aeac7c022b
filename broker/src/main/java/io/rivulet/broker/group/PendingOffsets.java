package io.rivulet.broker.group;

import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.group.offset.TopicNumbers;
import io.rivulet.protocol.wire.Uuid;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Offsets that open transactions have committed to one group, by producer id.
 *
 * <p>Owned by: the coordinator thread.
 */
final class PendingOffsets {
    private static final int OVERHEAD_BYTES = 300;

    private final TopicNumbers topics;
    private final Map<Long, CommittedOffsets> byProducer = new HashMap<>(4);
    /** For each partition how many transactions have an offset, stored as the row's offset. */
    private final CommittedOffsets transactions;

    /** The heap bytes of all producers' rows. */
    private long rowBytes;

    PendingOffsets(TopicNumbers topics) {
        this.topics = topics;
        this.transactions = new CommittedOffsets(topics);
    }

    boolean isEmpty() {
        return byProducer.isEmpty();
    }

    Set<Long> producers() {
        return byProducer.keySet();
    }

    void forEach(BiConsumer<Long, CommittedOffsets> action) {
        byProducer.forEach(action);
    }

    /** Whether an open transaction may change the partition's offset. */
    boolean has(Uuid topic, int partition) {
        return transactions.row(topic, partition) != CommittedOffsets.NONE;
    }

    void put(
            long producerId,
            Uuid topic,
            int partition,
            long offset,
            int leaderEpoch,
            @Nullable String text,
            long millis) {
        CommittedOffsets rows = byProducer.computeIfAbsent(producerId, id -> new CommittedOffsets(topics));
        rowBytes -= rows.heapBytes();
        if (rows.row(topic, partition) == CommittedOffsets.NONE) {
            count(topic, partition, 1);
        }
        rows.put(topic, partition, offset, leaderEpoch, text, millis);
        rowBytes += rows.heapBytes();
    }

    private void count(Uuid topic, int partition, int more) {
        int row = transactions.row(topic, partition);
        long count = more + (row == CommittedOffsets.NONE ? 0 : transactions.offset(row));
        if (count == 0) {
            transactions.remove(row);
        } else {
            transactions.put(topic, partition, count, 0, null, 0);
        }
    }

    /**
     * Removes and returns the rows of a producer whose transaction has ended; the caller clears them. Null if there are
     * none.
     */
    @Nullable
    CommittedOffsets remove(long producerId) {
        CommittedOffsets rows = byProducer.remove(producerId);
        if (rows != null) {
            rowBytes -= rows.heapBytes();
            rows.forEach((topic, partition, offset, leaderEpoch, text, millis) -> count(topic, partition, -1));
        }
        return rows;
    }

    /** It must not be used afterwards. */
    void clear() {
        byProducer.values().forEach(CommittedOffsets::clear);
        transactions.clear();
    }

    long heapBytes() {
        return (long) OVERHEAD_BYTES * byProducer.size() + rowBytes + transactions.heapBytes();
    }
}
