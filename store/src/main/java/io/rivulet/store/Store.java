package io.rivulet.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Up to a million queues in one commit log. Appends to queues, reads them, and restores all of them after a crash.
 *
 * <p>Any thread may call it. Completions run on the log-writer thread and must not block.
 */
public interface Store extends AutoCloseable {
    /** The highest queue id. */
    int MAX_QUEUE_ID = Integer.MAX_VALUE - 1;

    int MAX_RETENTION_CLASS = 0xFFFF;

    /** The largest batch in a group of the log. Larger ones are huge: each gets a file of its own. */
    int MAX_BATCH_BYTES = 4 * 1024 * 1024;

    /** Heap bytes of one queue. */
    int BYTES_PER_QUEUE = 48;

    // ---- appending ----

    /**
     * Passes the request to the log writer, which completes it.
     *
     * @return false if too many requests are waiting: nothing has happened, try again after {@link #whenRoom}
     */
    boolean append(AppendRequest request);

    /**
     * Whether the request has a batch that does not fit into a group of the log, and is not atomic. Then it must be
     * passed to {@link #writeHuge} before it is appended; otherwise the outcome of that batch is TOO_LARGE.
     */
    boolean hasHuge(AppendRequest request);

    /**
     * Writes the huge batches of the request to files. Nobody sees them before the request is appended.
     *
     * @param written runs once, on a thread of the store, when the request may be appended
     */
    void writeHuge(AppendRequest request, Runnable written);

    /** Runs the action once, on the log-writer thread, when a rejected request may be tried again. */
    void whenRoom(Runnable action);

    /** Creates queues with consecutive ids; the result is the first id. */
    CompletionStage<Integer> createQueues(int count, int retentionClass);

    /** Moves queues with consecutive ids to another retention class, with one entry. */
    CompletionStage<Integer> classQueues(int firstQueueId, int count, int retentionClass);

    /** Deletes queues with consecutive ids. */
    CompletionStage<Integer> deleteQueues(int firstQueueId, int count);

    /** Raises the start offset of the queue, at most to its end; the result is the new start. */
    CompletionStage<Long> trim(int queueId, long startOffset);

    /**
     * Appends an entry for a view, which applies it when it is durable. State changes keep their order. The bytes must
     * not change until then.
     */
    CompletionStage<Integer> appendState(int viewId, ByteBuffer bytes);

    /**
     * Limits the age and the size of each queue of a class; -1 is no limit. Age counts from the timestamps of batches.
     * Old batches are deleted in the background, a little late, and always whole.
     *
     * @return completes when the limits are durable
     */
    CompletionStage<Integer> setRetention(int retentionClass, long maxAgeMillis, long maxBytesPerQueue);

    /** As above, and sets whether and how queues of the class are compacted. */
    CompletionStage<Integer> setRetention(int retentionClass, RetentionLimits limits);

    /** The limits of each class that has limits. */
    Map<Integer, RetentionLimits> retention();

    int retentionClass(int queueId);

    // ---- reading ----

    /** A reader for one thread. */
    StoreReader reader();

    /**
     * Whether everything that has been acknowledged can be read. What waits only for the write ({@link
     * AppendRequest.Wait#WRITTEN}) is acknowledged before that.
     */
    boolean isReadable();

    /**
     * Runs the action once when everything that has been acknowledged can be read: immediately, or on the log-writer
     * thread. After a failure or the close it runs anyway.
     */
    void whenReadable(Runnable action);

    boolean exists(int queueId);

    /** The first offset that can be read. */
    long startOffset(int queueId);

    /** The offset after the last one that can be read. */
    long endOffset(int queueId);

    int liveQueues();

    /** Heap bytes of the table of queues. */
    long queueBytes();

    /** All queues that were ever created have lower ids. */
    int idLimit();

    // ---- maintenance ----

    /** Moves everything that is now in the tail to block files, and trims the log. */
    CompletableFuture<Void> sweepEverything();

    /**
     * Starts the work that depends on time. The store calls it once a second, except in tests that run its work
     * themselves.
     */
    void tick();

    /** Reads one metric. Any thread; the cost grows at most with the number of block files. */
    long metric(StoreMetric metric);

    /** Where the records are. Any thread; the cost grows with the number of block files and of cached pages. */
    StorageMap storageMap();

    /** Runs a short action on the log-writer thread, soon. It does not run while that thread hangs. */
    void whenWriterAnswers(Runnable action);

    /** Whether the disk does not respond. Call it only inside an action of {@link #whenWriterAnswers}. */
    boolean isStalled();

    /** The first failure; null if there is none. */
    @Nullable
    Throwable failure();

    /** Rejects new requests, makes appended ones durable, and closes the files. */
    @Override
    void close() throws IOException;
}
