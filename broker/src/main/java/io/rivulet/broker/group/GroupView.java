package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.OwnedTable;
import io.rivulet.broker.coordinator.SnapshotEntries;
import io.rivulet.store.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Optional;
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
        for (List<ByteBuffer> slice = next(snapshot); slice != null; slice = next(snapshot)) {
            SnapshotEntries.write(slice, out);
        }
        SnapshotEntries.writeEnd(out);
    }

    private @Nullable List<ByteBuffer> next(GroupSnapshot snapshot) throws IOException {
        return owned.ask(() -> Optional.ofNullable(snapshot.slice())).orElse(null);
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        owned.load(() -> SnapshotEntries.read(SnapshotEntries.reader(in), table::apply));
    }
}
