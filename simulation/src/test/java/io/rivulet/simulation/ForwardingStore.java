package io.rivulet.simulation;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.StorageMap;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Forwards to another store; subclasses add bugs. */
class ForwardingStore implements Store {
    private final Store store;

    ForwardingStore(Store store) {
        this.store = store;
    }

    @Override
    public boolean append(AppendRequest request) {
        return store.append(request);
    }

    @Override
    public boolean hasHuge(AppendRequest request) {
        return store.hasHuge(request);
    }

    @Override
    public void writeHuge(AppendRequest request, Runnable written) {
        store.writeHuge(request, written);
    }

    @Override
    public void whenRoom(Runnable action) {
        store.whenRoom(action);
    }

    @Override
    public CompletionStage<Integer> createQueues(int count, int retentionClass) {
        return store.createQueues(count, retentionClass);
    }

    @Override
    public CompletionStage<Integer> classQueues(int firstQueueId, int count, int retentionClass) {
        return store.classQueues(firstQueueId, count, retentionClass);
    }

    @Override
    public CompletionStage<Integer> deleteQueues(int firstQueueId, int count) {
        return store.deleteQueues(firstQueueId, count);
    }

    @Override
    public CompletionStage<Long> trim(int queueId, long startOffset) {
        return store.trim(queueId, startOffset);
    }

    @Override
    public CompletionStage<Integer> appendState(int viewId, ByteBuffer bytes) {
        return store.appendState(viewId, bytes);
    }

    @Override
    public CompletionStage<Integer> setRetention(int retentionClass, long maxAgeMillis, long maxBytesPerQueue) {
        return store.setRetention(retentionClass, maxAgeMillis, maxBytesPerQueue);
    }

    @Override
    public CompletionStage<Integer> setRetention(int retentionClass, RetentionLimits limits) {
        return store.setRetention(retentionClass, limits);
    }

    @Override
    public Map<Integer, RetentionLimits> retention() {
        return store.retention();
    }

    @Override
    public int retentionClass(int queueId) {
        return store.retentionClass(queueId);
    }

    @Override
    public StoreReader reader() {
        return store.reader();
    }

    @Override
    public boolean isReadable() {
        return store.isReadable();
    }

    @Override
    public void whenReadable(Runnable action) {
        store.whenReadable(action);
    }

    @Override
    public boolean exists(int queueId) {
        return store.exists(queueId);
    }

    @Override
    public long startOffset(int queueId) {
        return store.startOffset(queueId);
    }

    @Override
    public long endOffset(int queueId) {
        return store.endOffset(queueId);
    }

    @Override
    public int liveQueues() {
        return store.liveQueues();
    }

    @Override
    public long queueBytes() {
        return store.queueBytes();
    }

    @Override
    public int idLimit() {
        return store.idLimit();
    }

    @Override
    public CompletableFuture<Void> sweepEverything() {
        return store.sweepEverything();
    }

    @Override
    public void tick() {
        store.tick();
    }

    @Override
    public long metric(StoreMetric metric) {
        return store.metric(metric);
    }

    @Override
    public StorageMap storageMap() {
        return store.storageMap();
    }

    @Override
    public void whenWriterAnswers(Runnable action) {
        store.whenWriterAnswers(action);
    }

    @Override
    public boolean isStalled() {
        return store.isStalled();
    }

    @Override
    public @Nullable Throwable failure() {
        return store.failure();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
