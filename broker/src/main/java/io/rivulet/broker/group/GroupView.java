package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.OwnedTable;
import io.rivulet.store.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The groups as a view of the commit log: passes entries from the log writer to the coordinator thread, and takes
 * snapshots there.
 *
 * <p>Thread-safe, through {@link OwnedTable}.
 */
final class GroupView implements View {
    static final int VIEW_ID = GroupEntryLayout.VIEW_ID;

    private final GroupTable table;
    private final OwnedTable owned;

    GroupView(OwnedTable owned, GroupTable table) {
        this.owned = owned;
        this.table = table;
    }

    /** The replay has ended: from now on the table belongs to the coordinator thread. */
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

    /**
     * Each slice holds at least the entries that were durable when the snapshot was requested, because they were
     * delivered before.
     */
    private void write(WritableByteChannel out) throws IOException {
        GroupSnapshot snapshot = owned.ask(() -> new GroupSnapshot(table));
        for (ByteBuffer slice = next(snapshot); slice != null; slice = next(snapshot)) {
            while (slice.hasRemaining()) {
                out.write(slice);
            }
        }
    }

    private @Nullable ByteBuffer next(GroupSnapshot snapshot) throws IOException {
        // A supplier must not return null, so the slice is passed in an array.
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
