package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.consumer.ConsumerImage;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.protocol.wire.Uuid;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * All there is under a group id: the group as it lives, and what the log says of it.
 *
 * <p>Owned by: the thread that owns the groups.
 */
final class GroupSlot {
    private static final int OVERHEAD_BYTES = 300;

    final String id;
    final CommittedOffsets offsets;
    /** Null before the replay has ended, and while only offsets are known. */
    @Nullable
    Group group;
    /** The group's last image in the log, which a snapshot repeats; null when it has none. */
    byte @Nullable [] image;
    /** What the log says of a group of the consumer protocol; null when it has none. Of the two images there is one at most. */
    @Nullable
    ConsumerImage consumerImage;
    /** Offsets of transactions that are not over; null when there are none. */
    @Nullable
    PendingOffsets pending;
    /** The beginning of an entry that stands in the log in parts; null when there is none. */
    @Nullable
    EntryParts parts;
    /** Entries that are on their way into the log, or wait for it. */
    int entriesUnderWay;
    /** What waits until all parts of an entry are in the log; null when there is no such entry. */
    @Nullable
    Deque<Runnable> afterParts;

    private long countedBytes;

    GroupSlot(String id, CommittedOffsets offsets) {
        this.id = id;
        this.offsets = offsets;
    }

    /** Whether the outcome of a transaction decides what the partition's offset is. */
    boolean isPending(Uuid topic, int partition) {
        return pending != null && pending.has(topic, partition);
    }

    /** Tells the budget how much it takes now; members are counted by their group. */
    void count(HeapBudget heap) {
        byte[] kept = image;
        ConsumerImage consumer = consumerImage;
        PendingOffsets waiting = pending;
        EntryParts begun = parts;
        long bytes = OVERHEAD_BYTES
                + (waiting == null ? 0 : waiting.heapBytes())
                + (begun == null ? 0 : begun.heapBytes())
                + 2L * id.length()
                + offsets.heapBytes()
                + (kept == null ? 0 : kept.length)
                + (consumer == null ? 0 : consumer.heapBytes());
        heap.add(bytes - countedBytes);
        countedBytes = bytes;
    }

    void uncount(HeapBudget heap) {
        heap.add(-countedBytes);
        countedBytes = 0;
    }
}
