package io.rivulet.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One commit log and its views. Appends to any of a million queues, reads any of them, and has all of them again after a crash.
 *
 * <p>Any thread may call it. Completions run on the log-writer thread and must not block.
 */
public interface Store extends AutoCloseable {
    /** Queue ids are below it. */
    int MAX_QUEUE_ID = Integer.MAX_VALUE - 1;

    int MAX_RETENTION_CLASS = 0xFFFF;

    /** The largest batch. */
    int MAX_BATCH_BYTES = 4 * 1024 * 1024;

    /** What a queue takes of the heap. */
    int BYTES_PER_QUEUE = 48;

    // ---- appending ----

    /**
     * Hands the request to the log writer, which completes it.
     *
     * @return false when too much is waiting: nothing happened, try again after {@link #whenRoom}
     */
    boolean append(AppendRequest request);

    /** Runs once, on the log-writer thread, when it may be worth to try again what was turned away. */
    void whenRoom(Runnable action);

    /** Creates queues with ids in a row, and answers the first. */
    CompletionStage<Integer> createQueues(int count, int retentionClass);

    /** Moves queues with ids in a row to another retention class, with one entry. */
    CompletionStage<Integer> classQueues(int firstQueueId, int count, int retentionClass);

    /** Deletes queues with ids in a row. */
    CompletionStage<Integer> deleteQueues(int firstQueueId, int count);

    /** Raises the queue's start offset, to its end at most, and answers where it is then. */
    CompletionStage<Long> trim(int queueId, long startOffset);

    /** Appends an entry for a view, which applies it when it is durable. One after the other, as all changes. The bytes must be left alone until then. */
    CompletionStage<Integer> appendState(int viewId, ByteBuffer bytes);

    /**
     * Limits what is kept of each queue of a class: by age, which counts from the timestamps of batches, and by size. -1 is no
     * limit. Limits are kept in the background and a little late; a batch is never cut.
     *
     * @return done when the limits are durable
     */
    CompletionStage<Integer> setRetention(int retentionClass, long maxAgeMillis, long maxBytesPerQueue);

    /** As above, and says whether the queues of the class are compacted, and how: in the background, too. */
    CompletionStage<Integer> setRetention(int retentionClass, RetentionLimits limits);

    /** What {@link #setRetention} has set for each class that has limits. */
    Map<Integer, RetentionLimits> retention();

    int retentionClass(int queueId);

    // ---- reading ----

    /** A reader for one thread. */
    StoreReader reader();

    boolean exists(int queueId);

    /** The first offset that can be read. */
    long startOffset(int queueId);

    /** The offset after the last that can be read. */
    long endOffset(int queueId);

    int liveQueues();

    /** What the table of queues takes of the heap. */
    long queueBytes();

    /** No id at or above it was ever created. */
    int idLimit();

    // ---- maintenance ----

    /** Moves everything that is in the tail now into block files, and lets the log go. Done when the future is. */
    CompletableFuture<Void> sweepEverything();

    /** A second has passed: does what depends on time. The store calls it by itself unless its work is run by a test. */
    void tick();

    /** Reads one metric; any thread, cheap, and at most as much work as there are block files. */
    long metric(StoreMetric metric);

    /** Runs on the log-writer thread, soon; never when that hangs. It must be short. */
    void whenWriterAnswers(Runnable action);

    /** Whether the disk does not answer; only for what {@link #whenWriterAnswers} runs. */
    boolean isStalled();

    /** The first failure; null as long as all is well. */
    @Nullable
    Throwable failure();

    /** Refuses what comes, makes durable what is on its way, and closes the files. */
    @Override
    void close() throws IOException;
}
