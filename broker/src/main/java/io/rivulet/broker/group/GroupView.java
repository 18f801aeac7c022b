package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.OwnedTable;
import io.rivulet.store.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The groups as a view of the commit log: entries on their way from the log writer to the thread that owns the groups, and snapshots
 * on their way back. While the store opens, entries are applied in place.
 *
 * <p>Thread-safe. How the table is reached, {@link OwnedTable} says.
 */
final class GroupView implements View {
    static final int VIEW_ID = GroupEntryLayout.VIEW_ID;

    private final GroupTable table;
    private final OwnedTable owned;

    GroupView(OwnedTable owned, GroupTable table) {
        this.owned = owned;
        this.table = table;
    }

    /** The replay has ended: from now on the table belongs to the thread. */
    void goLive() {
        owned.goLive();
    }

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer bytes) {
        owned.apply(bytes);
    }

    @Override
    public Snapshot snapshot() {
        return this::write;
    }

    /** Every slice holds at least what the log held when the snapshot was asked for, for that was delivered before. */
    private void write(WritableByteChannel out) throws IOException {
        GroupSnapshot snapshot = owned.ask(() -> new GroupSnapshot(table));
        for (ByteBuffer slice = next(snapshot); slice != null; slice = next(snapshot)) {
            while (slice.hasRemaining()) {
                out.write(slice);
            }
        }
    }

    private @Nullable ByteBuffer next(GroupSnapshot snapshot) throws IOException {
        // Not the slice itself, for a supplier answers something.
        @Nullable ByteBuffer[] slice = {null};
        owned.ask(() -> {
            slice[0] = snapshot.slice();
            return slice;
        });
        return slice[0];
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        owned.load(() -> GroupSnapshot.read(in, table::apply));
    }
}
