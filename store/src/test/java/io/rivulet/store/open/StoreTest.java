package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Outcome;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.open.StoreDriver.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreTest {
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withSegmentBytes(16 << 20))
            .withMemory(32 << 20, 4 << 20);

    @TempDir
    private Path directory;

    private LocalStore store;
    private StoreDriver driver;

    @BeforeEach
    void open() throws IOException {
        store = LocalStore.open(CONFIG, StoreEnvironment.local(directory));
        driver = new StoreDriver(store);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void reopen() throws IOException {
        store.close();
        open();
    }

    @Test
    void eachQueueHasItsOwnOffsets() throws Exception {
        int first = driver.createQueues(3);

        assertThat(driver.append(first, 2, 1000, bytes(10, 1))).isZero();
        assertThat(driver.append(first, 1, 1000, bytes(10, 2))).isEqualTo(2);
        assertThat(driver.append(first + 2, 5, 1000, bytes(10, 3))).isZero();

        assertThat(store.endOffset(first)).isEqualTo(3);
        assertThat(store.endOffset(first + 1)).isZero();
        assertThat(store.endOffset(first + 2)).isEqualTo(5);
    }

    @Test
    void aBatchIsReadAsItWasAppended() throws Exception {
        int queue = driver.createQueues(1);
        byte[] payload = bytes(1000, 7);
        driver.append(queue, 3, -1, bytes(5, 1));
        driver.append(queue, 4, 1_700_000_000_123L, payload);

        Batch read = driver.readAll(queue, 5, 1).get(0);

        assertThat(read.baseOffset()).isEqualTo(3);
        assertThat(read.recordCount()).isEqualTo(4);
        assertThat(read.maxTimestamp()).isEqualTo(1_700_000_000_123L);
        assertThat(read.bytes()).isEqualTo(payload);
    }

    @Test
    void whatWasAcknowledgedIsThereAfterAnotherStart() throws Exception {
        int queue = driver.createQueues(2);
        driver.append(queue, 1, 5, bytes(100, 1));
        driver.append(queue + 1, 1, 6, bytes(40_000, 2));

        reopen();

        assertThat(driver.readAll(queue, 0, 1 << 20)).hasSize(1);
        assertThat(driver.readAll(queue + 1, 0, 1 << 20).get(0).bytes()).isEqualTo(bytes(40_000, 2));
        assertThat(driver.append(queue, 1, 7, bytes(1, 1))).isEqualTo(1);
        assertThat(driver.createQueues(1)).isEqualTo(queue + 2);
    }

    @Test
    void largeAndSmallBatchesMixInOneQueueBeforeAndAfterTheSweepAndAnotherStart() throws Exception {
        int queue = driver.createQueues(1);
        List<Integer> sizes = List.of(10, 32 * 1024, 100, 1_000_000, 32 * 1024 - 1, 4_000_000, 1);
        for (int size : sizes) {
            driver.append(queue, 1, size, bytes(size, size));
        }

        assertReads(queue, sizes);
        driver.sweepEverything();
        assertThat(store.metric(StoreMetric.BLOCK_FILES)).isPositive();
        assertReads(queue, sizes);
        reopen();
        assertReads(queue, sizes);
    }

    private void assertReads(int queue, List<Integer> sizes) throws IOException {
        for (int maxBytes : new int[] {1, 100_000, 64 << 20}) {
            List<Batch> read = driver.readAll(queue, 0, maxBytes);
            assertThat(read).extracting(batch -> batch.bytes().length).containsExactlyElementsOf(sizes);
            for (Batch batch : read) {
                assertThat(batch.bytes()).isEqualTo(bytes(batch.bytes().length, batch.bytes().length));
            }
        }
    }

    @Test
    void theSweepEmptiesTheTailAndTrimsTheLog() throws Exception {
        int queues = driver.createQueues(1000);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 1000; i += 7) {
                driver.append(queues + i, 1, round, bytes(58, i + round));
            }
        }
        assertThat(store.metric(StoreMetric.TAIL_USED_CHUNKS)).isPositive();

        driver.sweepEverything();

        assertThat(store.metric(StoreMetric.TAIL_USED_CHUNKS)).isLessThanOrEqualTo(1000 / 7 + 1);
        for (int i = 0; i < 1000; i += 7) {
            List<Batch> read = driver.readAll(queues + i, 0, 1 << 20);
            assertThat(read).hasSize(20);
            for (int round = 0; round < 20; round++) {
                assertThat(read.get(round).bytes()).isEqualTo(bytes(58, i + round));
            }
        }
    }

    @Test
    void moreThanTheTailHoldsIsSweptByItself() throws Exception {
        int queue = driver.createQueues(1);
        int batches = 3000;
        for (int i = 0; i < batches; i++) {
            driver.append(queue, 1, i, bytes(30_000, i));
        }

        List<Batch> read = driver.readAll(queue, 0, 1 << 20);

        assertThat(read).hasSize(batches);
        assertThat(read.get(batches - 1).bytes()).isEqualTo(bytes(30_000, batches - 1));
        assertThat(store.metric(StoreMetric.BLOCK_FILES)).isPositive();
        reopen();
        assertThat(driver.readAll(queue, 0, 1 << 20)).hasSize(batches);
        assertThat(driver.append(queue, 1, 0, bytes(1, 1))).isEqualTo(batches);
    }

    @Test
    void aDeletedQueueIsGoneAndItsIdIsNotUsedAgain() throws Exception {
        int queue = driver.createQueues(2);
        driver.append(queue, 1, 1, bytes(10, 1));
        store.deleteQueues(queue, 1).toCompletableFuture().get();

        assertThat(driver.statusAt(queue, 0)).isEqualTo(ReadStatus.NO_QUEUE);
        assertThat(driver.request(bytes(1, 1), Wait.DURABLE, queue, 1, 1).outcome(0))
                .isEqualTo(Outcome.NO_QUEUE);
        reopen();
        assertThat(store.exists(queue)).isFalse();
        assertThat(store.exists(queue + 1)).isTrue();
        assertThat(driver.createQueues(1)).isEqualTo(queue + 2);
    }

    @Test
    void whatIsTrimmedIsOutOfRangeAlsoAfterAnotherStart() throws Exception {
        int queue = driver.createQueues(1);
        for (int i = 0; i < 10; i++) {
            driver.append(queue, 1, i, bytes(10, i));
        }
        assertThat(store.trim(queue, 4).toCompletableFuture().get()).isEqualTo(4);
        assertThat(store.trim(queue, 3).toCompletableFuture().get()).isEqualTo(3);

        reopen();

        assertThat(store.startOffset(queue)).isEqualTo(4);
        assertThat(driver.statusAt(queue, 3)).isEqualTo(ReadStatus.OUT_OF_RANGE);
        assertThat(driver.readAll(queue, 4, 1 << 20)).hasSize(6);
        assertThat(store.trim(queue, 1_000_000).toCompletableFuture().get()).isEqualTo(10);
        assertThat(driver.statusAt(queue, 10)).isEqualTo(ReadStatus.AT_END);
    }

    @Test
    void aRequestThatWaitsForTheWriteIsCompletedAndLaterDurable() throws Exception {
        int queue = driver.createQueues(1);

        AppendRequest request = driver.request(bytes(10, 1), Wait.WRITTEN, queue, 1, 1);

        assertThat(request.outcome(0)).isEqualTo(Outcome.WRITTEN);
        reopen();
        assertThat(driver.readAll(queue, 0, 1 << 20)).hasSize(1);
    }

    @Test
    void aSecondOwnerOfTheDirectoryIsRefused() {
        assertThatThrownBy(() -> LocalStore.open(CONFIG, StoreEnvironment.local(directory)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(directory.toString());
    }

    /** Bytes that are a function of the seed. */
    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
