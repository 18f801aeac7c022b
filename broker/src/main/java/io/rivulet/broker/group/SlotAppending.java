package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.Journal;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes entries about a slot to the log in the order in which they come, however long they are. One that no group of the log holds goes in
 * parts, each when the one before is durable; what else is said of the group, but for its offsets, waits until then.
 *
 * <p>Owned by: the thread that owns the groups.
 */
final class SlotAppending {
    private final Journal journal;
    private final GroupTable table;

    SlotAppending(Journal journal, GroupTable table) {
        this.journal = journal;
        this.table = table;
    }

    void append(GroupSlot slot, ByteBuffer entry, Consumer<@Nullable Throwable> done) {
        Deque<Runnable> waiting = slot.afterParts;
        if (waiting != null && !isAboutOffsets(entry)) {
            waiting.add(() -> append(slot, entry, done));
        } else if (EntryParts.isTooLong(entry)) {
            slot.afterParts = new ArrayDeque<>();
            appendFrom(0, slot, entry, EntryParts.checksum(entry), done);
        } else {
            journal.append(entry, done);
        }
    }

    private static boolean isAboutOffsets(ByteBuffer entry) {
        return switch (entry.get(entry.position())) {
            case GroupEntryLayout.OFFSETS, GroupEntryLayout.OFFSETS_DELETED, GroupEntryLayout.TXN_OFFSETS -> true;
            default -> false;
        };
    }

    private void appendFrom(
            int where, GroupSlot slot, ByteBuffer entry, int checksum, Consumer<@Nullable Throwable> done) {
        journal.append(EntryParts.part(slot.id, entry, checksum, where), failure -> {
            int next = where + GroupEntryLayout.MAX_BYTES;
            if (failure == null && next < entry.remaining()) {
                appendFrom(next, slot, entry, checksum, done);
                return;
            }
            if (failure != null) {
                table.forgetParts(slot);
            }
            done.accept(failure);
            goOn(slot);
        });
    }

    /** Until one of those that have waited is in parts again: then the rest waits for that. */
    private static void goOn(GroupSlot slot) {
        Deque<Runnable> waited = slot.afterParts;
        slot.afterParts = null;
        while (waited != null && !waited.isEmpty()) {
            if (slot.afterParts != null) {
                slot.afterParts.addAll(waited);
                return;
            }
            waited.remove().run();
        }
    }
}
