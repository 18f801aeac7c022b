package io.rivulet.broker.txn;

import io.rivulet.broker.internal.StateSource;
import java.util.List;

/**
 * All transactional ids as records. Ids that come after the start of an image are written when they change.
 *
 * <p>Owned by: the coordinator thread.
 */
record TxnStateSource(TxnTable table, TxnRecords records) implements StateSource {
    private static final int IDS_PER_SLICE = 1024;

    @Override
    public long changes() {
        return table.changes();
    }

    @Override
    public Image image() {
        return new Slices(table.names());
    }

    private final class Slices implements Image {
        private final List<String> names;
        private int next;

        Slices(List<String> names) {
            this.names = names;
        }

        @Override
        public boolean writeSlice() {
            int end = Math.min(names.size(), next + IDS_PER_SLICE);
            for (; next < end; next++) {
                TransactionalId id = table.find(names.get(next));
                if (id != null) {
                    records.write(id.image);
                }
            }
            return next < names.size();
        }
    }
}
