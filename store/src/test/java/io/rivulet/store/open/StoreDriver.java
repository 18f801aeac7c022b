package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/** Makes a store easy to use in tests: each call waits for its result. */
final class StoreDriver {

    /** A batch that was read. */
    @SuppressWarnings("ArrayRecordComponent") // they are never compared as a whole
    record Batch(long baseOffset, int recordCount, long maxTimestamp, byte[] bytes) {}

    private final LocalStore store;
    private final StoreReader reader;
    private final Patience patience;

    StoreDriver(LocalStore store) {
        this.store = store;
        this.reader = store.reader();
        this.patience = Patience.with(store);
    }

    int createQueues(int count) throws Exception {
        return createQueues(count, 0);
    }

    int createQueues(int count, int retentionClass) throws Exception {
        return patience.get(store.createQueues(count, retentionClass).toCompletableFuture());
    }

    /** Appends one batch and returns its base offset. */
    long append(int queueId, int recordCount, long maxTimestamp, byte[] bytes) throws Exception {
        AppendRequest request = request(bytes, Wait.DURABLE, queueId, recordCount, maxTimestamp);
        assertThat(request.outcome(0).isStored()).as("%s", request.outcome(0)).isTrue();
        return request.baseOffset(0);
    }

    AppendRequest request(byte[] bytes, Wait wait, int queueId, int recordCount, long maxTimestamp) throws Exception {
        CompletableFuture<AppendRequest> done = new CompletableFuture<>();
        ByteBuffer source = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        AppendRequest request = new AppendRequest(source, wait, done::complete)
                .add(queueId, 0, bytes.length, recordCount, maxTimestamp);
        sum(request, source, 0, bytes.length);
        if (store.hasHuge(request)) {
            CompletableFuture<Boolean> written = new CompletableFuture<>();
            store.writeHuge(request, () -> written.complete(true));
            patience.get(written);
        }
        assertThat(store.append(request)).isTrue();
        return patience.get(done);
    }

    /** The checksum of the last batch is known, but for its first bytes, as of the batches of Kafka's clients. */
    static void sum(AppendRequest request, ByteBuffer source, int at, int length) {
        int summed = Math.max(0, length - 21);
        CRC32C crc = new CRC32C();
        crc.update(source.slice(at + length - summed, summed));
        request.summed(summed, (int) crc.getValue());
    }

    /** Everything from the offset to the end, read with this many bytes at a time. */
    List<Batch> readAll(int queueId, long fromOffset, int maxBytes) throws IOException {
        List<Batch> batches = new ArrayList<>();
        long offset = fromOffset;
        while (true) {
            int before = batches.size();
            ReadStatus status = reader.read(queueId, offset, maxBytes, (base, count, timestamp, bytes, at, length) -> {
                byte[] copy = new byte[length];
                bytes.get(at, copy);
                batches.add(new Batch(base, count, timestamp, copy));
                return true;
            });
            if (status != ReadStatus.BATCHES) {
                assertThat(status).isEqualTo(ReadStatus.AT_END);
                return batches;
            }
            assertThat(batches.size()).isGreaterThan(before);
            Batch last = batches.get(batches.size() - 1);
            offset = last.baseOffset() + last.recordCount();
        }
    }

    ReadStatus statusAt(int queueId, long offset) throws IOException {
        return reader.read(queueId, offset, 1, (base, count, timestamp, bytes, at, length) -> true);
    }

    void sweepEverything() throws Exception {
        patience.get(store.sweepEverything());
    }
}
