package io.rivulet.broker.internal;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.store.AppendRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records that are collected into batches for one append.
 *
 * <p>Owned by: the coordinator thread.
 */
final class StagedBatches {
    private static final int BATCH_BYTES = 64 << 10;

    private record Batch(int partition, ByteBuffer bytes, int records, long maxTimestamp) {}

    /** The open batch of a partition. */
    private static final class Open {
        final RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT);
        long maxTimestamp = Long.MIN_VALUE;
    }

    /** Maps a partition to its queue. */
    @FunctionalInterface
    interface Queues {
        int queueId(int partition);
    }

    private final Map<Integer, Open> open = new TreeMap<>();
    private final List<Batch> closed = new ArrayList<>();
    private int closedBytes;

    boolean isEmpty() {
        return open.isEmpty() && closed.isEmpty();
    }

    /** The size of the batches that are complete. */
    int closedBytes() {
        return closedBytes;
    }

    /** @param value null to delete the key */
    void add(int partition, long timestamp, byte[] key, byte @Nullable [] value) {
        Open batch = open.computeIfAbsent(partition, number -> new Open());
        batch.builder.append(timestamp, key, value);
        batch.maxTimestamp = Math.max(batch.maxTimestamp, timestamp);
        if (batch.builder.uncompressedSizeInBytes() >= BATCH_BYTES) {
            open.remove(partition);
            close(partition, batch);
        }
    }

    private void close(int partition, Open batch) {
        int records = batch.builder.recordCount();
        ByteBuf built = batch.builder.build();
        ByteBuffer bytes = ByteBuffer.allocate(built.readableBytes());
        built.readBytes(bytes).release();
        closed.add(new Batch(partition, bytes.flip(), records, batch.maxTimestamp));
        closedBytes += bytes.limit();
    }

    /** Takes all batches, in the order of each partition. */
    AppendRequest take(Queues queues, AppendRequest.Completion done) {
        open.forEach(this::close);
        open.clear();
        ByteBuffer source = ByteBuffer.allocate(closedBytes);
        closed.forEach(batch -> source.put(batch.bytes.duplicate()));
        AppendRequest request = new AppendRequest(source.flip(), AppendRequest.Wait.DURABLE, done, closed.size());
        int at = 0;
        for (Batch batch : closed) {
            int length = batch.bytes.limit();
            request.add(queues.queueId(batch.partition), at, length, batch.records, batch.maxTimestamp);
            at += length;
        }
        closed.clear();
        closedBytes = 0;
        return request;
    }

    /** Drops all of them. */
    void clear() {
        open.values().forEach(batch -> batch.builder.close());
        open.clear();
        closed.clear();
        closedBytes = 0;
    }
}
