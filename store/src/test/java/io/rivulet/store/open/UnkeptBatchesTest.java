package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.StoreMetric;
import io.rivulet.store.StoreReader;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.inspect.StoreInspector;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.MergeConfig;
import io.rivulet.store.repair.Repair;
import io.rivulet.store.repair.RepairAdvice;
import io.rivulet.store.simulation.ForgetfulLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Where the log does not keep batches for block files, the sweep copies large ones, and the log can be trimmed. */
final class UnkeptBatchesTest {
    private static final int QUEUES = 2;
    private static final int BATCHES = 120;
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int LARGE = 32 << 10;
    private static final int MOST_MORE = 200_000;
    private static final int FILE_BYTES = 1 << 20;
    /** Between two tries of a merge. */
    private static final int PAUSE_SECONDS = 60;

    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withMemory(1 << 20, 1 << 20)
            .withLog(LocalLogConfig.DEFAULT
                    .withGroups(3, 512 << 10)
                    .withSegmentBytes(SEGMENT_BYTES)
                    .withSpareSegments(0));

    /** Merges large blocks, too. */
    private static final MergeConfig EAGER = new MergeConfig(
            new MergePolicy(2, 3, 6, 1 << 20), new BlockFileLimits(4 << 10, FILE_BYTES, 1000), 64 << 10, 1L << 40);

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final CrashDisk disk = new CrashDisk();
    private final List<List<byte[]>> batches = List.of(new ArrayList<>(), new ArrayList<>());
    private StoreConfig config = CONFIG;
    private boolean isForgetful = true;
    private boolean isUnreadable;
    private int mostMore = MOST_MORE;

    private LocalStore open() throws IOException {
        StoreEnvironment machine = new StoreEnvironment(disk, new StepWorkers(), () -> 1_700_000_000_000L);
        StoreSizes sizes = new StoreSizes(new BlockFileLimits(4 << 10, FILE_BYTES, 1000), 64 << 10, 64 << 10);
        return LocalStore.open(new StoreAssembly(config, machine, Attachments.NONE, sizes) {
            @Override
            CommitLog openLog(LogLocation location, Runnable wakeUp) throws IOException {
                CommitLog log = super.openLog(location, wakeUp);
                return isForgetful ? new LossyLog(log) : log;
            }
        });
    }

    private final class LossyLog extends ForgetfulLog {
        LossyLog(CommitLog log) {
            super(log);
        }

        @Override
        public void read(long lsn, int bodyIndex, int lengthBytes, ByteBuffer target) throws IOException {
            if (isUnreadable) {
                throw new IOException("no machine answers");
            }
            super.read(lsn, bodyIndex, lengthBytes, target);
        }
    }

    @Test
    void theSweepCopiesLargeBatchesAndTheLogIsTrimmed() throws Exception {
        try (LocalStore store = open()) {
            appendAll(store);
            long before = store.registry().neededLsn();
            new StoreDriver(store).sweepEverything();

            assertThat(referencingFiles(store)).isEmpty();
            assertThat(store.registry().neededLsn()).isGreaterThan(before);
            assertThat(logBytes()).isLessThanOrEqualTo(2 * SEGMENT_BYTES);
            assertThat(store.registry().files().footers())
                    .allSatisfy(file -> assertThat(file.totalBytes()).isLessThan(8L * FILE_BYTES));
            readAll(store);
        }
        try (LocalStore store = open()) {
            readAll(store);
        }
    }

    /** Other machines would send each with its whole entry. */
    @Test
    void batchesThatTheTailHoldsAreNotReadBack() throws Exception {
        config = CONFIG.withMemory(8 << 20, 1 << 20);
        mostMore = 20_000;
        isUnreadable = true;
        try (LocalStore store = open()) {
            appendAll(store);
            readAll(store);
            new StoreDriver(store).sweepEverything();

            assertThat(store.registry().files().footers()).isNotEmpty();
            assertThat(referencingFiles(store)).isEmpty();
            readAll(store);
        }
        try (LocalStore store = open()) {
            readAll(store);
        }
    }

    /** A batch with its record header in a block; with default settings, clients may send a little more than 1 MiB. */
    @Test
    void oneThatIsLargerThanTheBufferOfAReaderIsRead() throws Exception {
        config = CONFIG.withLog(LocalLogConfig.DEFAULT
                .withGroups(3, 4 << 20)
                .withSegmentBytes(8 << 20)
                .withSpareSegments(0));
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store);
            driver.createQueues(QUEUES);
            for (int length : new int[] {100, 1_048_588, (1 << 20) - 8, 1 << 20, 40_000, 3_000_000, 10, 2_000_000}) {
                byte[] batch = new byte[length];
                random.nextBytes(batch);
                driver.append(0, 1, 1, batch);
                batches.get(0).add(batch);
            }
            driver.sweepEverything();

