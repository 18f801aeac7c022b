package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.GroupImage;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.protocol.wire.Uuid;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Everything that belongs to a group id: the live group, and its state in the log.
 *
 * <p>Owned by: the coordinator thread.
 */
final class GroupSlot {
    private static final int OVERHEAD_BYTES = 300;

    final String id;
    final CommittedOffsets offsets;
    /** Null during the replay, and for a group that only commits offsets. */
    @Nullable
    Group group;
    /** The group's state in the log; null if there is none. */
    @Nullable
    GroupImage image;
    /** The type of the entries that the image is made of. */
    byte imageType;
    /** Offsets of open transactions; null if there are none. */
    @Nullable
    PendingOffsets pending;
    /** The first parts of a long entry; null if there is none. */
    @Nullable
    EntryParts parts;
    /** Entries in flight, and entries that wait to be appended. */
    int entriesUnderWay;
    /** Appends that wait until all parts of a long entry are durable; null if there is no such entry. */
    @Nullable
    Deque<Runnable> afterParts;

    private long countedBytes;

    GroupSlot(String id, CommittedOffsets offsets) {
        this.id = id;
        this.offsets = offsets;
    }

    /** Whether an open transaction may change the partition's offset. */
    boolean isPending(Uuid topic, int partition) {
        return pending != null && pending.has(topic, partition);
    }

    /** Updates the budget with the present size of the slot. The group counts its members. */
    void count(HeapBudget heap) {
        long bytes = OVERHEAD_BYTES
                + 2L * id.length()
                + offsets.heapBytes()
                + (pending == null ? 0 : pending.heapBytes())
                + (parts == null ? 0 : parts.heapBytes())
                + (image == null ? 0 : image.heapBytes());
        heap.add(bytes - countedBytes);
        countedBytes = bytes;
    }

    void uncount(HeapBudget heap) {
        heap.add(-countedBytes);
        countedBytes = 0;
    }
}
