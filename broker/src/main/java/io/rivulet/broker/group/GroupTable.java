package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.EntryText;
import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.GroupImage;
import io.rivulet.broker.group.classic.ClassicStoredImage;
import io.rivulet.broker.group.consumer.ConsumerImage;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.group.offset.TopicNumbers;
import io.rivulet.broker.group.share.ShareImage;
import io.rivulet.broker.group.streams.StreamsImage;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All slots by group id. {@link #apply} takes durable entries, live and in a replay; the live groups are kept beside
 * that state.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
final class GroupTable {
    private final HeapBudget heap;
    private final GroupRecords records;
    private final TopicNumbers topics = new TopicNumbers();
    private final Map<String, GroupSlot> slots = new HashMap<>();
    /** The slots that have offsets of a producer's transaction. */
    private final Map<Long, Set<GroupSlot>> pending = new HashMap<>();

    private long changes;

    /** @param records written while they are read */
    GroupTable(HeapBudget heap, GroupRecords records) {
        this.heap = heap;
        this.records = records;
    }

    /** Increases with each entry. */
    long changes() {
        return changes;
    }

    int size() {
        return slots.size();
    }

    Collection<GroupSlot> all() {
        return slots.values();
    }

    List<String> ids() {
        return new ArrayList<>(slots.keySet());
    }

    @Nullable
    GroupSlot find(String id) {
        return slots.get(id);
    }

    GroupSlot findOrAdd(String id) {
        GroupSlot slot = slots.get(id);
        if (slot == null) {
            slot = new GroupSlot(id, new CommittedOffsets(topics));
            slots.put(id, slot);
            slot.count(heap);
        }
        return slot;
    }

    /** Removes the slot if it is there, it is empty, no client is joining, and no entry is in flight. */
    void removeIfUnused(GroupSlot slot) {
        Group group = slot.group;
        if (slots.get(slot.id) == slot
                && slot.image == null
                && slot.offsets.count() == 0
                && slot.pending == null
                && slot.parts == null
                && slot.entriesUnderWay == 0
                && (group == null || group.isIdle())) {
            slots.remove(slot.id);
            slot.uncount(heap);
            if (group != null) {
                group.close();
            }
        }
    }

    // ---- entries of the log ----

    /** Applies the entry from position to limit. The buffer is not kept. */
    void apply(ByteBuffer entry) {
        changes++;
        applyEntry(entry);
        if (records.areRead()) {
            records.flush();
        }
    }

    private void applyEntry(ByteBuffer entry) {
        byte type = entry.get();
        if (type == GroupEntryLayout.TXN_OVER) {
            transactionOver(entry.getLong(), entry.get() != 0);
            return;
        }
        GroupSlot slot = findOrAdd(EntryText.take(entry));
        switch (type) {
            case GroupEntryLayout.GROUP,
                    GroupEntryLayout.CONSUMER_GROUP,
                    GroupEntryLayout.SHARE_GROUP,
                    GroupEntryLayout.STREAMS_GROUP -> applyImage(slot, type, entry);
            case GroupEntryLayout.GROUP_DELETED -> {
                if (records.areRead()) {
                    records.imageRemoved(slot);
                    records.offsetsRemoved(slot);
                }
                slot.image = null;
                slot.offsets.clear();
                dropPending(slot);
            }
            case GroupEntryLayout.TXN_OFFSETS -> putPending(slot, entry.getLong(), entry);
            case GroupEntryLayout.OFFSETS -> putOffsets(new Written(slot, slot.offsets::put), entry);
            case GroupEntryLayout.EXPIRING_OFFSETS -> putExpiring(slot, entry.getLong(), entry);
            case GroupEntryLayout.OFFSETS_DELETED -> removeOffsets(slot, entry);
            case GroupEntryLayout.PART -> applyPart(slot, entry);
            default -> throw new IllegalStateException("unknown type of a group entry: " + type);
        }
        slot.count(heap);
        removeIfUnused(slot);
    }

    private void applyImage(GroupSlot slot, byte type, ByteBuffer entry) {
        if (records.areRead()) {
            if (slot.imageType != type) {
                records.imageRemoved(slot);
            }
            records.image(slot, type, entry.duplicate());
        }
        GroupImage image = slot.image == null || slot.imageType != type ? newImage(type) : slot.image;
        slot.image = image;
        slot.imageType = type;
        image.apply(entry);
    }

    /** The entry types of images, and so the kinds of groups. */
    private static GroupImage newImage(byte type) {
        return switch (type) {
            case GroupEntryLayout.GROUP -> new ClassicStoredImage();
            case GroupEntryLayout.CONSUMER_GROUP -> new ConsumerImage();
            case GroupEntryLayout.SHARE_GROUP -> new ShareImage();
            case GroupEntryLayout.STREAMS_GROUP -> new StreamsImage();
            default -> throw new IllegalStateException("unknown kind of group: " + type);
        };
    }

    private void applyPart(GroupSlot slot, ByteBuffer part) {
        EntryParts parts = EntryParts.with(slot.parts, slot.id, part);
        boolean complete = parts != null && parts.isComplete();
        slot.parts = complete ? null : parts;
        if (complete && parts != null) {
            applyEntry(parts.entry());
        }
    }

    /** Drops the parts of an entry whose remaining parts will not be written. */
    void dropParts(GroupSlot slot) {
        if (slot.parts != null) {
            slot.parts = null;
            slot.count(heap);
            removeIfUnused(slot);
        }
    }

    // ---- transactions ----

    boolean hasPending(long producerId) {
        return pending.containsKey(producerId);
    }

    private void putPending(GroupSlot slot, long producerId, ByteBuffer entry) {
        PendingOffsets waiting = slot.pending == null ? new PendingOffsets(topics) : slot.pending;
        slot.pending = waiting;
        pending.computeIfAbsent(producerId, id -> new HashSet<>(4)).add(slot);
        putOffsets(
                (topic, partition, offset, leaderEpoch, text, millis) ->
                        waiting.put(producerId, topic, partition, offset, leaderEpoch, text, millis),
                entry);
    }

    private void transactionOver(long producerId, boolean committed) {
        Set<GroupSlot> concerned = pending.remove(producerId);
        if (concerned == null) {
            return;
        }
        for (GroupSlot slot : concerned) {
            PendingOffsets waiting = slot.pending;
            CommittedOffsets rows = waiting == null ? null : waiting.remove(producerId);
            if (waiting != null && waiting.isEmpty()) {
                slot.pending = null;
            }
            if (rows != null) {
                if (committed) {
                    rows.forEach(new Written(slot, slot.offsets::put));
                }
                rows.clear();
            }
            slot.count(heap);
            removeIfUnused(slot);
        }
    }

    private void dropPending(GroupSlot slot) {
        PendingOffsets waiting = slot.pending;
        slot.pending = null;
        if (waiting != null) {
            for (long producerId : waiting.producers()) {
                Set<GroupSlot> concerned = pending.get(producerId);
                if (concerned != null && concerned.remove(slot) && concerned.isEmpty()) {
                    pending.remove(producerId);
                }
            }
            waiting.clear();
        }
    }

    private void putExpiring(GroupSlot slot, long expiryMillis, ByteBuffer entry) {
        CommittedOffsets offsets = slot.offsets;
        putOffsets(
                new Written(slot, (topic, partition, offset, leaderEpoch, text, millis) -> {
                    offsets.put(topic, partition, offset, leaderEpoch, text, millis);
                    offsets.expireAt(topic, partition, expiryMillis);
                }),
                entry);
    }

    /** Puts an offset, and writes its record if the records are read. */
    private final class Written implements CommittedOffsets.Visitor {
        private final GroupSlot slot;
        private final CommittedOffsets.Visitor offsets;
        private final boolean read = records.areRead();

        Written(GroupSlot slot, CommittedOffsets.Visitor offsets) {
            this.slot = slot;
            this.offsets = offsets;
        }

        @Override
        public void row(Uuid topic, int partition, long offset, int leaderEpoch, @Nullable String text, long millis) {
            offsets.row(topic, partition, offset, leaderEpoch, text, millis);
            if (read) {
                records.offset(slot, topic, partition);
            }
        }
    }

    private static void putOffsets(CommittedOffsets.Visitor offsets, ByteBuffer entry) {
        long millis = entry.getLong();
        while (entry.hasRemaining()) {
            Uuid topic = GroupEntryLayout.takeId(entry);
            for (int left = entry.getInt(); left > 0; left--) {
                offsets.row(
                        topic, entry.getInt(), entry.getLong(), entry.getInt(), EntryText.takeOrNull(entry), millis);
            }
        }
    }

    private void removeOffsets(GroupSlot slot, ByteBuffer entry) {
        boolean read = records.areRead();
        while (entry.hasRemaining()) {
            Uuid topic = GroupEntryLayout.takeId(entry);
            for (int left = entry.getInt(); left > 0; left--) {
                int partition = entry.getInt();
                slot.offsets.remove(topic, partition);
                if (read) {
                    records.offset(slot, topic, partition);
                }
            }
        }
    }
}
