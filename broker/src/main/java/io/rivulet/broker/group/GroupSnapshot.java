package io.rivulet.broker.group;

import io.rivulet.broker.group.base.GroupImage;
import io.rivulet.broker.group.offset.CommittedOffsets;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of all groups, as a list of entries. It is taken in slices while groups change.
 *
 * <pre>
 * | for each entry: length 4, entry as in {@link GroupEntryLayout} | 0 4 |
 * </pre>
 *
 * <p>Crash policy: the store keeps snapshots checksummed and uses a complete one or none. Changes that happen meanwhile
 * are in the log after the snapshot, and are replayed.
 *
 * <p>Owned by: the coordinator thread, slice by slice.
 */
final class GroupSnapshot {
    private static final int ROWS_PER_SLICE = 4096;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int END = 0;

    private final GroupTable table;
    private final List<String> ids;
    private int next;
    private int row;
    private boolean begun;

    GroupSnapshot(GroupTable table) {
        this.table = table;
        this.ids = table.ids();
    }

    /** The next slice of the snapshot; null after the last. */
    @Nullable
    ByteBuffer slice() {
        if (next > ids.size()) {
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
        boolean last = next == ids.size();
        next += last ? 1 : 0;
        return framed(entries, last);
    }

    private int slice(GroupSlot slot, int maxRows, List<ByteBuffer> entries) {
        GroupImage image = slot.image;
        if (!begun && image != null) {
            entries.add(GroupEntryLayout.image(slot.imageType, slot.id, image.bytes()));
        }
        EntryParts parts = slot.parts;
        if (!begun && parts != null) {
            entries.add(parts.soFar());
        }
        PendingOffsets pending = slot.pending;
        if (!begun && pending != null) {
            pending.forEach((producerId, rows) -> addPending(slot, producerId, rows, entries));
        }
        begun = true;
        CommittedOffsets offsets = slot.offsets;
        int limit = Math.min(offsets.limit(), row + maxRows);
        int rows = limit - row;
        long millis = -1;
        OffsetsEntry entry = null;
        for (; row < limit; row++) {
            if (!offsets.exists(row)) {
                continue;
            }
            if (entry == null || offsets.commitMillis(row) != millis) {
                if (entry != null) {
                    entries.addAll(entry.entries());
                }
                millis = offsets.commitMillis(row);
                entry = OffsetsEntry.committed(slot.id, millis);
            }
            entry.commit(
                    offsets.topicId(row),
                    offsets.partition(row),
                    offsets.offset(row),
                    offsets.leaderEpoch(row),
                    offsets.text(row));
        }
        if (entry != null) {
            entries.addAll(entry.entries());
        }
        return rows + 1;
    }

    private static void addPending(GroupSlot slot, long producerId, CommittedOffsets rows, List<ByteBuffer> entries) {
        for (int row = 0; row < rows.limit(); row++) {
            if (rows.exists(row)) {
                OffsetsEntry entry = OffsetsEntry.inTransaction(slot.id, rows.commitMillis(row), producerId);
                entry.commit(
                        rows.topicId(row),
                        rows.partition(row),
                        rows.offset(row),
                        rows.leaderEpoch(row),
                        rows.text(row));
                entries.addAll(entry.entries());
            }
        }
    }

    private static ByteBuffer framed(List<ByteBuffer> entries, boolean last) {
        int bytes = last ? Integer.BYTES : 0;
        for (ByteBuffer entry : entries) {
            bytes += Integer.BYTES + entry.remaining();
        }
        ByteBuffer slice = ByteBuffer.allocate(bytes);
        for (ByteBuffer entry : entries) {
            slice.putInt(entry.remaining()).put(entry);
        }
        if (last) {
            slice.putInt(END);
        }
        return slice.flip();
    }

    static void read(ReadableByteChannel in, Consumer<ByteBuffer> entries) throws IOException {
        DataInputStream data = new DataInputStream(new BufferedInputStream(Channels.newInputStream(in), BUFFER_BYTES));
        for (int length = data.readInt(); length != END; length = data.readInt()) {
            byte[] entry = data.readNBytes(length);
            if (entry.length < length) {
                throw new EOFException("the snapshot of the groups is cut off");
            }
            entries.accept(ByteBuffer.wrap(entry));
        }
    }
}
