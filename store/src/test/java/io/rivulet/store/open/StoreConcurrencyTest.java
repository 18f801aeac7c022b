package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.BatchSink;
import io.rivulet.store.Durability;
import io.rivulet.store.Outcome;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real threads on a real disk: producers, readers of the tail, readers of everything, sweeps, created and deleted
 * queues. Each batch contains its place, and each read is verified. A smoke test: the simulation should be extended to
 * find what this test finds.
 *
 * <p>The other threads do one round for a number of producer steps, so the work is the same on a slow machine.
 */
class StoreConcurrencyTest {
    private static final int PRODUCERS = 3;
    private static final int QUEUES_EACH = 3;
    private static final int REQUESTS_EACH = 200;
    private static final int[] LENGTHS = {16, 60, 60, 300, 3000, 9000, 20_000, 35_000};
    private static final StoreConfig CONFIG = SimulatedStore.config(Durability.OS, 512 << 10);

    @TempDir
    private Path directory;

    private final Pace pace = new Pace();

    @Test
    void whatIsReadIsWhatWasAppendedWhateverElseGoesOn() throws Exception {
        try (LocalStore store = open()) {
            int first = created(store, PRODUCERS * QUEUES_EACH);
            List<Callable<Void>> threads = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                int mine = first + i * QUEUES_EACH;
                threads.add(() -> produce(store, mine));
                threads.add(() -> followTails(store, mine));
            }
            threads.add(() -> readEverything(store, first));
            threads.add(() -> createAndDelete(store));
            threads.add(() -> sweep(store));
            runAll(store, threads);
            assertThat(store.failure()).isNull();
        }
        try (LocalStore again = open()) {
            StoreReader reader = again.reader();
            for (int queueId = 0; queueId < PRODUCERS * QUEUES_EACH; queueId++) {
                assertThat(new Verifying(again, reader, queueId).readOn(1 << 20))
                        .isEqualTo(again.endOffset(queueId));
            }
        }
    }

    private LocalStore open() throws IOException {
        return LocalStore.open(
                new StoreAssembly(CONFIG, StoreEnvironment.local(directory), Attachments.NONE, SimulatedStore.SIZES));
    }

    private static int created(LocalStore store, int count) throws Exception {
        return Patience.with(store).get(store.createQueues(count, 0).toCompletableFuture());
    }

    private static void runAll(LocalStore store, List<Callable<Void>> threads) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads.size());
        try {
            List<Future<Void>> running = new ArrayList<>();
            threads.forEach(thread -> running.add(executor.submit(thread)));
            for (Future<Void> thread : running) {
                Patience.with(store).get(thread);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    /** The progress of the producers. Thread-safe, guarded by its monitor. */
    private static final class Pace {
        private int producing = PRODUCERS;
        private long steps;

        synchronized void step() {
            steps++;
            notifyAll();
        }

        synchronized void leave() {
            producing--;
            notifyAll();
        }

        /** Waits until the producers have done more steps than this; false if they have ended. */
        synchronized boolean awaitBeyond(long seen) throws InterruptedException {
            while (steps <= seen && producing > 0) {
                wait();
            }
            return producing > 0;
        }
    }

    // ---- batches that contain their place ----

    private static void fill(ByteBuffer source, int at, int length, int queueId, long offset) {
        SplittableRandom random = new SplittableRandom(queueId * 1_000_003L + offset);
        source.putInt(at, queueId).putLong(at + 4, offset);
        for (int i = 12; i < length; i++) {
            source.put(at + i, (byte) random.nextInt());
        }
    }

    /** Appends to its own queues, one record in each batch, so the offset of each is known before. */
    private Void produce(LocalStore store, int firstQueueId) throws Exception {
        SplittableRandom random = new SplittableRandom(firstQueueId);
        ByteBuffer source = ByteBuffer.allocateDirect(QUEUES_EACH * 35_000);
        try {
            for (int i = 0; i < REQUESTS_EACH; i++) {
                append(store, source, firstQueueId, i, LENGTHS[random.nextInt(LENGTHS.length)]);
                pace.step();
            }
        } finally {
            pace.leave();
        }
        return null;
    }

    private static void append(LocalStore store, ByteBuffer source, int firstQueueId, long offset, int length)
            throws Exception {
        CompletableFuture<AppendRequest> done = new CompletableFuture<>();
        AppendRequest request = new AppendRequest(source, Wait.DURABLE, done::complete);
        for (int q = 0; q < QUEUES_EACH; q++) {
            fill(source, q * length, length, firstQueueId + q, offset);
            request.add(firstQueueId + q, q * length, length, 1, offset);
        }
        while (!store.append(request)) {
            CompletableFuture<Void> room = new CompletableFuture<>();
            store.whenRoom(() -> room.complete(null));
            Patience.with(store).get(room);
        }
        Patience.with(store).get(done);
        for (int q = 0; q < QUEUES_EACH; q++) {
            assertThat(request.outcome(q)).isEqualTo(Outcome.DURABLE);
            assertThat(request.baseOffset(q)).isEqualTo(offset);
        }
    }

    /** Reads one queue continuously, and verifies each batch. */
    private static final class Verifying implements BatchSink {
        private final LocalStore store;
        private final StoreReader reader;
        private final int queueId;
        private long nextOffset;
        private String wrong = "";

        Verifying(LocalStore store, StoreReader reader, int queueId) {
            this.store = store;
            this.reader = reader;
            this.queueId = queueId;
        }

        /** Reads to the end, and returns that offset. */
        long readOn(int maxBytes) throws IOException {
            while (nextOffset < store.endOffset(queueId)) {
                long from = nextOffset;
                assertThat(reader.read(queueId, from, maxBytes, this)).isEqualTo(ReadStatus.BATCHES);
                assertThat(wrong).isEmpty();
                assertThat(nextOffset).isGreaterThan(from);
            }
            return nextOffset;
        }

        @Override
        public boolean batch(
                long baseOffset, int recordCount, long maxTimestamp, ByteBuffer bytes, int at, int length) {
            ByteBuffer expected = ByteBuffer.allocate(length);
            fill(expected, 0, length, queueId, nextOffset);
            boolean same = baseOffset == nextOffset
                    && recordCount == 1
                    && maxTimestamp == baseOffset
                    && expected.equals(bytes.slice(at, length));
            if (!same) {
                wrong = "queue " + queueId + ": a wrong batch at " + baseOffset + ", read for " + nextOffset;
            }
            nextOffset = baseOffset + recordCount;
            return same;
        }
    }

    private Void followTails(LocalStore store, int firstQueueId) throws Exception {
        StoreReader reader = store.reader();
        List<Verifying> queues = new ArrayList<>();
        for (int q = 0; q < QUEUES_EACH; q++) {
            queues.add(new Verifying(store, reader, firstQueueId + q));
        }
        boolean more = true;
        for (long seen = 0; more; seen++) {
            more = pace.awaitBeyond(seen);
            for (Verifying queue : queues) {
                queue.readOn(50_000);
            }
        }
        for (Verifying queue : queues) {
            assertThat(queue.nextOffset).isEqualTo(REQUESTS_EACH);
        }
        return null;
    }

    private Void readEverything(LocalStore store, int firstQueueId) throws Exception {
        StoreReader reader = store.reader();
        for (int round = 0; pace.awaitBeyond(round); round++) {
            int queueId = firstQueueId + round % (PRODUCERS * QUEUES_EACH);
            new Verifying(store, reader, queueId).readOn(1 + round % 7 * 30_000);
        }
        return null;
    }

    private Void createAndDelete(LocalStore store) throws Exception {
        StoreReader reader = store.reader();
        ByteBuffer source = ByteBuffer.allocateDirect(QUEUES_EACH * 9000);
        for (int round = 0; pace.awaitBeyond(12L * round); round++) {
            int first = created(store, QUEUES_EACH);
            for (int i = 0; i < 10; i++) {
                append(store, source, first, i, 9000);
            }
            assertThat(new Verifying(store, reader, first).readOn(40_000)).isEqualTo(10);
            Patience.with(store).get(store.deleteQueues(first, QUEUES_EACH).toCompletableFuture());
            assertThat(reader.read(first, 0, 1, (base, count, timestamp, bytes, at, length) -> true))
                    .isEqualTo(ReadStatus.NO_QUEUE);
        }
        return null;
    }

    private Void sweep(LocalStore store) throws Exception {
        for (int round = 0; pace.awaitBeyond(8L * round); round++) {
            Patience.with(store).get(store.sweepEverything());
        }
        return null;
    }
}
