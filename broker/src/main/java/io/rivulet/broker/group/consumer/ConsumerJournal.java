package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.base.ImageStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a group's changes to the log, one entry after the other: what changes while one is under way goes with the
 * next. Entries hold values, not differences; what does not get into the log is dirty again, and goes with the next
 * entry as it is by then. So every durable entry makes sense without those that failed, and nobody is told what a crash
 * could take back.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ConsumerJournal {
    private final ConsumerGroup group;
    private final ImageStore images;
    private ChangedParts changes = new ChangedParts();
    private boolean underWay;
    /** Who waits for the entry under way, and who for the next one. */
    private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

    private List<Consumer<@Nullable Throwable>> waitingForNext = new ArrayList<>();

    ConsumerJournal(ConsumerGroup group, ImageStore images) {
        this.group = group;
        this.images = images;
    }

    /** What is not in the log yet, nor under way. */
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

    /** Begins an entry, if there is anything to write and none is under way. */
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
        // After a failure, the next request tries again; time alone does not.
        if (failure == null || !waitingForNext.isEmpty()) {
            write();
        }
        images.changed();
    }
}
