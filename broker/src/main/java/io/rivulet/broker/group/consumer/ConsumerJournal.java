package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.base.ImageStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a group's changes into the log, one entry at a time; changes that happen meanwhile go into the next. Entries
 * hold values, not differences. If an entry fails, its parts count as changed again and go into the next entry with
 * their newest values. So each durable entry is valid without the failed ones, and no response contains what a crash
 * could undo.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ConsumerJournal {
    private final ConsumerGroup group;
    private final ImageStore images;
    private ChangedParts changes = new ChangedParts();
    private boolean underWay;
    /** Callbacks for the entry in flight; below, for the next one. */
    private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

    private List<Consumer<@Nullable Throwable>> waitingForNext = new ArrayList<>();

    ConsumerJournal(ConsumerGroup group, ImageStore images) {
        this.group = group;
        this.images = images;
    }

    /** The changes that are neither durable nor in flight. */
    ChangedParts changes() {
        return changes;
    }

    boolean isQuiet() {
        return !underWay && changes.isEmpty();
    }

    void whenDurable(Consumer<@Nullable Throwable> action) {
        if (!changes.isEmpty()) {
            waitingForNext.add(action);
            write();
        } else if (underWay) {
            waiting.add(action);
        } else {
            action.accept(null);
        }
    }

    /** Appends an entry if there are changes and no entry is in flight. */
    void write() {
        if (underWay || changes.isEmpty()) {
            return;
        }
        ChangedParts taken = changes;
        changes = new ChangedParts();
        waiting = waitingForNext;
        waitingForNext = new ArrayList<>();
        underWay = true;
        ByteBuffer items = ConsumerEntryLayout.items(group, taken);
        images.store(items, failure -> written(taken, failure));
    }

    private void written(ChangedParts taken, @Nullable Throwable failure) {
        underWay = false;
        if (failure != null) {
            changes.addAll(taken);
        }
        List<Consumer<@Nullable Throwable>> results = waiting;
        waiting = new ArrayList<>();
        results.forEach(action -> action.accept(failure));
        // After a failure the next request tries again; nothing is retried by time.
        if (failure == null || !waitingForNext.isEmpty()) {
            write();
        }
        images.changed();
    }
}
