package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.EntryText;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.protocol.wire.Uuid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds entries about offsets, for commits, deletions and snapshots: one entry, or several if one would become too
 * long.
 *
 * <p>Owned by: the thread that uses it.
 */
final class OffsetsEntry {
    private static final int INITIAL_BYTES = 256;
    private final String groupId;
    private final List<ByteBuffer> complete = new ArrayList<>(1);
    private final byte type;
    private final long millis;
    /** The producer id of TXN_OFFSETS, or the expiry of EXPIRING_OFFSETS. */
    private final long first;

    private @Nullable ByteBuffer entry;
    private @Nullable Uuid topic;
    private int countAt;

    private OffsetsEntry(byte type, String groupId, long millis, long first) {
        this.first = first;
        this.type = type;
        this.groupId = groupId;
        this.millis = millis;
    }

    /**
     * @param millis the commit time of all of them
     * @param expiryMillis when they expire, or {@link CommittedOffsets#BY_RETENTION}
     */
    static OffsetsEntry committed(String groupId, long millis, long expiryMillis) {
        byte type = expiryMillis == CommittedOffsets.BY_RETENTION
                ? GroupEntryLayout.OFFSETS
                : GroupEntryLayout.EXPIRING_OFFSETS;
        return new OffsetsEntry(type, groupId, millis, expiryMillis);
    }

    static OffsetsEntry deleted(String groupId) {
        return new OffsetsEntry(GroupEntryLayout.OFFSETS_DELETED, groupId, 0, 0);
    }

    /** Offsets that are committed with the producer's transaction. */
    static OffsetsEntry inTransaction(String groupId, long millis, long producerId) {
        return new OffsetsEntry(GroupEntryLayout.TXN_OFFSETS, groupId, millis, producerId);
    }

    void commit(Uuid topicId, int partition, long offset, int leaderEpoch, @Nullable String text) {
        String kept = text == null || text.isEmpty() ? null : text;
        ByteBuffer place = place(topicId, GroupEntryLayout.OFFSET_BYTES + (kept == null ? 0 : 3 * kept.length()));
        place.putInt(partition).putLong(offset).putInt(leaderEpoch);
        EntryText.put(place, kept);
    }

    void delete(Uuid topicId, int partition) {
        place(topicId, Integer.BYTES).putInt(partition);
    }

    /** Counts one more partition, and returns a buffer with room for its bytes. */
    private ByteBuffer place(Uuid topicId, int bytes) {
        int needed = GroupEntryLayout.TOPIC_BYTES + bytes;
        ByteBuffer current = entry;
        if (current != null && current.position() + needed > GroupEntryLayout.MAX_BYTES) {
            finish();
            current = null;
        }
        if (current == null) {
            current = newEntry(needed);
        } else if (current.remaining() < needed) {
            current = ByteBuffer.allocate(Math.max(2 * current.capacity(), current.position() + needed))
                    .put(current.flip());
        }
        entry = current;
        if (!topicId.equals(topic)) {
            countAt = GroupEntryLayout.putTopic(current, topicId);
            topic = topicId;
        }
        current.putInt(countAt, current.getInt(countAt) + 1);
        return current;
    }

    private ByteBuffer newEntry(int needed) {
        ByteBuffer begun = GroupEntryLayout.head(type, groupId, 2 * Long.BYTES + Math.max(INITIAL_BYTES, needed));
        if (type == GroupEntryLayout.TXN_OFFSETS || type == GroupEntryLayout.EXPIRING_OFFSETS) {
            begun.putLong(first);
        }
        return type == GroupEntryLayout.OFFSETS_DELETED ? begun : begun.putLong(millis);
    }

    private void finish() {
        ByteBuffer current = entry;
        if (current != null) {
            complete.add(current.flip());
            entry = null;
            topic = null;
        }
    }

    /** The entries, flipped; empty if nothing was written. */
    List<ByteBuffer> entries() {
        finish();
        return complete;
    }
}
