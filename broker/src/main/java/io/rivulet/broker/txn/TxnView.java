package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.coordinator.OwnedTable;
import io.rivulet.broker.coordinator.SnapshotEntries;
import io.rivulet.store.View;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Transactions as a view of the commit log. Changes of producers are applied at once, because the log writer reads
 * them; changes of transactional ids go to the coordinator thread. While the store opens, both are applied in place.
 *
 * <pre>
 * snapshot: | version 1 | length 4 | open transactions and histories |
 *           | an image of each transactional id, as in {@link SnapshotEntries} |
 * </pre>
 *
 * The first part is as of the request for the snapshot; ids may be newer. The replay is still correct, because each
 * image holds the whole state.
 *
 * <p>Thread-safe, through {@link OwnedTable}.
 */
final class TxnView implements View {
    static final int VIEW_ID = 5;

    private static final byte VERSION = 1;
    private static final int IDS_PER_SLICE = 4096;

    private final TxnTable table;
    private final OpenTransactions open;
    private final OwnedTable owned;

    TxnView(TxnTable table, OpenTransactions open, CoordinatorRuntime runtime) {
        this.table = table;
        this.open = open;
        this.owned = runtime.ownedTable(table::apply);
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
        applyToOpen(groupTimestamp, bytes.duplicate());
        owned.apply(bytes);
    }

    private void applyToOpen(long groupTimestamp, ByteBuffer entry) {
        switch (entry.get()) {
            case TxnEntryLayout.IMAGE -> name(TxnEntryLayout.takeImage(entry));
            case TxnEntryLayout.OVER -> {
                open.transactionEnded(entry.getLong());
                name(TxnEntryLayout.takeImage(entry));
            }
            case TxnEntryLayout.ADDED ->
                open.added(groupTimestamp, entry.getLong(), entry.getShort(), TxnEntryLayout.takeQueueIds(entry));
            case TxnEntryLayout.FORGOTTEN -> open.removeProducer(entry.getLong());
            case TxnEntryLayout.CLEANED -> open.histories().forgetBefore(entry.getInt(), entry.getLong());
            default -> throw new IllegalStateException("unknown type of a transaction entry");
        }
    }

    private void name(TxnImage image) {
        // The previous id of a decided image is valid only after the end of the transaction.
        long previousId = image.state().isDecided() ? image.producerId() : image.previousId();
        open.setProducer(image.producerId(), image.epoch(), image.state().isDecided(), previousId);
    }

    // ---- snapshot ----

    @Override
    public Snapshot snapshot() {
        ByteBuffer transactions = open.write();
        return out -> write(transactions.duplicate(), out);
    }

    private void write(ByteBuffer transactions, WritableByteChannel out) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(1 + Integer.BYTES);
        SnapshotEntries.writeFully(
                head.put(VERSION).putInt(transactions.remaining()).flip(), out);
        SnapshotEntries.writeFully(transactions, out);
        List<String> names = owned.ask(table::names);
        for (int from = 0; from < names.size(); from += IDS_PER_SLICE) {
            List<String> some = names.subList(from, Math.min(names.size(), from + IDS_PER_SLICE));
            SnapshotEntries.write(owned.ask(() -> images(some)), out);
        }
        SnapshotEntries.writeEnd(out);
    }

    private List<ByteBuffer> images(List<String> names) {
        List<ByteBuffer> images = new ArrayList<>(names.size());
        for (String name : names) {
            TransactionalId id = table.find(name);
            if (id != null) {
                images.add(TxnEntryLayout.image(id.image));
            }
        }
        return images;
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        owned.load(() -> read(in));
    }

    private void read(ReadableByteChannel in) throws IOException {
        DataInputStream data = SnapshotEntries.reader(in);
        byte version = data.readByte();
        if (version != VERSION) {
            throw new IOException(
                    "the snapshot of transactions has version " + version + "; this broker reads version " + VERSION);
        }
        open.read(SnapshotEntries.readFully(data, data.readInt()));
        SnapshotEntries.read(data, entry -> {
            entry.get();
            name(TxnEntryLayout.takeImage(entry));
            table.apply(entry.rewind());
        });
    }
}
