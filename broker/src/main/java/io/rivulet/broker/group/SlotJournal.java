package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.Journal;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Appends entries of any length about a slot, in order. An entry that is too long for a log group is appended
 * in parts, each when the one before is durable. Other entries about the group wait for the last part, except those
 * about offsets.
 *
 * <p>Owned by: the coordinator thread.
 */
record SlotJournal(Journal journal, GroupTable table) {
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
                table.dropParts(slot);
            }
            done.accept(failure);
            appendWaiting(slot);
        });
    }

    /** Runs the waiting appends. If one of them has parts, the others wait for it again. */
    private static void appendWaiting(GroupSlot slot) {
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
