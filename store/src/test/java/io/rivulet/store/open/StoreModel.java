package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.open.StoreDriver.Batch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/** The expected content of a store: applies every operation to the store and to a map, and compares the two. */
final class StoreModel {
    private static final class Queue {
        private final List<Batch> batches = new ArrayList<>();
        private long startOffset;
        private long endOffset;
    }

    private final Map<Integer, Queue> queues = new TreeMap<>();
    private final Random random;

    StoreModel(long seed) {
        this.random = new Random(seed);
    }

    void createQueues(StoreDriver driver, int count, int retentionClass) throws Exception {
        int first = driver.createQueues(count, retentionClass);
        for (int i = 0; i < count; i++) {
            queues.put(first + i, new Queue());
        }
    }

    void append(StoreDriver driver, int queueId, int records, long timestamp, int length) throws Exception {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        long baseOffset = driver.append(queueId, records, timestamp, bytes);
        Queue queue = Objects.requireNonNull(queues.get(queueId));
        assertThat(baseOffset).isEqualTo(queue.endOffset);
        queue.batches.add(new Batch(baseOffset, records, timestamp, bytes));
        queue.endOffset += records;
    }

    /** One batch of up to this many bytes to each queue of a random share. */
    void appendToSome(StoreDriver driver, double share, int maxLength) throws Exception {
        for (int queueId : List.copyOf(queues.keySet())) {
            if (random.nextDouble() < share) {
                append(driver, queueId, 1 + random.nextInt(3), random.nextInt(100_000), 1 + random.nextInt(maxLength));
            }
        }
    }

    void trim(LocalStore store, int queueId, long offset) throws Exception {
        Patience.with(store).get(store.trim(queueId, offset).toCompletableFuture());
        trimmed(queueId, offset);
    }

    /** The store has trimmed it because of a limit. */
    void trimmed(int queueId, long offset) {
        Queue queue = Objects.requireNonNull(queues.get(queueId));
        queue.startOffset = Math.max(queue.startOffset, Math.min(offset, queue.endOffset));
    }

    void delete(LocalStore store, int queueId) throws Exception {
        Patience.with(store).get(store.deleteQueues(queueId, 1).toCompletableFuture());
        queues.remove(queueId);
    }

    /** The number of offsets in all queues. */
    long offsets() {
        return queues.values().stream().mapToLong(queue -> queue.endOffset).sum();
    }

    List<Integer> queueIds() {
        return List.copyOf(queues.keySet());
    }

    /** Every queue reads correctly from its start and from a random offset. */
    void check(LocalStore store, StoreDriver driver) throws IOException {
        assertThat(store.liveQueues()).isEqualTo(queues.size());
        for (Map.Entry<Integer, Queue> entry : queues.entrySet()) {
            int queueId = entry.getKey();
            Queue queue = entry.getValue();
            assertThat(store.startOffset(queueId))
                    .as("start of queue %d", queueId)
                    .isEqualTo(queue.startOffset);
            assertThat(store.endOffset(queueId)).as("end of queue %d", queueId).isEqualTo(queue.endOffset);
            long from = queue.startOffset;
            checkFrom(driver, queueId, queue, from);
            checkFrom(driver, queueId, queue, from + (queue.endOffset - from) / 2);
        }
    }

    private static void checkFrom(StoreDriver driver, int queueId, Queue queue, long from) throws IOException {
        List<Batch> expected = queue.batches.stream()
                .filter(batch -> batch.baseOffset() + batch.recordCount() > from)
                .toList();
        List<Batch> read = driver.readAll(queueId, from, 1 << 16);
        assertThat(read).as("batches of queue %d from %d", queueId, from).hasSameSizeAs(expected);
        for (int i = 0; i < read.size(); i++) {
            assertThat(read.get(i).baseOffset()).isEqualTo(expected.get(i).baseOffset());
            assertThat(read.get(i).maxTimestamp()).isEqualTo(expected.get(i).maxTimestamp());
            assertThat(read.get(i).bytes()).isEqualTo(expected.get(i).bytes());
        }
    }
}
