package io.rivulet.broker.group.base;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes a group's changes into the log, one entry at a time; changes that happen meanwhile go into the next. Entries
 * hold values, not differences. If an entry fails, its parts count as changed again and go into the next entry with
 * their newest values. So each durable entry is valid without the failed ones, and no response contains what a crash
 * could undo.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ItemJournal {
    private final ImageStore images;
    private final Function<ChangedParts, ByteBuffer> items;
    private ChangedParts changes = new ChangedParts();
    private boolean underWay;
    /** Callbacks for the entry in flight; below, for the next one. */
    private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

    private List<Consumer<@Nullable Throwable>> waitingForNext = new ArrayList<>();

    /** @param items the entry with these parts, as they are now */
    public ItemJournal(ImageStore images, Function<ChangedParts, ByteBuffer> items) {
        this.images = images;
        this.items = items;
    }

    /** The changes that are neither durable nor in flight. */
    public ChangedParts changes() {
        return changes;
    }

    public boolean isQuiet() {
        return !underWay && changes.isEmpty();
    }

    public void whenDurable(Consumer<@Nullable Throwable> action) {
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
    public void write() {
        if (underWay || changes.isEmpty()) {
            return;
        }
        ChangedParts taken = changes;
        changes = new ChangedParts();
        waiting = waitingForNext;
        waitingForNext = new ArrayList<>();
        underWay = true;
        images.store(items.apply(taken), failure -> written(taken, failure));
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
