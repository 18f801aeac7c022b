package io.rivulet.store;

import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.retention.RetentionLimits;
import io.rivulet.store.retention.RetentionTable;
import io.rivulet.store.upkeep.BlockStock;
import io.rivulet.store.view.View;
import io.rivulet.store.writer.AppendRequest;
import io.rivulet.store.writer.Change;
import io.rivulet.store.writer.Changes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A shard: one commit log and its views. Appends to any of a million queues, reads any of them, and has them all back after a
 * crash.
 *
 * <p>Any thread may call it. Completions run on the log-writer thread and must not block.
 */
public final class Store implements AutoCloseable {
    private final StoreParts parts;
    private final ChangeLine changes;

    private Store(StoreParts parts) {
        this.parts = parts;
        this.changes = new ChangeLine(parts.writer(), parts.room());
    }

    /**
     * Opens the store in the environment's directory, or creates it there; returns when everything is replayed.
     *
     * @throws IOException when another process has it, or when it is damaged; nothing has been changed then
     */
    public static Store open(StoreConfig config, StoreEnvironment environment, Attachments attachments)
            throws IOException {
        return open(new Opening(config, environment, attachments, EngineSizes.of(config)));
    }

    public static Store open(StoreConfig config, StoreEnvironment environment, Collection<? extends View> views)
            throws IOException {
        return open(config, environment, Attachments.of(views));
    }

    static Store open(Opening opening) throws IOException {
        return new Store(opening.open());
    }

    public static Store open(StoreConfig config, StoreEnvironment environment) throws IOException {
        return open(config, environment, Attachments.NONE);
    }

    // ---- appending ----

    /**
     * Hands the request to the log writer, which completes it.
     *
     * @return false when too much is waiting: nothing happened, try again after {@link #whenRoom}
     */
    public boolean append(AppendRequest request) {
        return parts.writer().offer(request);
    }

    /** Runs once, on the log-writer thread, when it may be worth to try again what was turned away. */
    public void whenRoom(Runnable action) {
        parts.room().await(action);
        parts.writer().signal();
    }

    /** Creates queues with ids in a row, and answers the first. */
    public CompletionStage<Integer> createQueues(int count, int retentionClass) {
        if (count < 1 || retentionClass < 0 || retentionClass > QueueTable.MAX_RETENTION_CLASS) {
            throw new IllegalArgumentException(count + " queues of class " + retentionClass);
        }
        return change(Changes.createQueues(count, retentionClass));
    }

    /** Moves queues with ids in a row to another retention class, with one entry. */
    public CompletionStage<Integer> classQueues(int firstQueueId, int count, int retentionClass) {
        requireQueues(firstQueueId, count);
        requireClass(retentionClass);
        return change(Changes.classQueues(firstQueueId, count, retentionClass));
    }

    private void requireQueues(int firstQueueId, int count) {
        if (firstQueueId < 0 || count < 1 || firstQueueId > parts.table().idLimit() - count) {
            throw new IllegalArgumentException("no such queues: " + count + " from " + firstQueueId);
        }
    }

    private static void requireClass(int retentionClass) {
        if (retentionClass < 0 || retentionClass > QueueTable.MAX_RETENTION_CLASS) {
            throw new IllegalArgumentException("retention class " + retentionClass);
        }
    }

    /** Deletes queues with ids in a row. */
    public CompletionStage<Integer> deleteQueues(int firstQueueId, int count) {
        requireQueues(firstQueueId, count);
        return change(Changes.deleteQueues(firstQueueId, count));
    }

    /** Raises the queue's start offset, to its end at most, and answers where it is then. */
    public CompletionStage<Long> trim(int queueId, long startOffset) {
        if (startOffset < 0) {
            throw new IllegalArgumentException("start offset " + startOffset);
        }
        return change(Changes.trim(queueId, startOffset));
    }

    /** Appends an entry for a view, which applies it when it is durable. One after the other, as all changes. The bytes must be left alone until then. */
    public CompletionStage<Integer> appendState(int viewId, ByteBuffer bytes) {
        if (viewId < 0 || viewId > View.MAX_ID) {
            throw new IllegalArgumentException("view id " + viewId + " is the store's own or none");
        }
        return change(Changes.state(viewId, bytes));
    }

    /**
     * Limits what is kept of each queue of a class: by age, which counts from the timestamps of batches, and by size. -1 is no
     * limit. Limits are kept in the background and a little late; a batch is never cut.
     *
     * @return done when the limits are durable
     */
    public CompletionStage<Integer> setRetention(int retentionClass, long maxAgeMillis, long maxBytesPerQueue) {
        return setRetention(retentionClass, new RetentionLimits(maxAgeMillis, maxBytesPerQueue));
    }

    /** As above, and says whether the queues of the class are compacted, and how: in the background, too. */
    public CompletionStage<Integer> setRetention(int retentionClass, RetentionLimits limits) {
        requireClass(retentionClass);
        return change(Changes.state(RetentionTable.VIEW_ID, RetentionTable.entry(retentionClass, limits)));
    }

    /** What {@link #setRetention} has set for each class that has limits. */
    public Map<Integer, RetentionLimits> retention() {
        return parts.retentionTable().limits();
    }

    public int retentionClass(int queueId) {
        return parts.table().retentionClass(queueId);
    }

    private <T> CompletionStage<T> change(Change<T> change) {
        changes.offer(change);
        return change.result();
    }

    // ---- reading ----

    /** A reader for one thread. */
    public StoreReader reader() {
        return new StoreReader(parts.table(), parts.tail(), parts.stock().files(), parts.log(), parts.timestampBase());
    }

    public boolean exists(int queueId) {
        return parts.table().exists(queueId);
    }

    /** The first offset that can be read. */
    public long startOffset(int queueId) {
        return parts.table().startOffset(queueId);
    }

    /** The offset after the last that can be read. */
    public long endOffset(int queueId) {
        return parts.table().endOffset(queueId);
    }

    public int liveQueues() {
        return parts.table().liveQueues();
    }

    /** What the table of queues takes of the heap. */
    public long queueBytes() {
        return parts.table().heapBytes();
    }

    /** No id at or above it was ever created. */
    public int idLimit() {
        return parts.table().idLimit();
    }

    // ---- upkeep ----

    /** Moves everything that is in the tail now into block files, and lets the log go. Done when the future is. */
    public CompletableFuture<Void> sweepEverything() {
        CompletableFuture<Void> done = parts.upkeep().sweepEverything();
        parts.upkeepWorker().signal();
        return done;
    }

    /** A second has passed: does what depends on time. The store calls it by itself unless its work is run by a test. */
    public void tick() {
        parts.upkeep().tick();
        parts.upkeepWorker().signal();
    }

    /** Reads one metric; any thread, cheap, and at most as much work as there are block files. */
    public long metric(StoreMetric metric) {
        return metric.read(parts);
    }

    /** Runs on the log-writer thread, soon; never when that hangs. It must be short. */
    public void whenWriterAnswers(Runnable action) {
        parts.writer().execute(action);
    }

    /** Whether the disk does not answer; only for what {@link #whenWriterAnswers} runs. */
    public boolean isStalled() {
        return parts.writer().isStalled();
    }

    /** The first failure; null as long as all is well. */
    public @Nullable Throwable failure() {
        return parts.failure().cause();
    }

    /** Refuses what comes, makes durable what is on its way, and closes the files. */
    @Override
    public void close() throws IOException {
        parts.close();
    }

    QueueTable table() {
        return parts.table();
    }

    BlockStock stock() {
        return parts.stock();
    }
}
