package io.rivulet.broker.group.consumer;

import io.rivulet.broker.group.base.ImageStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a group's changes to the log, one entry after the other: what changes while one is under way goes with the next. Entries hold
 * values, not differences; what does not get into the log is dirty again, and goes with the next entry as it is by then. So every
 * durable entry makes sense without those that failed, and nobody is told what a crash could take back.
 *
 * <p>Owned by: the thread that owns the groups.
 */
final class ConsumerJournal {
    private final ConsumerGroup group;
    private final ImageStore images;
    private Dirt dirt = new Dirt();
    private boolean underWay;
    /** Who waits for the entry under way, and who for the next one. */
    private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

    private List<Consumer<@Nullable Throwable>> waitingForNext = new ArrayList<>();

    ConsumerJournal(ConsumerGroup group, ImageStore images) {
        this.group = group;
        this.images = images;
    }

    /** What is not in the log yet, nor under way. */
    Dirt dirt() {
        return dirt;
    }

    boolean isQuiet() {
        return !underWay && dirt.isClean();
    }

    void whenDurable(Consumer<@Nullable Throwable> action) {
        if (!dirt.isClean()) {
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
        if (underWay || dirt.isClean()) {
            return;
        }
        Dirt taken = dirt;
        dirt = new Dirt();
        waiting = waitingForNext;
        waitingForNext = new ArrayList<>();
        underWay = true;
        ByteBuffer items = ConsumerEntryLayout.items(group, taken);
        images.store(items, failure -> written(taken, failure));
    }

    private void written(Dirt taken, @Nullable Throwable failure) {
        underWay = false;
        if (failure != null) {
            dirt.addAll(taken);
        }
        List<Consumer<@Nullable Throwable>> told = waiting;
        waiting = new ArrayList<>();
        told.forEach(action -> action.accept(failure));
        // After a failure, the next request tries again; time alone does not.
        if (failure == null || !waitingForNext.isEmpty()) {
            write();
        }
        images.changed();
    }
}
