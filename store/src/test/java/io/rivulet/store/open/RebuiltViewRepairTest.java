package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.View;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.repair.Repair;
import io.rivulet.store.repair.RepairAdvice;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/**
 * Found by {@code prove --check damage --seed 5}: a view was rebuilt with a queue that was deleted, because the log had
 * lost the deletion.
 */
final class RebuiltViewRepairTest {
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withGroups(4, 128 << 10).withSegmentBytes(256 << 10))
            .withMemory(1 << 20, 1 << 20);
    private static final int VIEW = 3;
    private static final int SMALL_BYTES = 500;
    /** So large that it stays in the log. */
    private static final int LARGE_BYTES = 33_000;

    private final CrashDisk disk = new CrashDisk();
    private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
    private final List<Integer> existing = new ArrayList<>();

    /** A view without state. */
    private static final class Empty implements View {
        @Override
        public int id() {
            return VIEW;
        }

        @Override
        public void apply(long groupTimestamp, ByteBuffer bytes) {}

        @Override
        public Snapshot snapshot() {
            return out -> out.write(ByteBuffer.wrap(new byte[100]));
        }

        @Override
        public void load(ReadableByteChannel in) {}
    }

    /** Asks which queues exist. */
    private final class Asking implements RepairAdvice, RepairAdvice.ViewRebuild {
        @Override
        public ViewRebuild rebuild(int viewId) {
            return this;
        }

        @Override
        public void load(ReadableByteChannel beginning) {}

        @Override
        public void apply(long groupTimestamp, ByteBuffer entry) {}

        @Override
        public View.Snapshot finish(int queueIdLimit, IntPredicate queueExists, Consumer<String> lines) {
            for (int queue = 0; queue < queueIdLimit; queue++) {
                if (queueExists.test(queue)) {
                    existing.add(queue);
                }
            }
            return new Empty().snapshot();
        }
    }

    private LocalStore open() throws Exception {
        return LocalStore.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), clock::get), List.of(new Empty()));
    }

    private static void append(StoreDriver driver, int queue, int count, int bytes) throws Exception {
        for (int i = 0; i < count; i++) {
            driver.append(queue, 1, 1, new byte[bytes]);
        }
    }

    private List<String> files(String suffix) throws Exception {
        return disk.directory("log").list().stream()
                .filter(name -> name.endsWith(suffix))
                .sorted()
                .toList();
    }

    @Test
    void aQueueWhoseDeletionIsLostDoesNotExist() throws Exception {
        int kept;
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store);
            kept = driver.createQueues(1);
            append(driver, kept, 1000, SMALL_BYTES);
            driver.sweepEverything(); // the log is trimmed
            int deleted = driver.createQueues(1);
            append(driver, kept, 20, LARGE_BYTES);
            store.deleteQueues(deleted, 1).toCompletableFuture().get();
            append(driver, kept, 20, LARGE_BYTES);
            driver.sweepEverything();
        }
        Disk log = disk.directory("log");
        List<String> segments = files(".segment");
        for (String name : segments.subList(1, segments.size())) {
            log.delete(name);
        }
        String snapshot = files(".snapshot").stream()
                .filter(name -> name.startsWith("view-" + VIEW))
                .findFirst()
                .orElseThrow();
        disk.flipBit("log/" + snapshot, 30, 1);

        List<String> lines = new ArrayList<>();
        Repair.Result result = Repair.run(disk, true, clock.get(), new Asking(), lines::add);

        assertThat(result).as("%s", lines).isEqualTo(Repair.Result.REPAIRED_WITH_LOSS);
        assertThat(existing).as("%s", lines).containsExactly(kept);
    }
}
