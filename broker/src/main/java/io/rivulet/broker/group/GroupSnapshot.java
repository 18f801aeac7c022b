package io.rivulet.broker.group;

import io.rivulet.broker.group.offset.CommittedOffsets;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of all groups: a list of entries as in {@link GroupEntryLayout}. It is taken in slices while groups
 * change. Changes after its start are in the log too, and are replayed.
 *
 * <p>Owned by: the coordinator thread, slice by slice.
 */
final class GroupSnapshot {
    private static final int ROWS_PER_SLICE = 4096;

    private final GroupTable table;
    private final List<String> ids;
    private int next;
    private int row;
    private boolean begun;

    GroupSnapshot(GroupTable table) {
        this.table = table;
        this.ids = table.ids();
    }

    /** The entries of the next slice; null after the last. */
    @Nullable
    List<ByteBuffer> slice() {
        if (next == ids.size()) {
            return null;
        }
        List<ByteBuffer> entries = new ArrayList<>();
        int work = 0;
        while (next < ids.size() && work < ROWS_PER_SLICE) {
            GroupSlot slot = table.find(ids.get(next));
            work += slot == null ? 1 : slice(slot, ROWS_PER_SLICE - work, entries);
            if (slot == null || row >= slot.offsets.limit()) {
                next++;
                row = 0;
                begun = false;
            }
        }
        return entries;
    }

    private int slice(GroupSlot slot, int maxRows, List<ByteBuffer> entries) {
        if (!begun) {
            begun = true;
            addState(slot, entries);
        }
        CommittedOffsets offsets = slot.offsets;
        int limit = Math.min(offsets.limit(), row + maxRows);
        int rows = limit - row;
        long entryMillis = -1;
        long entryExpiryMillis = CommittedOffsets.BY_RETENTION;
        OffsetsEntry entry = OffsetsEntry.committed(slot.id, entryMillis, entryExpiryMillis);
        for (; row < limit; row++) {
            if (!offsets.exists(row)) {
                continue;
            }
            if (offsets.commitMillis(row) != entryMillis || offsets.ownExpiryMillis(row) != entryExpiryMillis) {
                entries.addAll(entry.entries());
                entryMillis = offsets.commitMillis(row);
                entryExpiryMillis = offsets.ownExpiryMillis(row);
                entry = OffsetsEntry.committed(slot.id, entryMillis, entryExpiryMillis);
            }
            entry.commit(
                    offsets.topicId(row),
                    offsets.partition(row),
                    offsets.offset(row),
                    offsets.leaderEpoch(row),
                    offsets.text(row));
        }
        entries.addAll(entry.entries());
        return rows + 1;
    }

    /** Everything but the committed offsets. */
    private static void addState(GroupSlot slot, List<ByteBuffer> entries) {
        if (slot.image != null) {
            entries.add(GroupEntryLayout.image(slot.imageType, slot.id, slot.image.bytes()));
        }
        if (slot.parts != null) {
            entries.add(slot.parts.soFar());
        }
        if (slot.pending != null) {
            slot.pending.forEach(
                    (producerId, rows) -> rows.forEach((topic, partition, offset, leaderEpoch, text, millis) -> {
                        OffsetsEntry entry = OffsetsEntry.inTransaction(slot.id, millis, producerId);
                        entry.commit(topic, partition, offset, leaderEpoch, text);
                        entries.addAll(entry.entries());
                    }));
        }
    }
}
