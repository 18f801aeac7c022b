package io.rivulet.broker.group.share;

import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.consumer.QueueSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the epoch and the queues of a share group into the log, one entry at a time; changes that happen meanwhile go
 * into the next. A response waits here until what it says is durable.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ShareJournal {
    private final ImageStore images;
    private final IntSupplier epoch;
    private QueueSet queues;
    private boolean epochChanged;
    private boolean queuesChanged;
    private boolean underWay;
    private boolean stored;
    /** Increases when the group is deleted. */
    private int life;
    /** Callbacks for the entry in flight; below, for the next one. */
    private List<Consumer<@Nullable Throwable>> waiting = new ArrayList<>();

    private List<Consumer<@Nullable Throwable>> waitingForNext = new ArrayList<>();

    /** @param image what the log has of the group; null for a new one */
    ShareJournal(ImageStore images, IntSupplier epoch, @Nullable ShareImage image) {
        this.images = images;
        this.epoch = epoch;
        this.stored = image != null;
        this.queues = image == null ? QueueSet.EMPTY : image.queues();
    }

    void epochChanged() {
        epochChanged = true;
    }

    /** The queues that members have subscribed to since the group exists, also if the entry is not durable yet. */
    QueueSet queues() {
        return queues;
    }

    void setQueues(QueueSet newQueues) {
        if (!newQueues.equals(queues)) {
            queues = newQueues;
            queuesChanged = true;
        }
    }

    /** Whether the log has the group. */
    boolean isStored() {
        return stored;
    }

    /** The entry that deletes the group is under way, so the next one must have everything. */
    void forget() {
        life++;
        stored = false;
        queues = QueueSet.EMPTY;
        epochChanged = false;
        queuesChanged = false;
        waiting.addAll(waitingForNext); // for the entry in flight: there will be no next one
        waitingForNext.clear();
    }

    boolean isQuiet() {
        return !underWay && !isChanged();
    }

    private boolean isChanged() {
        return epochChanged || queuesChanged;
    }

    /** Calls back when all changes are durable, now or later, or with the failure. */
    void whenDurable(Consumer<@Nullable Throwable> action) {
        if (isChanged()) {
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
        if (underWay || !isChanged()) {
            return;
        }
        int writtenIn = life;
        boolean withQueues = queuesChanged;
        epochChanged = false;
        queuesChanged = false;
        waiting = waitingForNext;
        waitingForNext = new ArrayList<>();
        underWay = true;
        images.store(
                withQueues ? ShareImage.entry(epoch.getAsInt(), queues) : ShareImage.entry(epoch.getAsInt()),
                failure -> written(writtenIn, withQueues, failure));
    }

    private void written(int writtenIn, boolean withQueues, @Nullable Throwable failure) {
        underWay = false;
        stored |= failure == null && writtenIn == life;
        if (failure != null && writtenIn == life) {
            epochChanged = true;
            queuesChanged |= withQueues;
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
