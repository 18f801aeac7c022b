package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.StoreMetric;
import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.MergeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Block files are merged in the background. */
final class StoreMergeTest {
    private static final int QUEUES = 40;
    private static final int BIG = 33_000;
    private static final int PAUSE_TICKS = 60;
    private static final int MANIFESTS = 30;

    /** Small blocks and files, merged three at a time; references stay. */
    private static final MergeConfig MERGE = new MergeConfig(
            new MergePolicy(3, 2, 6, 32 << 10), new BlockFileLimits(8 << 10, 16 << 10, 1000), 4 << 10, 1L << 40);

    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT
                    .withGroups(4, 128 << 10)
                    .withSegmentBytes(256 << 10)
                    .withSpareSegments(0))
            .withMemory(1 << 20, 1 << 20)
            .withMerge(MERGE);

    private final StoreModel model = new StoreModel(42);

    private static LocalStore open(Disk disk, StoreConfig config) throws IOException {
        return LocalStore.open(config, new StoreEnvironment(disk, new StepWorkers(), () -> 1_000_000));
    }

    /** Appends and sweeps; each round leaves at most two generations. */
    private void rounds(StoreDriver driver, int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            model.appendToSome(driver, 0.7, 300);
            model.append(driver, model.queueIds().get(round % QUEUES), 2, round, BIG);
            driver.sweepEverything();
        }
    }

    @Test
    void mergesHappenByThemselvesAndEveryReadStaysRight() throws Exception {
        try (LocalStore store = open(new CrashDisk(), CONFIG)) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            for (int round = 0; round < 10; round++) {
                rounds(driver, 1);
                model.check(store, driver);
            }

            assertThat(store.metric(StoreMetric.MERGES)).isGreaterThanOrEqualTo(3);
            assertThat(store.metric(StoreMetric.MERGED_BYTES)).isPositive();
            assertThat(store.metric(StoreMetric.MERGE_DEBT_GENERATIONS)).isLessThan(3);
            assertThat(store.metric(StoreMetric.MERGE_FAILURES)).isZero();
        }
    }

    @Test
    void aMergedStoreIsTheSameAfterAnotherStart() throws Exception {
        CrashDisk disk = new CrashDisk();
        for (int start = 0; start < 4; start++) {
            try (LocalStore store = open(disk, CONFIG)) {
                StoreDriver driver = new StoreDriver(store);
                if (start == 0) {
                    model.createQueues(driver, QUEUES, 0);
                }
                model.check(store, driver);
                rounds(driver, 3);
                model.appendToSome(driver, 0.5, 100);
                model.check(store, driver);
            }
        }
    }

    @Test
    void readersSeeEveryBatchWhileThreadsMerge(@TempDir Path directory) throws Exception {
        try (LocalStore store = LocalStore.open(CONFIG, StoreEnvironment.local(directory))) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            rounds(driver, 1);
            AtomicBoolean done = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread reader = new Thread(() -> {
                StoreDriver ownDriver = new StoreDriver(store);
                try {
                    while (!done.get()) {
                        for (int queueId : model.queueIds()) {
                            long end = store.endOffset(queueId);
                            long reached = 0;
                            for (StoreDriver.Batch batch : ownDriver.readAll(queueId, 0, 5000)) {
                                assertThat(batch.baseOffset()).isEqualTo(reached);
                                reached += batch.recordCount();
                            }
                            assertThat(reached).isGreaterThanOrEqualTo(end);
                        }
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            reader.start();
            rounds(driver, 20);
            done.set(true);
            reader.join();

            assertThat(failure.get()).isNull();
            model.check(store, driver);
            assertThat(store.failure()).isNull();
        }
    }

    @Test
    void aPowerCutAtAnyStepOfAMergeLosesNothing() throws Exception {
        CrashDisk disk = new CrashDisk();
        try (LocalStore store = open(disk, CONFIG)) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            rounds(driver, 2);
            model.trim(store, model.queueIds().get(3), 2);
            model.delete(store, model.queueIds().get(5));
            model.appendToSome(driver, 0.7, 300);
            int from = disk.traceLength();
            long merges = store.metric(StoreMetric.MERGES);
            driver.sweepEverything();
            assertThat(store.metric(StoreMetric.MERGES)).isGreaterThan(merges);
            int to = disk.traceLength();
            for (int moment = from; moment <= to; moment++) {
                try (LocalStore after = open(disk.afterPowerCut(moment, moment), CONFIG)) {
                    model.check(after, new StoreDriver(after));
                } catch (Throwable e) {
                    throw new AssertionError("power cut at moment " + moment + " of " + from + ".." + to, e);
                }
            }
        }
    }

    @Test
    void aMergeThatACrashInterruptedIsFinishedAfterTheNextStart() throws Exception {
        CrashDisk disk = new CrashDisk();
        try (LocalStore store = open(disk, CONFIG)) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            rounds(driver, 2);
            model.appendToSome(driver, 0.7, 300);
            int from = disk.traceLength();
            driver.sweepEverything();
            for (int moment = from; moment <= disk.traceLength(); moment += 10) {
                CrashDisk cut = disk.afterPowerCut(moment, moment);
                try (LocalStore after = open(cut, CONFIG)) {
                    StoreDriver afterDriver = new StoreDriver(after);
                    afterDriver.sweepEverything();
                    model.check(after, afterDriver);
                    assertThat(after.metric(StoreMetric.MERGE_DEBT_GENERATIONS)).isLessThan(3);
                    assertThat(after.metric(StoreMetric.MERGE_FAILURES)).isZero();
                    assertThat(after.registry().files().superseded()).isEmpty();
                }
            }
        }
    }

    /** These queues are in no snapshot yet, but already in block files. */
    @Test
    void queuesOfTheFirstCycleAreNotSweptTwiceAfterAPowerCut() throws Exception {
        CrashDisk disk = new CrashDisk();
        try (LocalStore store = open(disk, CONFIG)) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            for (int i = 0; i < 10; i++) {
                model.appendToSome(driver, 1, 2000);
            }
            int from = disk.traceLength();
            driver.sweepEverything();
            for (int moment = from; moment <= disk.traceLength(); moment++) {
                try (LocalStore after = open(disk.afterPowerCut(moment, moment), CONFIG)) {
                    StoreDriver afterDriver = new StoreDriver(after);
                    afterDriver.sweepEverything();
                    long offsets = after.registry().files().files().stream()
                            .mapToLong(file -> file.footer().offsetCount())
                            .sum();
                    assertThat(offsets).isEqualTo(model.offsets());
                    model.check(after, afterDriver);
                }
            }
        }
    }

    @Test
    void theBytesOfDeletedQueuesGo() throws Exception {
        try (LocalStore store = open(new CrashDisk(), CONFIG)) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            model.appendToSome(driver, 1, 4000);
            rounds(driver, 2);
            List<Integer> ids = model.queueIds();
            for (int i = 1; i < QUEUES; i++) {
                model.delete(store, ids.get(i));
            }
            long before = store.metric(StoreMetric.BLOCK_BYTES);
            for (int round = 0; round < 4; round++) {
                model.append(driver, ids.get(0), 1, 5, 50);
                driver.sweepEverything();
            }

            assertThat(store.metric(StoreMetric.BLOCK_BYTES)).isLessThan(before / 2);
            model.check(store, driver);

            model.delete(store, ids.get(0));
            driver.sweepEverything();
            assertThat(store.metric(StoreMetric.BLOCK_FILES)).isZero();
            assertThat(store.registry().neededLsn())
                    .isEqualTo(store.registry().manifest().replayLsn());
        }
    }

    @Test
    void aQuietQueueDoesNotPinTheLog() throws Exception {
        MergeConfig inlining = new MergeConfig(MERGE.policy(), MERGE.limits(), MERGE.stepBytes(), 256 << 10);
        CrashDisk disk = new CrashDisk();
        try (LocalStore store = open(disk, CONFIG.withMerge(inlining))) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            int quiet = model.queueIds().get(0);
            int busy = model.queueIds().get(1);
            model.append(driver, quiet, 1, 1, BIG);
            for (int i = 0; i < 100; i++) {
                model.append(driver, busy, 1, i, BIG);
                if (i % 10 == 9) {
                    model.trim(store, busy, i);
                    driver.sweepEverything();
                }
            }

            assertThat(store.metric(StoreMetric.LOG_SIZE_BYTES)).isLessThan(2 << 20);
            model.check(store, driver);
        }
        try (LocalStore store = open(disk, CONFIG.withMerge(inlining))) {
            model.check(store, new StoreDriver(store));
        }
    }

    @Test
    void bigBatchesThatAreWantedStayInTheLog() throws Exception {
        MergeConfig inlining = new MergeConfig(MERGE.policy(), MERGE.limits(), MERGE.stepBytes(), 0);
        try (LocalStore store = open(new CrashDisk(), CONFIG.withMerge(inlining))) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, 1, 0);
            for (int i = 0; i < 100; i++) {
                model.append(driver, 0, 1, i, BIG);
                if (i % 10 == 9) {
                    driver.sweepEverything();
                }
            }

            assertThat(store.metric(StoreMetric.BLOCK_BYTES)).isLessThan(3 * BIG);
            model.check(store, driver);
        }
    }

    @Test
    void anUnreadableFileIsSkippedAndTheStoreContinues() throws Exception {
        CrashDisk disk = new CrashDisk();
        try (LocalStore store = open(disk, CONFIG)) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            rounds(driver, 1);
            String name = store.registry().files().files().get(0).name();
            disk.flipBit("blocks/" + name, 4096 + 100, 3);
            rounds(driver, 8);

            assertThat(store.metric(StoreMetric.MERGE_FAILURES)).isEqualTo(1);
            assertThat(store.metric(StoreMetric.MERGES)).isPositive();
            assertThat(store.failure()).isNull();
        }
    }

    @Test
    void aFullDiskPausesTheMergeOnly() throws Exception {
        AtomicInteger creates = new AtomicInteger(Integer.MAX_VALUE);
        Disk full = new FullAtCreate(new CrashDisk(), ".blocks", creates);
        failsOnceAndGoesOn(full, () -> creates.set(2));
    }

    @Test
    void aMergeWhoseFileCantBeForcedIsTriedAgain() throws Exception {
        FaultyDisk disk = new FaultyDisk(new CrashDisk());
        failsOnceAndGoesOn(disk, () -> disk.failNth(Op.FORCE, 2, name -> name.contains(".blocks")));
    }

    /** Nothing would delete it before the next start. */
    @Test
    void aFileThatTheManifestHasNoSpaceForIsDeleted() throws Exception {
        long failedMerges = 0;
        for (int manifest = 1; manifest <= MANIFESTS; manifest++) {
            AtomicInteger creates = new AtomicInteger(Integer.MAX_VALUE);
            CrashDisk disk = new CrashDisk();
            StoreModel filled = new StoreModel(manifest);
            try (LocalStore store = open(new FullAtCreate(disk, "manifest.", creates), CONFIG)) {
                StoreDriver driver = new StoreDriver(store);
                filled.createQueues(driver, QUEUES, 0);
                creates.set(manifest);
                for (int round = 0; round < 10; round++) {
                    filled.appendToSome(driver, 0.7, 300);
                    store.sweepEverything();
                    store.tick();
                }
                assertThat(creates.get()).isNotPositive();
                assertThat(store.failure()).isNull();
                failedMerges += store.metric(StoreMetric.MERGE_FAILURES);

                assertThat(disk.directory("blocks").list())
                        .as("manifest %d", manifest)
                        .containsExactlyInAnyOrderElementsOf(store.registry().files().files().stream()
                                .map(BlockFile::name)
                                .toList());
            }
        }
        assertThat(failedMerges).isPositive();
    }

    /** Has no space for a new file with such a name when the count reaches zero. */
    private static final class FullAtCreate extends ForwardingDisk {
        private final String part;
        private final AtomicInteger left;

        FullAtCreate(Disk disk, String part, AtomicInteger left) {
            super(disk);
            this.part = part;
            this.left = left;
        }

        @Override
        public DiskFile create(String name, IoMode mode) throws IOException {
            if (name.contains(part) && left.decrementAndGet() == 0) {
                throw new ShortageException(ShortageException.Kind.SPACE, "no space, on order");
            }
            return super.create(name, mode);
        }

        @Override
        protected Disk below(Disk directory) {
            return new FullAtCreate(directory, part, left);
        }
    }

    private void failsOnceAndGoesOn(Disk disk, Runnable orderFault) throws Exception {
        try (LocalStore store = open(disk, CONFIG)) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, QUEUES, 0);
            rounds(driver, 2);
            model.appendToSome(driver, 0.7, 300);
            orderFault.run();
            driver.sweepEverything();

            assertThat(store.metric(StoreMetric.MERGE_FAILURES)).isEqualTo(1);
            assertThat(store.failure()).isNull();
            long merges = store.metric(StoreMetric.MERGES);
            rounds(driver, 1);
            assertThat(store.metric(StoreMetric.MERGES)).isEqualTo(merges);

            for (int tick = 0; tick <= PAUSE_TICKS; tick++) {
                store.tick();
            }
            assertThat(store.metric(StoreMetric.MERGES)).isGreaterThan(merges);
            model.check(store, driver);
        }
    }
}
