package io.rivulet.store.open;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.StorageMap;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.StoreReader;
import io.rivulet.store.View;
import io.rivulet.store.maintenance.BlockRegistry;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.read.QueueReader;
import io.rivulet.store.retention.RetentionTable;
import io.rivulet.store.writer.AppendCommand;
import io.rivulet.store.writer.Change;
import io.rivulet.store.writer.Changes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store on a disk: passes calls on to its parts. Thread-safe. */
public final class LocalStore implements Store {
    private final StoreParts parts;
    private final ChangeQueue changes;
    private final Consumer<AppendRequest> settled;

    private LocalStore(StoreParts parts) {
        this.parts = parts;
        this.changes = new ChangeQueue(parts.writer(), parts.signals());
        this.settled = parts.hugeWriter()::settled;
    }

    /**
     * Opens the store in the environment's directory, or creates it there. Returns when everything is replayed.
     *
     * @throws IOException if another process has locked it, or if it is damaged; then nothing has been changed
     */
    public static LocalStore open(StoreConfig config, StoreEnvironment environment, Attachments attachments)
            throws IOException {
        return open(new StoreAssembly(config, environment, attachments, StoreSizes.of(config)));
    }

    public static LocalStore open(StoreConfig config, StoreEnvironment environment, Collection<? extends View> views)
            throws IOException {
        return open(config, environment, Attachments.of(views));
    }

    static LocalStore open(StoreAssembly assembly) throws IOException {
        return new LocalStore(assembly.open());
    }

    public static LocalStore open(StoreConfig config, StoreEnvironment environment) throws IOException {
        return open(config, environment, Attachments.NONE);
    }

    // ---- appending ----

    @Override
    public boolean append(AppendRequest request) {
        return parts.writer().offer(new AppendCommand(request, settled));
    }

    @Override
    public boolean hasHuge(AppendRequest request) {
        return parts.hugeWriter().isWanted(request);
    }

    @Override
    public void writeHuge(AppendRequest request, Runnable written) {
        parts.hugeWriter().write(request, written);
    }

    @Override
    public void whenRoom(Runnable action) {
        parts.signals().whenRoom(action);
    }

    @Override
    public CompletionStage<Integer> createQueues(int count, int retentionClass) {
        requireClass(retentionClass);
        if (count < 1) {
            throw new IllegalArgumentException(count + " queues can't be created, must be 1 or more");
        }
        return change(Changes.createQueues(count, retentionClass));
    }

    @Override
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
        if (retentionClass < 0 || retentionClass > MAX_RETENTION_CLASS) {
            throw new IllegalArgumentException("retention class " + retentionClass);
        }
    }

    @Override
    public CompletionStage<Integer> deleteQueues(int firstQueueId, int count) {
        requireQueues(firstQueueId, count);
        return change(Changes.deleteQueues(firstQueueId, count));
    }

    @Override
    public CompletionStage<Long> trim(int queueId, long startOffset) {
        if (startOffset < 0) {
            throw new IllegalArgumentException("start offset " + startOffset);
        }
        return change(Changes.trim(queueId, startOffset));
    }

    @Override
    public CompletionStage<Integer> appendState(int viewId, ByteBuffer bytes) {
        View.requireId(viewId);
        return change(Changes.state(viewId, bytes));
    }

    @Override
    public CompletionStage<Integer> setRetention(int retentionClass, long maxAgeMillis, long maxBytesPerQueue) {
        return setRetention(retentionClass, new RetentionLimits(maxAgeMillis, maxBytesPerQueue));
    }

    @Override
    public CompletionStage<Integer> setRetention(int retentionClass, RetentionLimits limits) {
        requireClass(retentionClass);
        return change(Changes.state(View.RETENTION_ID, RetentionTable.entry(retentionClass, limits)));
    }

    @Override
    public Map<Integer, RetentionLimits> retention() {
        return parts.retentionTable().limits();
    }

    @Override
    public int retentionClass(int queueId) {
        return parts.table().retentionClass(queueId);
    }

    private <T> CompletionStage<T> change(Change<T> change) {
        changes.offer(change);
        return change.result();
    }

    // ---- reading ----

    @Override
    public StoreReader reader() {
        return new QueueReader(
                parts.table(),
                parts.tail(),
                parts.registry().files(),
                parts.log(),
                parts.huge(),
                parts.timestampBase());
    }

    @Override
    public boolean isReadable() {
        return parts.writer().isReadable();
    }

    @Override
    public void whenReadable(Runnable action) {
        parts.writer().whenReadable(action);
    }

    @Override
    public boolean exists(int queueId) {
        return parts.table().exists(queueId);
    }

    @Override
    public long startOffset(int queueId) {
        return parts.table().startOffset(queueId);
    }

    @Override
    public long endOffset(int queueId) {
        return parts.table().endOffset(queueId);
    }

    @Override
    public int liveQueues() {
        return parts.table().liveQueues();
    }

    @Override
    public long queueBytes() {
        return parts.table().heapBytes();
    }

    @Override
    public int idLimit() {
        return parts.table().idLimit();
    }

    // ---- maintenance ----

    @Override
    public CompletableFuture<Void> sweepEverything() {
        CompletableFuture<Void> done = parts.maintenance().sweepEverything();
        parts.maintenanceWorker().signal();
        return done;
    }

    @Override
    public void tick() {
        parts.maintenance().tick();
        parts.maintenanceWorker().signal();
    }

    @Override
    public long metric(StoreMetric metric) {
        return MetricReadings.read(metric, parts);
    }

    @Override
    public StorageMap storageMap() {
        return StorageMaps.of(parts);
    }

    @Override
    public void whenWriterAnswers(Runnable action) {
        parts.writer().execute(action);
    }

    @Override
    public boolean isStalled() {
        return parts.writer().isStalled();
    }

    @Override
    public @Nullable Throwable failure() {
        return parts.failure().cause();
    }

    @Override
    public void close() throws IOException {
        parts.close();
    }

    QueueTable table() {
        return parts.table();
    }

    BlockRegistry registry() {
        return parts.registry();
    }
}
