package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.DatedDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Cause;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.BlockRegistry;
import io.rivulet.store.maintenance.MergeConfig;
import io.rivulet.store.open.StoreDriver.Batch;
import io.rivulet.store.sweep.SweepTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Data that is too old or too much is deleted, and nothing else. */
final class StoreRetentionTest {
    private static final long START = 1_700_000_000_000L;
    private static final long AGE = Duration.ofMinutes(10).toMillis();
    private static final int KEEP = 0;
    private static final int SHORT = 1;
    private static final int BOUNDED = 2;
    private static final long BOUND = 10_000;
    private static final int BIG = 33_000;
    /** A batch that fills a block file, and stays inline. */
    private static final int FILE = 30_000;

    private static final int OLD_BATCHES = 20;
    private static final int BUSY_SECONDS = 100;

    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT
                    .withGroups(4, 128 << 10)
                    .withSegmentBytes(256 << 10)
                    .withSpareSegments(0))
            .withMemory(1 << 20, 1 << 20)
            .withMerge(new MergeConfig(
                    new MergePolicy(3, 2, 6, 32 << 10),
                    new BlockFileLimits(8 << 10, 16 << 10, 1000),
                    4 << 10,
                    1L << 40));

    private final AtomicLong clock = new AtomicLong(START);
    private final StoreModel model = new StoreModel(7);
    private Runnable onClock = () -> {};
    private CrashDisk disk = new CrashDisk();
    private LocalStore store;
    private StoreDriver driver;

    @BeforeEach
    void open() throws Exception {
        useDisk(disk);
    }

    private void useDisk(Disk used) throws Exception {
        store = LocalStore.open(CONFIG, new StoreEnvironment(used, new StepWorkers(), () -> {
            onClock.run();
            return clock.get();
        }));
        driver = new StoreDriver(store);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void limit(int retentionClass, long maxAgeMillis, long maxBytes) throws Exception {
        store.setRetention(retentionClass, maxAgeMillis, maxBytes)
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    /** Time passes in steps of ten seconds. */
    private void pass(Duration duration) {
        for (long left = duration.toSeconds(); left > 0; left -= 10) {
            clock.addAndGet(10_000);
            store.tick();
        }
    }

    private void appendToAll(int maxLength) throws Exception {
        for (int queueId : model.queueIds()) {
            model.append(driver, queueId, 3, clock.get(), 1 + (queueId * 37) % maxLength);
        }
    }

    /** Checks that all queues of a range are empty. */
    private void expire(int from, int to) {
        for (int queueId = from; queueId < to; queueId++) {
            model.trimmed(queueId, Long.MAX_VALUE);
        }
    }

    @Test
    void whatIsOlderThanItsClassAllowsGoesAndTheRestStays() throws Exception {
        model.createQueues(driver, 20, KEEP);
        model.createQueues(driver, 20, SHORT);
        limit(SHORT, AGE, -1);
        appendToAll(200);
        driver.sweepEverything();

        pass(Duration.ofMinutes(9));
        model.check(store, driver);

        pass(Duration.ofMinutes(2));
        expire(20, 40);
        model.check(store, driver);

        close();
        open();
        model.check(store, driver);
    }

    /** Producers keep the tail full, and each file that they fill takes a second. */
    @Test
    void oldDataGoesThoughThereIsAlwaysSomethingToSweep() throws Exception {
        close();
        AtomicInteger filesLeft = new AtomicInteger();
        AtomicLong startOffset = new AtomicLong();
        StepWorkers workers = StepWorkers.withPromptWriter();
        store = LocalStore.open(
                new StoreAssembly(
                        SimulatedStore.config(Durability.FSYNC, 1),
                        new StoreEnvironment(disk, workers, clock::get),
                        Attachments.NONE,
                        SimulatedStore.SIZES) {
                    @Override
                    SweepTarget sweepTarget(BlockRegistry registry) {
                        return new SweepTarget() {
                            @Override
                            public BlockFileWriter begin(long cycle, int firstQueueId) throws IOException {
                                return registry.begin(cycle, firstQueueId);
                            }

                            @Override
                            public void finished(BlockFileFooter footer) throws IOException {
                                registry.finished(footer);
                                if (filesLeft.getAndDecrement() > 0) {
                                    startOffset.set(store.startOffset(0));
                                    clock.addAndGet(1_000);
                                    store.tick();
                                    ByteBuffer source = ByteBuffer.allocateDirect(FILE);
                                    AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> {});
                                    assertThat(store.append(request.add(1, 0, FILE, 1, clock.get())))
                                            .isTrue();
                                }
                            }
                        };
                    }
                });
        driver = new StoreDriver(store);
        assertThat(driver.createQueues(1, SHORT)).isZero();
        assertThat(driver.createQueues(1, KEEP)).isEqualTo(1);
        limit(SHORT, AGE, -1);
        for (int i = 0; i < OLD_BATCHES; i++) {
            driver.append(0, 1, clock.get(), new byte[FILE]);
        }
        clock.addAndGet(2 * AGE);

        filesLeft.set(BUSY_SECONDS);
        workers.hold("maintenance");
        driver.append(1, 1, clock.get(), new byte[FILE]);
        workers.hold("");

        assertThat(store.failure()).isNull();
        assertThat(filesLeft).hasNonPositiveValue();
        assertThat(startOffset).hasValue(OLD_BATCHES);
    }

    @Test
    void aFileThatCouldNotBeReadOnceIsCheckedAgain() throws Exception {
        model.createQueues(driver, 20, SHORT);
        limit(SHORT, AGE, -1);
        appendToAll(200);
        driver.sweepEverything();
        close();
        FaultyDisk faulty = new FaultyDisk(disk);
        useDisk(faulty);
        faulty.fail(Op.READ, Cause.BROKEN);
        pass(Duration.ofMinutes(11));
        assertThat(model.queueIds())
                .allSatisfy(queueId -> assertThat(store.startOffset(queueId)).isZero());

        faulty.heal();
        pass(Duration.ofMinutes(6));

        expire(0, 20);
        model.check(store, driver);
    }

    @Test
    void filesOfWhichEverythingIsTooOldGoAsAWholeAndSoDoesTheLog() throws Exception {
        model.createQueues(driver, 20, SHORT);
        limit(SHORT, AGE, -1);
        appendToAll(200);
        model.append(driver, 3, 1, clock.get(), BIG);
        driver.sweepEverything();
        pass(Duration.ofMinutes(5));
        appendToAll(200);
        driver.sweepEverything();
        assertThat(store.metric(StoreMetric.BLOCK_FILES)).isEqualTo(2);

        pass(Duration.ofMinutes(6));

        assertThat(store.metric(StoreMetric.BLOCK_FILES)).isEqualTo(1);
        assertThat(store.registry().neededLsn())
                .isEqualTo(store.registry().manifest().replayLsn());
        pass(Duration.ofMinutes(6));
        assertThat(store.metric(StoreMetric.BLOCK_FILES)).isZero();
        expire(0, 20);
        model.check(store, driver);
    }

    @Test
    void dataThatWasNeverSweptExpiresToo() throws Exception {
        model.createQueues(driver, 20, SHORT);
        limit(SHORT, AGE, -1);
        appendToAll(200);

        pass(Duration.ofMinutes(21));

        expire(0, 20);
        model.check(store, driver);
        assertThat(store.metric(StoreMetric.TAIL_USED_CHUNKS)).isZero();
    }

    @Test
    void limitsAreInForceAfterAnotherStartAndCanBeLifted() throws Exception {
        model.createQueues(driver, 5, SHORT);
        model.createQueues(driver, 5, 3);
        limit(SHORT, AGE, -1);
        limit(3, AGE, -1);
        limit(3, -1, -1);
        close();
        open();
        driver.sweepEverything();
        close();
        open();
        appendToAll(100);

        pass(Duration.ofMinutes(21));

        expire(0, 5);
        model.check(store, driver);
    }

    @Test
    void queuesThatWereMovedToAnotherClassTakeItsLimitsAlsoAfterAnotherStart() throws Exception {
        model.createQueues(driver, 10, KEEP);
        limit(SHORT, AGE, -1);
        appendToAll(200);
        model.delete(store, 4);
        store.classQueues(3, 4, SHORT).toCompletableFuture().get(10, TimeUnit.SECONDS);
        close();
        open();
        assertThat(store.exists(4)).isFalse();
        driver.sweepEverything();
        close();
        open();

        pass(Duration.ofMinutes(21));

        assertThat(store.retentionClass(3)).isEqualTo(SHORT);
        assertThat(store.retentionClass(7)).isEqualTo(KEEP);
        model.trimmed(3, Long.MAX_VALUE);
        model.trimmed(5, Long.MAX_VALUE);
        model.trimmed(6, Long.MAX_VALUE);
        model.check(store, driver);
    }

    @Test
    void oldDataBehindYoungDataWaitsForIt() throws Exception {
        model.createQueues(driver, 1, SHORT);
        limit(SHORT, AGE, -1);
        model.append(driver, 0, 1, START + AGE, 10);
        driver.sweepEverything();
        model.append(driver, 0, 1, START, 10);
        driver.sweepEverything();

        pass(Duration.ofMinutes(12));
        model.check(store, driver);

        pass(Duration.ofMinutes(10));
        expire(0, 1);
        model.check(store, driver);
    }

    @Test
    void batchesWithoutATimestampAreAsOldAsTheirFile() throws Exception {
        model.createQueues(driver, 3, SHORT);
        limit(SHORT, AGE, -1);
        model.append(driver, 0, 1, -1, 10);
        model.append(driver, 1, 1, Long.MIN_VALUE, 10);
        model.append(driver, 2, 1, START - AGE, 10);
        driver.sweepEverything();

        pass(Duration.ofMinutes(9));
        expire(2, 3); // the others in its file do not delay it
        model.check(store, driver);

        pass(Duration.ofMinutes(2));
        expire(0, 2);
        model.check(store, driver);
    }

    @Test
    void theTimeOfAFileCountsAfterARestart() throws Exception {
        close();
        useDisk(new DatedDisk(disk, START));
        model.createQueues(driver, 1, SHORT);
        limit(SHORT, AGE, -1);
        model.append(driver, 0, 1, -1, 10);
        driver.sweepEverything();
        pass(Duration.ofMinutes(6));
        close();
        useDisk(new DatedDisk(disk, START));
        pass(Duration.ofMinutes(2));
        model.check(store, driver);

        pass(Duration.ofMinutes(3));
        expire(0, 1);
        model.check(store, driver);
    }

    @Test
    void aQueueIsTrimmedToAboutItsBoundAndNeverWithinABatch() throws Exception {
        model.createQueues(driver, 1, BOUNDED);
        model.createQueues(driver, 1, KEEP);
        limit(BOUNDED, -1, BOUND);
        for (int round = 0; round < 20; round++) {
            for (int queue = 0; queue < 2; queue++) {
                model.append(driver, queue, 3, clock.get(), 700);
                model.append(driver, queue, 4, clock.get(), 900);
            }
            driver.sweepEverything();
        }

        long start = store.startOffset(0);
        assertThat(start).isPositive();
        List<Batch> left = driver.readAll(0, start, 1 << 20);
        assertThat(left.get(0).baseOffset()).isEqualTo(start);
        assertThat(left.stream().mapToLong(batch -> batch.bytes().length).sum())
                .isBetween(BOUND - 100, BOUND + (9 << 10));
        model.trimmed(0, start);
        model.check(store, driver);

        close();
        open();
        model.check(store, driver);
    }

    /** The limits are removed while some queues have been measured and others have not. */
    @Test
    void nothingIsTrimmedForALimitThatWasLifted() throws Exception {
        int queues = 1500;
        driver.createQueues(queues, BOUNDED);
        limit(BOUNDED, -1, 10);
        for (int round = 0; round < 2; round++) {
            for (int queueId = 0; queueId < queues; queueId++) {
                driver.append(queueId, 1, clock.get(), new byte[50]);
            }
            if (round == 1) {
                long cycles = store.metric(StoreMetric.SWEEP_CYCLES);
                onClock = () -> {
                    if (store.metric(StoreMetric.SWEEP_CYCLES) > cycles) {
                        onClock = () -> {};
                        store.setRetention(BOUNDED, -1, -1);
                    }
                };
            }
            driver.sweepEverything();
        }

        int trimmed = 0;
        for (int queueId = 0; queueId < queues; queueId++) {
            long start = store.startOffset(queueId);
            trimmed += start > 0 ? 1 : 0;
            assertThat(start).as("start of queue %d", queueId).isLessThan(2);
        }
        assertThat(trimmed).isBetween(1, queues - 1);
    }

    @Test
    void bigBatchesCountWithAllTheirBytes() throws Exception {
        model.createQueues(driver, 1, BOUNDED);
        limit(BOUNDED, -1, 5 * BIG);
        for (int i = 0; i < 20; i++) {
            model.append(driver, 0, 2, clock.get(), BIG);
        }
        driver.sweepEverything();

        assertThat(store.startOffset(0)).isEqualTo(2 * 15);
        model.trimmed(0, 2 * 15);
        model.check(store, driver);
    }

    @Test
    void aQuietStoreDoesNothing() throws Exception {
        model.createQueues(driver, 10, SHORT);
        limit(SHORT, AGE, BOUND);
        appendToAll(100);
        pass(Duration.ofMinutes(30));
        int before = disk.traceLength();

        pass(Duration.ofDays(1));

        assertThat(disk.traceLength()).isEqualTo(before);
    }

    @Test
    void aPowerCutWhileQueuesAreTrimmedLeavesEachWholeOrGone() throws Exception {
        model.createQueues(driver, 10, SHORT);
        limit(SHORT, AGE, -1);
        appendToAll(200);
        driver.sweepEverything();
        int from = disk.traceLength();
        pass(Duration.ofMinutes(11));
        int to = disk.traceLength();
        assertThat(to).isGreaterThan(from);
        for (int moment = from; moment <= to; moment++) {
            StoreEnvironment environment =
                    new StoreEnvironment(disk.afterPowerCut(moment, moment), new StepWorkers(), () -> START);
            try (LocalStore after = LocalStore.open(CONFIG, environment)) {
                StoreDriver reader = new StoreDriver(after);
                for (int queueId = 0; queueId < 10; queueId++) {
                    assertThat(after.endOffset(queueId)).isEqualTo(3);
                    assertThat(after.startOffset(queueId)).isIn(0L, 3L);
                    assertThat(reader.readAll(queueId, after.startOffset(queueId), 1000))
                            .hasSize(after.startOffset(queueId) == 0 ? 1 : 0);
                }
            }
        }
    }
}
