package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.simulation.ForgetfulLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where the log does not keep batches for block files, the sweep copies large ones, and the log can be trimmed. */
final class UnkeptBatchesTest {
    private static final int QUEUES = 2;
    private static final int BATCHES = 120;
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int LARGE = 32 << 10;
    private static final int FILE_BYTES = 1 << 20;

    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withMemory(1 << 20, 1 << 20)
            .withLog(LocalLogConfig.DEFAULT
                    .withGroups(3, 512 << 10)
                    .withSegmentBytes(SEGMENT_BYTES)
                    .withSpareSegments(0));

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final CrashDisk disk = new CrashDisk();
    private final List<List<byte[]>> batches = List.of(new ArrayList<>(), new ArrayList<>());
    private boolean isForgetful = true;
    private boolean isUnreadable;

    private LocalStore open() throws IOException {
        StoreEnvironment machine = new StoreEnvironment(disk, new StepWorkers(), () -> 1_700_000_000_000L);
        StoreSizes sizes = new StoreSizes(new BlockFileLimits(4 << 10, FILE_BYTES, 1000), 64 << 10, 64 << 10);
        return LocalStore.open(new StoreAssembly(CONFIG, machine, Attachments.NONE, sizes) {
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
        StoreDriver driver = new StoreDriver(store);
        driver.createQueues(QUEUES);
        for (int i = 0; i < BATCHES; i++) {
            int queue = random.nextInt(QUEUES);
            byte[] batch =
                    new byte[random.nextInt(3) == 0 ? 1 + random.nextInt(3000) : LARGE + random.nextInt(200_000)];
            random.nextBytes(batch);
            driver.append(queue, 1, 1, batch);
            batches.get(queue).add(batch);
        }
    }

    private void readAll(LocalStore store) throws IOException {
        StoreReader reader = store.reader();
        for (int queue = 0; queue < QUEUES; queue++) {
            List<byte[]> found = new ArrayList<>();
            ReadStatus status = ReadStatus.BATCHES;
            while (status == ReadStatus.BATCHES) {
                status = reader.read(queue, found.size(), 1 << 20, (base, count, time, bytes, at, length) -> {
                    byte[] copy = new byte[length];
                    bytes.get(at, copy);
                    found.add(copy);
                    return true;
                });
            }
            assertThat(found).as("rivulet.seed=%d", seed).containsExactlyElementsOf(batches.get(queue));
        }
    }
}
