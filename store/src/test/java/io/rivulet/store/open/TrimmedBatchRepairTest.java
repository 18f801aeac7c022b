package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.open.StoreDriver.Batch;
import io.rivulet.store.repair.Repair;
import io.rivulet.store.repair.RepairAdvice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Found by {@code prove --check views --seed 24}: a repair gave up the rest of a batch that a trim had cut. */
final class TrimmedBatchRepairTest {
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withGroups(4, 128 << 10).withSegmentBytes(1 << 20))
            .withMemory(1 << 20, 1 << 20);

    private final CrashDisk disk = new CrashDisk();
    private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);

    private LocalStore open() throws Exception {
        return LocalStore.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), clock::get), Attachments.NONE);
    }

    @Test
    void theBatchIsReadFromTheLog() throws Exception {
        int queue;
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store);
            queue = driver.createQueues(1);
            driver.append(queue, 5, 1, new byte[] {1});
            driver.append(queue, 5, 1, new byte[] {2});
            store.trim(queue, 3).toCompletableFuture().get();
            driver.sweepEverything();
        }
        for (String name : disk.directory("blocks").list()) {
            disk.directory("blocks").delete(name);
        }

        List<String> lines = new ArrayList<>();
        Repair.Result result = Repair.run(disk, false, clock.get(), RepairAdvice.NONE, lines::add);

        assertThat(result).as("%s", lines).isEqualTo(Repair.Result.REPAIRED);
        try (LocalStore store = open()) {
            assertThat(store.startOffset(queue)).isEqualTo(3);
            assertThat(new StoreDriver(store).readAll(queue, 3, 1))
                    .extracting(Batch::baseOffset)
                    .containsExactly(0L, 5L);
        }
    }
}
