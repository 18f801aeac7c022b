package io.rivulet.broker.group;

import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.internal.StateSource;
import java.util.List;

/**
 * All groups and offsets as records. The ids of groups are copied at the start of an image; groups that come later are
 * written when they change.
 *
 * <p>Owned by: the coordinator thread.
 */
record GroupStateSource(GroupTable table, GroupRecords records) implements StateSource {
    private static final int ROWS_PER_SLICE = 1024;

    @Override
    public long changes() {
        return table.changes();
    }

    @Override
    public Image image() {
        return new Slices(table.ids());
    }

    private final class Slices implements Image {
        private final List<String> ids;
        private int next;
        private int row;
        private boolean begun;

        Slices(List<String> ids) {
            this.ids = ids;
        }

        @Override
        public boolean writeSlice() {
            int left = ROWS_PER_SLICE;
            while (next < ids.size() && left > 0 && !records.areFull()) {
                GroupSlot slot = table.find(ids.get(next));
                left -= slot == null ? 1 : write(slot, left);
                if (slot == null || row >= slot.offsets.limit()) {
                    next++;
                    row = 0;
                    begun = false;
                }
            }
            return next < ids.size();
        }

        private int write(GroupSlot slot, int maxRows) {
            if (!begun && slot.image != null) {
                records.image(slot, slot.imageType, slot.image.bytes());
            }
            begun = true;
            CommittedOffsets offsets = slot.offsets;
            int limit = Math.min(offsets.limit(), row + maxRows);
            int first = row;
            for (; row < limit && (row == first || !records.areFull()); row++) {
                if (offsets.exists(row)) {
                    records.offset(slot, row);
                }
            }
            return row - first + 1;
        }
    }
}