            assertThat(referencingFiles(store)).isEmpty();
            readAll(store);
        }
        try (LocalStore store = open()) {
            readAll(store);
        }
    }

    @Test
    void aLocalLogKeepsThem() throws Exception {
        isForgetful = false;
        try (LocalStore store = open()) {
            appendAll(store);
            new StoreDriver(store).sweepEverything();

            assertThat(referencingFiles(store)).isNotEmpty();
            assertThat(logBytes()).isGreaterThan(2 * SEGMENT_BYTES);
            readAll(store);
        }
        isForgetful = true;
        try (LocalStore store = open()) {
            readAll(store);
            new StoreDriver(store).sweepEverything();
            assertThat(referencingFiles(store)).isEmpty();
            readAll(store);
        }
    }

    @Test
    void aBatchThatCannotBeReadStaysInTheLogUntilItCan() throws Exception {
        try (LocalStore store = open()) {
            appendAll(store);
            isUnreadable = true;
            new StoreDriver(store).sweepEverything();

            assertThat(store.failure()).isNull();
            assertThat(referencingFiles(store)).isNotEmpty();
            readAll(store);
        }
        isUnreadable = false;
        try (LocalStore store = open()) {
            new StoreDriver(store).sweepEverything();

            assertThat(referencingFiles(store)).isEmpty();
            readAll(store);
        }
    }

    @Test
    void aMergeTriesAgainWithoutAStart() throws Exception {
        try (LocalStore store = open()) {
            appendAll(store);
            isUnreadable = true;
            new StoreDriver(store).sweepEverything();
            for (int second = 0; second < 2 * PAUSE_SECONDS; second++) {
                store.tick();
            }
            assertThat(referencingFiles(store)).isNotEmpty();

            isUnreadable = false;
            for (int second = 0; second <= PAUSE_SECONDS; second++) {
                store.tick();
            }

            assertThat(referencingFiles(store)).isEmpty();
            readAll(store);
        }
    }

    /** A replay that does not fit into the tail sweeps it, and reads batches of the log meanwhile. */
    @Test
    void aReplayCopiesThemToo() throws Exception {
        isForgetful = false;
        try (LocalStore store = open()) {
            appendAll(store);
        }
        isForgetful = true;
        try (LocalStore store = open()) {
            readAll(store);
        }
    }

    @Test
    void aReaderGetsTheSameFromTheTailFromBlockFilesAndAfterMerges() throws Exception {
        config = CONFIG.withMerge(EAGER);
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store);
            appendAll(store);
            assertThat(store.registry().files().footers())
                    .as("all is in the tail")
                    .isEmpty();
            readAll(store);

            driver.sweepEverything();
            assertThat(store.registry().files().footers()).isNotEmpty();
            assertThat(store.metric(StoreMetric.MERGES)).isZero();
            readAll(store);

            for (int round = 0; round < EAGER.policy().fanIn() + 2; round++) {
                append(store);
                driver.sweepEverything();
            }
            assertThat(store.metric(StoreMetric.MERGES)).isPositive();
            assertThat(store.registry().files().footers())
                    .anySatisfy(file -> assertThat(file.level()).isPositive());
            assertThat(referencingFiles(store)).isEmpty();
            readAll(store);
        }
    }

    @Test
    void aRepairLosesTheDamagedBlockOnly() throws Exception {
        try (LocalStore store = open()) {
            appendAll(store);
            new StoreDriver(store).sweepEverything();
        }
        assertThat(isSound()).isTrue();
        damageOldestBlockFile();
        assertThat(isSound()).isFalse();

        assertThat(Repair.run(disk, false, 0, RepairAdvice.NONE, line -> {}))
                .as("rivulet.seed=%d", seed)
                .isEqualTo(Repair.Result.REPAIRED_WITH_LOSS);

        assertThat(isSound()).isTrue();
        try (LocalStore store = open()) {
            assertThat(lostBytes(store)).isBetween(1L, (long) LARGE + MOST_MORE);
        }
    }

    private boolean isSound() throws IOException {
        return StoreInspector.inspect(disk, true, line -> {}).isSound();
    }

    /** In the middle of its blocks. */
    private void damageOldestBlockFile() throws IOException {
        Disk folder = disk.directory("blocks");
        String name = new TreeSet<>(folder.list()).first();
        try (DiskFile file = folder.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate(8);
            file.read(file.sizeBytes() / 2, bytes);
            file.write(file.sizeBytes() / 2, bytes.flip().putLong(0, ~bytes.getLong(0)));
        }
    }

    private long lostBytes(LocalStore store) throws IOException {
        long lost = 0;
        for (int queue = 0; queue < QUEUES; queue++) {
            List<byte[]> missing = new ArrayList<>(batches.get(queue));
            for (StoreDriver.Batch found : new StoreDriver(store).readAll(queue, 0, 1 << 20)) {
                int offset = (int) found.baseOffset();
                assertThat(found.bytes()).isEqualTo(batches.get(queue).get(offset));
                missing.set(offset, new byte[0]);
            }
            lost += missing.stream().mapToLong(batch -> batch.length).sum();
        }
        return lost;
    }

    private static List<BlockFileFooter> referencingFiles(LocalStore store) {
        return store.registry().files().footers().stream()
                .filter(file -> file.lowestLsn() != BlockFileFooter.NO_REFERENCE)
                .toList();
    }

    private long logBytes() throws IOException {
        long bytes = 0;
        for (String name : disk.directory("log").list()) {
            bytes +=
                    name.endsWith(".segment") ? disk.directory("log").open(name).sizeBytes() : 0;
        }
        return bytes;
    }

    private void appendAll(LocalStore store) throws Exception {
        new StoreDriver(store).createQueues(QUEUES);
        append(store);
    }

    private void append(LocalStore store) throws Exception {
        StoreDriver driver = new StoreDriver(store);
        for (int i = 0; i < BATCHES; i++) {
            int queue = random.nextInt(QUEUES);
            byte[] batch =
                    new byte[random.nextInt(3) == 0 ? 1 + random.nextInt(3000) : LARGE + random.nextInt(mostMore)];
            random.nextBytes(batch);
            driver.append(queue, 1, 1, batch);
            batches.get(queue).add(batch);
        }
    }

    private void readAll(LocalStore store) throws IOException {
        StoreReader reader = store.reader();
        for (int queue = 0; queue < QUEUES; queue++) {
            assertThat(ReadBack.all(reader, queue))
                    .as("rivulet.seed=%d", seed)
                    .containsExactlyElementsOf(batches.get(queue));
        }
    }
}
