package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.repair.Repair;
import io.rivulet.store.repair.RepairAdvice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Found by {@code prove --check damage --seed 42405629}: the last segments of a log had changed names, and log.state
 * was damaged, so nothing said how far the log was durable. A repair set both segments aside and called that no loss.
 */
final class SwappedSegmentsRepairTest {
    private static final int SEGMENT_BYTES = 256 << 10;
    private static final int QUEUE = 0;
    private static final int BATCHES = 40;
    private static final int BATCH_BYTES = 20_000;
    private static final long NOW = 1_700_000_000_000L;

    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withGroups(4, 128 << 10).withSegmentBytes(SEGMENT_BYTES))
            .withMemory(2 << 20, 1 << 20);

    private final CrashDisk disk = new CrashDisk();
    private final Disk log = disk.directory("log");

    private LocalStore open() throws IOException {
        return LocalStore.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), () -> NOW));
    }

    private void fill() throws Exception {
        try (LocalStore store = open()) {
            StoreDriver driver = new StoreDriver(store);
            assertThat(driver.createQueues(1)).isEqualTo(QUEUE);
            for (int i = 0; i < BATCHES; i++) {
                driver.append(QUEUE, 1, 1, new byte[BATCH_BYTES]);
            }
        }
        assertThat(segments()).hasSizeGreaterThan(3);
    }

    private List<String> segments() throws IOException {
        return log.list().stream()
                .filter(name -> name.endsWith(".segment"))
                .sorted()
                .toList();
    }

    private void damageState() throws IOException {
        try (DiskFile state = log.open("log.state")) {
            state.write(9, ByteBuffer.wrap(new byte[] {1, 2, 3}));
            state.force();
        }
    }

    private Repair.Result repair() throws IOException {
        return Repair.run(disk, false, NOW, RepairAdvice.NONE, line -> {});
    }

    private void requireAllBatches() throws IOException {
        try (LocalStore store = open()) {
            assertThat(ReadBack.all(store.reader(), QUEUE)).hasSize(BATCHES);
        }
    }

    @Test
    void segmentsThatChangedNamesGetTheirsBack() throws Exception {
        fill();
        List<String> all = segments();
        String last = all.get(all.size() - 1);
        String before = all.get(all.size() - 2);
        log.rename(last, "parked");
        log.rename(before, last);
        log.rename("parked", before);
        damageState();

        assertThat(repair()).isEqualTo(Repair.Result.REPAIRED);

        requireAllBatches();
    }

    @Test
    void aSegmentUnderACopyOfAnotherIsLost() throws Exception {
        fill();
        List<String> all = segments();
        copy(all.get(0), all.get(all.size() - 1));
        damageState();

        assertThat(repair()).isEqualTo(Repair.Result.REPAIRED_WITH_LOSS);

        open().close();
    }

    private void copy(String from, String to) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(SEGMENT_BYTES);
        try (DiskFile source = log.open(from);
                DiskFile target = log.open(to)) {
            source.read(0, bytes);
            target.write(0, bytes.flip());
            target.force();
        }
    }
}
