package io.rivulet.store.open;

import io.rivulet.store.BatchFormat.Kind;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.block.merge.MergePolicy;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.maintenance.CompactionConfig;
import io.rivulet.store.maintenance.MergeConfig;
import io.rivulet.store.open.KeyedBatch.Keyed;
import io.rivulet.store.thread.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Lives of one store, whose disk and log the caller provides. Some queues are compacted and one is not; batches are
 * small and large. Each append waits for its result, so what one life has appended must be there in the next.
 */
public final class CompactedLives {
    /** Small files, and compaction soon. */
    static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT
                    .withGroups(4, 128 << 10)
                    .withSegmentBytes(256 << 10)
                    .withSpareSegments(0))
            .withMemory(1 << 20, 1 << 20)
            .withMerge(new MergeConfig(
                    new MergePolicy(3, 2, 6, 32 << 10),
                    new BlockFileLimits(2 << 10, 16 << 10, 1000),
                    4 << 10,
                    1L << 40))
            .withCompaction(
                    new CompactionConfig(16 << 10, 1_000, 1 << 10, new BlockFileLimits(2 << 10, 8 << 10, 1000)));

    private static final int COMPACTED = 1;
    private static final int COMPACTED_QUEUES = 3;
    private static final int KEYS = 12;
    private static final int LARGE = 33_000;
    private static final CompactionTerms EAGER = new CompactionTerms(10, 60_000, 0, Long.MAX_VALUE, Long.MAX_VALUE);

    /** What the store stands on in its next life. */
    @FunctionalInterface
    public interface Ground {
        StoreEnvironment next(Workers workers, LongSupplier clockMillis) throws IOException;
    }

    private final SplittableRandom random;
    private final Ground ground;
    private final CompactionModel model = new CompactionModel();
    private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
    private int firstQueue = -1;
    private int wholeQueue;
    private long compactions;

    public CompactedLives(SplittableRandom random, Ground ground) {
        this.random = random;
        this.ground = ground;
    }

    /** Appends, sweeps and compacts, and checks all of it. The caller decides how the store that is returned ends. */
    public LocalStore live(int rounds) throws Exception {
        LocalStore store = LocalStore.open(
                CONFIG,
                ground.next(new StepWorkers(), clock::get),
                Attachments.NONE.withFormat(new KeyedBatch.Format()));
        StoreDriver driver = new StoreDriver(store);
        if (firstQueue < 0) {
            firstQueue = driver.createQueues(COMPACTED_QUEUES, COMPACTED);
            wholeQueue = driver.createQueues(1, 0);
        }
        store.setRetention(COMPACTED, new RetentionLimits(-1, -1, EAGER))
                .toCompletableFuture()
                .get();
        check(driver);
        for (int round = 0; round < rounds; round++) {
            for (int i = random.nextInt(40); i > 0; i--) {
                append(driver, firstQueue + random.nextInt(COMPACTED_QUEUES));
                append(driver, wholeQueue);
            }
            clock.addAndGet(random.nextInt(40_000));
            if (random.nextInt(3) > 0) {
                driver.sweepEverything();
                store.tick();
            }
            check(driver);
        }
        compactions += store.metric(StoreMetric.COMPACTIONS);
        return store;
    }

    /** How many were finished. */
    public long compactions() {
        return compactions;
    }

    private void check(StoreDriver driver) throws IOException {
        model.check(driver, 1 + random.nextInt(5000));
        model.checkWhole(driver, wholeQueue);
    }

    private void append(StoreDriver driver, int queueId) throws Exception {
        List<Keyed> records = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int value = random.nextInt(5) == 0 ? KeyedBatch.TOMBSTONE : random.nextInt(1_000);
            records.add(new Keyed(records.size(), random.nextInt(KEYS), value));
        }
        int padding = random.nextInt(8) == 0 ? LARGE + random.nextInt(LARGE) : random.nextInt(50);
        model.append(driver, queueId, new KeyedBatch(Kind.RECORDS, 0, padding, records), clock.get());
    }
}
