package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.protocol.wire.Uuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes groups and their committed offsets to a visitor, in slices. It meets the offsets that exist from start to end,
 * and perhaps others.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class OffsetWalk<T> implements LongQuestions.Question<T> {
    /** Receives groups, each followed by its offsets. Owned by: the coordinator thread. */
    public interface Visitor<T> {
        /**
         * @param members how many there are now
         * @return whether its offsets are wanted
         */
        boolean group(String id, int members);

        void offset(Uuid topic, int partition, long offset);

        /** Whether it wants more. */
        boolean goesOn();

        /** Once, at the end. */
        T result();
    }

    private static final int PARTS_PER_SLICE = 1000;

    private final GroupTable table;
    private final Visitor<T> visitor;
    private @Nullable List<String> ids;
    private int next;
    private int row;
    private boolean begun;
    private boolean skipsRest;

    /** @param ids the groups; null for all */
    OffsetWalk(GroupTable table, @Nullable List<String> ids, Visitor<T> visitor) {
        this.table = table;
        this.ids = ids;
        this.visitor = visitor;
    }

    /** If there are many groups, their offsets do not matter. */
    @Override
    public long parts() {
        if (ids != null || table.size() > PARTS_PER_SLICE) {
            return PARTS_PER_SLICE + 1;
        }
        long parts = 0;
        for (GroupSlot slot : table.all()) {
            parts += 1 + slot.offsets.limit();
        }
        return parts;
    }

    @Override
    public boolean goOn() {
        List<String> all = ids == null ? table.ids() : ids;
        ids = all;
        int left = PARTS_PER_SLICE;
        while (left > 0 && next < all.size() && visitor.goesOn()) {
            GroupSlot slot = table.find(all.get(next));
            left -= 1 + (slot == null ? 0 : visit(slot, left));
            if (slot == null || skipsRest || row >= slot.offsets.limit()) {
                next++;
                row = 0;
                begun = false;
                skipsRest = false;
            }
        }
        return next < all.size() && visitor.goesOn();
    }

    /** Returns how many rows were visited. */
    private int visit(GroupSlot slot, int most) {
        if (!begun) {
            begun = true;
            skipsRest = !visitor.group(slot.id, slot.group == null ? 0 : slot.group.memberCount());
        }
        if (skipsRest) {
            return 0;
        }
        CommittedOffsets offsets = slot.offsets;
        int from = row;
        for (int end = Math.min(offsets.limit(), from + most); row < end; row++) {
            if (offsets.exists(row)) {
                visitor.offset(offsets.topicId(row), offsets.partition(row), offsets.offset(row));
            }
        }
        return row - from;
    }

    @Override
    public T answer() {
        return visitor.result();
    }
}
