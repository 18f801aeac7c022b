package io.rivulet.broker.txn;

import io.rivulet.broker.coordinator.EntryText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All transactional ids. {@link #apply} takes durable entries, live and in a replay.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
final class TxnTable {
    /** Heap bytes of the object, its image, entries in three maps, and a timer. */
    private static final long BYTES_PER_ID = 500;

    private final Map<String, TransactionalId> ids = new HashMap<>();
    private final Map<Long, TransactionalId> byProducer = new HashMap<>();
    private final TxnRecords records;
    private long textBytes;
    private long changes;

    /** @param records written while they are read */
    TxnTable(TxnRecords records) {
        this.records = records;
    }

    /** Increases with each change of an id. */
    long changes() {
        return changes;
    }

    /** A transaction of the id has begun. */
    void began(TransactionalId id) {
        changes++;
        if (records.areRead()) {
            records.write(id.image);
            records.flush();
        }
    }

    int size() {
        return ids.size();
    }

    /** The approximate heap bytes of the ids. */
    long heapBytes() {
        return BYTES_PER_ID * ids.size() + textBytes;
    }

    static long heapBytes(String id) {
        return BYTES_PER_ID + textBytes(id);
    }

    private static long textBytes(String id) {
        return 2L * id.length();
    }

    Collection<TransactionalId> all() {
        return ids.values();
    }

    List<String> names() {
        return new ArrayList<>(ids.keySet());
    }

    @Nullable
    TransactionalId find(String id) {
        return ids.get(id);
    }

    @Nullable
    TransactionalId find(long producerId) {
        return byProducer.get(producerId);
    }

    void apply(ByteBuffer entry) {
        switch (entry.get()) {
            case TxnEntryLayout.IMAGE -> put(TxnEntryLayout.takeImage(entry));
            case TxnEntryLayout.OVER -> {
                entry.getLong();
                put(TxnEntryLayout.takeImage(entry));
            }
            case TxnEntryLayout.ADDED, TxnEntryLayout.CLEANED -> {
                // only for OpenTransactions
            }
            case TxnEntryLayout.FORGOTTEN -> {
                byProducer.remove(entry.getLong());
                String id = EntryText.take(entry);
                changes++;
                if (records.areRead()) {
                    records.forgotten(id);
                    records.flush();
                }
                textBytes -= ids.remove(id) == null ? 0 : textBytes(id);
            }
            default -> throw new IllegalStateException("unknown type of a transaction entry");
        }
    }

    private void put(TxnImage image) {
        TransactionalId known = ids.get(image.id());
        if (known == null) {
            known = new TransactionalId(image);
            ids.put(image.id(), known);
            textBytes += textBytes(image.id());
        } else {
            byProducer.remove(known.image.producerId());
            known.image = image;
        }
        byProducer.put(image.producerId(), known);
        changes++;
        if (records.areRead()) {
            records.write(image);
            records.flush();
        }
    }
}
