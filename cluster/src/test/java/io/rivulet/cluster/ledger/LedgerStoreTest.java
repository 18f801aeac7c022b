package io.rivulet.cluster.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.fake.FakeClient;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.DirectoryLock;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.ReadBack;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store whose log is on ledgers: nothing else of it is different. */
@Timeout(300)
final class LedgerStoreTest {
    private static final int QUEUES = 3;
    private static final int BATCHES = 300;
    /** From 32 KiB on, the tail refers to a batch in the log. */
    private static final int[] SIZES = {20, 500, 5_000, 40_000, 150_000};

    private static final long PATIENCE_SECONDS = 60;

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final FakeEngine engine = FakeEngine.eager();
    private final List<List<byte[]>> appended = new ArrayList<>();
    private CrashDisk disk = new CrashDisk();

    private LocalStore open(FakeClient client) throws IOException {
        FailureLatch failures = new FailureLatch();
        StoreEnvironment local = new StoreEnvironment(disk, Workers.threads(failures), StoreClock.system(0), failures);
        LedgerLogConfig config = LedgerLogConfig.DEFAULT.withLedgerBytes(1 << 20);
        return LocalStore.open(
                StoreConfig.DEFAULT.withMemory(1 << 20, 1 << 20),
                local.withLog(new LedgerLogLocation(client, "log", disk, config)));
    }

    private void createQueues(LocalStore store) throws Exception {
        for (int queue = 0; queue < QUEUES; queue++) {
            appended.add(new ArrayList<>());
        }
        get(store.createQueues(QUEUES, 0).toCompletableFuture());
    }

    @Test
    void whatIsAppendedIsReadFromTailBlocksAndLedgers() throws Exception {
        try (LocalStore store = open(engine.client())) {
            createQueues(store);
            append(store);
            readAll(store);
        }
        try (LocalStore store = open(engine.client())) {
            readAll(store);
            append(store);
            get(store.sweepEverything());
            readAll(store);
        }
        try (LocalStore store = open(engine.client())) {
            readAll(store);
        }
    }

    /** Nobody else can use a directory that is new, and a new store knows the time. */
    @Test
    void aNewDirectoryOfASharedLogOpensWithoutAWaitAndWithoutDoubt() throws Exception {
        AtomicInteger waits = new AtomicInteger();
        openShared(waits);
        disk = new CrashDisk();
        openShared(waits);
        assertThat(waits).hasValue(0);
        openShared(waits);
        assertThat(waits).hasValue(1);
    }

    private void openShared(AtomicInteger waits) throws Exception {
        FailureLatch failures = new FailureLatch();
        StoreClock clock = StoreClock.system(StoreClock.DEFAULT_PATIENCE_MILLIS);
        Disk local = new ForwardingDisk(disk) {
            @Override
            public DirectoryLock lock() throws IOException {
                return new CountingLock(super.lock(), waits);
            }
        };
        LedgerLogLocation log =
                new LedgerLogLocation(engine.client(), "shared", local, LedgerLogConfig.DEFAULT.shared());
        try (LocalStore store = LocalStore.open(
                StoreConfig.DEFAULT.withMemory(1 << 20, 1 << 20),
                new StoreEnvironment(local, Workers.threads(failures), clock, failures).withLog(log))) {
            get(store.createQueues(1, 0).toCompletableFuture());
            assertThat(clock.heldBackMillis()).isZero();
        }
    }

    /** Counts who waits for an earlier owner of the directory. */
    private record CountingLock(DirectoryLock lock, AtomicInteger waits) implements DirectoryLock {
        @Override
        public void check() throws IOException {
            lock.check();
        }

        @Override
        public void awaitFormerOwner() {
            waits.incrementAndGet();
        }

        @Override
        public void close() throws IOException {
            lock.close();
        }
    }

    @Test
    void ledgersAreTrimmedAtACheckpointAlthoughLargeBatchesWereWritten() throws Exception {
        FakeClient client = engine.client();
        try (LocalStore store = open(client)) {
            createQueues(store);
            append(store);
            assertThat(ledgers(client)).isGreaterThan(5);

            get(store.sweepEverything());

            assertThat(ledgers(client)).isLessThanOrEqualTo(2);
            readAll(store);
        }
        try (LocalStore store = open(engine.client())) {
            readAll(store);
        }
    }

    private static int ledgers(FakeClient client) throws IOException {
        return LogRecord.decode(
                        "log", Objects.requireNonNull(client.load("log")).bytes())
                .ledgers()
                .size();
    }

