package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.BatchFormat.Kind;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.CompactionConfig;
import io.rivulet.store.open.KeyedBatch.Keyed;
import io.rivulet.store.repair.Repair;
import io.rivulet.store.repair.RepairAdvice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Found by {@code prove --check damage --seed 22539926}: a repair wrote a damaged file of a compaction again with no
 * blocks. The next start removed it as one that nothing is needed of, and the older blocks that it had replaced came
 * back. The queue then had offsets twice, and a compaction counted on behind its end.
 */
@SuppressWarnings("NullAway.Init") // each test opens the store first
final class CompactedFileRepairTest {
    private static final CompactionTerms EAGER = new CompactionTerms(0, 60_000, 0, Long.MAX_VALUE, Long.MAX_VALUE);
    private static final int COMPACTED = 1;
    private static final int RECORDS = 40;
    private static final int KEYS = 20;

    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withGroups(4, 128 << 10).withSegmentBytes(256 << 10))
            .withMemory(1 << 20, 1 << 20)
            .withCompaction(
                    new CompactionConfig(16 << 10, 1_000, 1 << 10, new BlockFileLimits(2 << 10, 8 << 10, 1000)));

    private final CrashDisk disk = new CrashDisk();
    private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
    private final CompactionModel model = new CompactionModel();
    private LocalStore store;
    private StoreDriver driver;
    private int first;
    private int second;

    private void open() throws Exception {
        store = LocalStore.open(
                CONFIG,
                new StoreEnvironment(disk, new StepWorkers(), clock::get),
                Attachments.NONE.withFormat(new KeyedBatch.Format()));
        driver = new StoreDriver(store);
    }

    private void limit(CompactionTerms terms) throws Exception {
        store.setRetention(COMPACTED, new RetentionLimits(-1, -1, terms))
                .toCompletableFuture()
                .get();
    }

    private void put(int queueId, int key, int value) throws Exception {
        KeyedBatch batch = new KeyedBatch(Kind.RECORDS, 0, 0, List.of(new Keyed(0, key, value)));
        model.append(driver, queueId, batch, clock.get());
    }

    /** Files of the sweep with a queue that is not compacted and two that are, and a compaction of those. */
    private void fill() throws Exception {
        open();
        int plain = driver.createQueues(1, 0);
        first = driver.createQueues(1, COMPACTED);
        second = driver.createQueues(1, COMPACTED);
        limit(EAGER);
        for (int i = 0; i < RECORDS; i++) {
            put(plain, i, i);
            put(first, i % KEYS, i);
            put(second, i % KEYS, i);
        }
        driver.sweepEverything();
        store.tick();
        store.close();
    }

    private String compactedFile() throws IOException {
        Disk blocks = disk.directory("blocks");
        assertThat(blocks.list())
                .as("a file of the sweep, and one of the compaction")
                .hasSize(2);
        return new TreeSet<>(blocks.list()).last();
    }

    private void repair() throws IOException {
        Repair.Result result = Repair.run(disk, false, clock.get(), RepairAdvice.NONE, line -> {});
        assertThat(result).isEqualTo(Repair.Result.REPAIRED);
    }

    /** The records that are dirty now are compacted, too. */
    private void compactAgain() throws Exception {
        limit(EAGER);
        put(first, KEYS, 0);
        driver.sweepEverything();
        store.tick();
        store.tick();
    }

    private void requireLastRecords() throws IOException {
        assertThat(store.endOffset(first)).isEqualTo(RECORDS + 1);
        assertThat(CompactionModel.read(driver, first, 0, 5000))
                .extracting(CompactionModel.Written::offset)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(RECORDS - KEYS, RECORDS).boxed().toList());
        model.checkFromEverywhere(driver, first, 7);
    }

    /** The file of the compaction has nothing that is needed, once the other queue is deleted. */
    private void requireThatARepairKeepsTheLastRecords() throws Exception {
        repair();
        open();
        store.deleteQueues(second, 1).toCompletableFuture().get();
        driver.sweepEverything();
        store.tick();
        compactAgain();

        requireLastRecords();
        store.close();
    }

    @Test
    void ofAFileWithoutItsEndNothingStays() throws Exception {
        fill();
        try (DiskFile file = disk.directory("blocks").open(compactedFile())) {
            file.truncate(BlockFileLayout.HEADER_BYTES + 1);
        }

        requireThatARepairKeepsTheLastRecords();
    }

    @Test
    void aFileStaysThatHidesWhatCouldBeReadAgain() throws Exception {
        fill();
        try (DiskFile file = disk.directory("blocks").open(compactedFile())) {
            ByteBuffer wrong = ByteBuffer.wrap(new byte[] {85, 85, 85, 85});
            file.write(BlockFileLayout.HEADER_BYTES + BlockFileLayout.BLOCK_HEADER_BYTES, wrong);
        }

        requireThatARepairKeepsTheLastRecords();
    }
}
