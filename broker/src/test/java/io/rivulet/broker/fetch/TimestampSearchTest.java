package io.rivulet.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.fetch.TimestampSearch.Found;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.store.AppendRequest;
import io.rivulet.store.Durability;
import io.rivulet.store.Outcome;
import io.rivulet.store.Store;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches in a queue that begins within a batch, because records were deleted. */
final class TimestampSearchTest {
    private static final int HUGE_VALUE_BYTES = 500_000;
    private static final int MAX_DECOMPRESSED_BYTES = 64 << 20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"NONE, 1, false", "NONE, 1, true", "GZIP, 1, false", "GZIP, 1, true"})
    void aDeletedRecordIsNotFoundAndLaterOnesAre(Codec codec, int valueBytes, boolean swept) throws Exception {
        searchBehindDeletedRecords(codec, valueBytes, swept);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void theSameInAHugeBatch(boolean swept) throws Exception {
        searchBehindDeletedRecords(Codec.NONE, HUGE_VALUE_BYTES, swept);
    }

    private void searchBehindDeletedRecords(Codec codec, int valueBytes, boolean swept) throws Exception {
        try (Store store = open()) {
            int queue = store.createQueues(1, 0).toCompletableFuture().get();
            append(store, queue, batch(codec, valueBytes, 100, 10, 10, 10, 10, 10, 10, 30, 10, 10));
            append(store, queue, batch(codec, valueBytes, 20, 20));
            store.trim(queue, 5).toCompletableFuture().get();
            sweep(store, swept);

            assertThat(firstFrom(store, queue, 5)).isEqualTo(new Found(5, 10));
            assertThat(firstFrom(store, queue, 30)).isEqualTo(new Found(7, 30));
            assertThat(firstFrom(store, queue, 50)).isNull();
            assertThat(latest(store, queue)).isEqualTo(new Found(7, 30));

            append(store, queue, batch(codec, valueBytes, 60, 200, 200));
            sweep(store, swept);

            assertThat(firstFrom(store, queue, 50)).isEqualTo(new Found(12, 60));
            assertThat(firstFrom(store, queue, 100)).isEqualTo(new Found(13, 200));
            assertThat(latest(store, queue)).isEqualTo(new Found(13, 200));
        }
    }

    @Test
    void theHighestTimeMayBeThatOfALaterBatchWithALowerTime() throws Exception {
        try (Store store = open()) {
            int queue = store.createQueues(1, 0).toCompletableFuture().get();
            append(store, queue, batch(Codec.NONE, 1, 100, 10));
            append(store, queue, batch(Codec.NONE, 1, 50));
            append(store, queue, batch(Codec.NONE, 1, 40));
            store.trim(queue, 1).toCompletableFuture().get();

            assertThat(latest(store, queue)).isEqualTo(new Found(2, 50));
        }
    }

    private @Nullable Found firstFrom(Store store, int queue, long timestamp) throws Exception {
        try (TimestampSearch search = search()) {
            return search.firstFrom(store.reader(), queue, store.startOffset(queue), timestamp);
        }
    }

    private @Nullable Found latest(Store store, int queue) throws Exception {
        try (TimestampSearch search = search()) {
            return search.latest(store.reader(), queue, store.startOffset(queue));
        }
    }

    private static TimestampSearch search() {
        TimestampSearch search = new TimestampSearch(MAX_DECOMPRESSED_BYTES);
        search.allowHuge(UnpooledByteBufAllocator.DEFAULT);
        return search;
    }

    private static ByteBuf batch(Codec codec, int valueBytes, long... timestamps) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.compression(codec);
            for (long timestamp : timestamps) {
                builder.append(timestamp, null, new byte[valueBytes]);
            }
            return builder.build();
        }
    }

    private static void append(Store store, int queue, ByteBuf bytes) throws Exception {
        RecordBatch batch = new RecordBatch().wrap(bytes, 0, bytes.readableBytes());
        CompletableFuture<Outcome> appended = new CompletableFuture<>();
        AppendRequest request = new AppendRequest(
                        bytes.nioBuffer(), AppendRequest.Wait.DURABLE, done -> appended.complete(done.outcome(0)))
                .add(queue, 0, bytes.readableBytes(), batch.lastOffsetDelta() + 1, batch.maxTimestamp());
        if (store.hasHuge(request)) {
            CompletableFuture<Boolean> written = new CompletableFuture<>();
            store.writeHuge(request, () -> written.complete(true));
            assertThat(written.get()).isTrue();
        }
        assertThat(store.append(request)).isTrue();
        assertThat(appended.get()).isEqualTo(Outcome.DURABLE);
        bytes.release();
    }

    private static void sweep(Store store, boolean wanted) throws Exception {
        if (wanted) {
            store.sweepEverything().get();
        }
    }

    private Store open() throws Exception {
        StoreConfig config = StoreConfig.DEFAULT.withDurability(Durability.OS);
        return LocalStore.open(config, StoreEnvironment.local(directory), Attachments.of(List.of()));
    }
}