    @Test
    void whatWasAcknowledgedIsThereAfterTheOwnerDied() throws Exception {
        FakeClient dying = engine.client();
        LocalStore dead = open(dying);
        createQueues(dead);
        append(dead);
        dying.die();
        disk = disk.afterPowerCut(disk.traceLength(), random.nextLong());

        try (LocalStore store = open(engine.client())) {
            readAll(store);
            append(store);
            readAll(store);
        }
        dead.close();
    }

    /** A sweep that waits for one lost bookie after the other takes longer than a close waits. */
    @Test
    void aStoreIsClosedWhenTheThreadHasEndedThatItsCloseDidNotWaitFor(@TempDir Path directory) throws Exception {
        FailureLatch failures = new FailureLatch();
        CountDownLatch threadEnds = new CountDownLatch(1);
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        LocalStore store = openIn(directory, new Hanging(failures, "maintenance", threadEnds), failures, closed);
        createQueues(store);
        append(store);

        assertThatThrownBy(store::close).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> openIn(directory)).isInstanceOf(IOException.class);
        assertThat(closed).isNotDone();
        threadEnds.countDown();
        assertThat(get(closed)).isTrue();

        try (LocalStore again = openIn(directory)) {
            readAll(again);
        }
    }

    private LocalStore openIn(Path directory) throws IOException {
        FailureLatch failures = new FailureLatch();
        return openIn(directory, Workers.threads(failures), failures, new CompletableFuture<>());
    }

    private LocalStore openIn(Path directory, Workers workers, FailureLatch failures, CompletableFuture<Boolean> closed)
            throws IOException {
        Disk local = new LocalDisk(directory);
        LedgerLogLocation log = new LedgerLogLocation(engine.client(), "log", local, LedgerLogConfig.DEFAULT);
        return LocalStore.open(
                StoreConfig.DEFAULT.withMemory(1 << 20, 1 << 20),
                new StoreEnvironment(local, workers, StoreClock.system(0), failures)
                        .withLog(new ReportingLocation(log, closed)));
    }

    /** The first close of one worker gives up, as after {@link Workers#CLOSE_MILLIS}; the next one waits. */
    private static final class Hanging implements Workers {
        private final Workers threads;
        private final String name;
        private final CountDownLatch threadEnds;
        private boolean hasGivenUp;

        Hanging(FailureLatch failures, String name, CountDownLatch threadEnds) {
            this.threads = Workers.threads(failures);
            this.name = name;
            this.threadEnds = threadEnds;
        }

        @Override
        public Worker start(String worker, Runnable work) {
            Worker started = threads.start(worker, work);
            return worker.equals(name) ? hanging(started) : started;
        }

        private Worker hanging(Worker worker) {
            return new Worker() {
                @Override
                public void signal() {
                    worker.signal();
                }

                @Override
                public void close() {
                    if (!hasGivenUp) {
                        hasGivenUp = true;
                        throw new IllegalStateException("the thread " + name + " does not end");
                    }
                    awaitEnd();
                    worker.close();
                }
            };
        }

        private void awaitEnd() {
            try {
                threadEnds.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Says when it is closed, which is the last thing of a store. */
    private record ReportingLocation(LogLocation log, CompletableFuture<Boolean> closed) implements LogLocation {
        @Override
        public boolean exists() throws IOException {
            return log.exists();
        }

        @Override
        public CommitLog open(LogConfig config, Runnable wakeUp, Workers workers, FailureLatch failures)
                throws IOException {
            return log.open(config, wakeUp, workers, failures);
        }

        @Override
        public void close() throws IOException {
            log.close();
            closed.complete(true);
        }
    }

    private void append(LocalStore store) throws Exception {
        for (int i = 0; i < BATCHES; i++) {
            int queue = random.nextInt(QUEUES);
            byte[] bytes = new byte[SIZES[random.nextInt(SIZES.length)]];
            random.nextBytes(bytes);
            CompletableFuture<AppendRequest> done = new CompletableFuture<>();
            ByteBuffer source = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
            AppendRequest request =
                    new AppendRequest(source, Wait.DURABLE, done::complete).add(queue, 0, bytes.length, 1, 1);
            assertThat(store.append(request)).isTrue();
            assertThat(get(done).outcome(0).isStored()).isTrue();
            appended.get(queue).add(bytes);
        }
    }

    private void readAll(LocalStore store) throws IOException {
        StoreReader reader = store.reader();
        for (int queue = 0; queue < QUEUES; queue++) {
            assertThat(ReadBack.all(reader, queue))
                    .as("rivulet.seed=" + seed)
                    .containsExactlyElementsOf(appended.get(queue));
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
