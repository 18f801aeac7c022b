package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.StorageMap;
import io.rivulet.store.View;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.local.LocalLogConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a store says that its records are. */
final class StorageMapTest {
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT.withGroups(4, 128 << 10).withSegmentBytes(256 << 10))
            .withMemory(1 << 20, 1 << 20);
    private static final List<View> NO_VIEWS = List.of();

    private final CrashDisk disk = new CrashDisk();

    @Test
    void recordsMoveFromTheTailToFilesAndTheirDirectoriesAreInTheCache() throws Exception {
        StoreModel model = new StoreModel(1);
        try (LocalStore store =
                LocalStore.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), () -> 5), NO_VIEWS)) {
            StoreDriver driver = new StoreDriver(store);
            model.createQueues(driver, 1000, 0);
            model.appendToSome(driver, 1, 300);
            StorageMap inTail = store.storageMap();
            assertThat(inTail.idLimit()).isEqualTo(1000);
            assertThat(inTail.tailBytes()).isPositive();
            assertThat(inTail.files()).isEmpty();

            driver.sweepEverything();
            StorageMap swept = store.storageMap();
            assertThat(swept.tailBytes()).isZero();
            List<StorageMap.File> files = swept.files();
            assertThat(files).hasSizeGreaterThan(1).allMatch(file -> file.level() == 1);
            assertThat(files.get(0).firstQueueId()).isZero();
            assertThat(files.get(files.size() - 1).lastQueueId()).isEqualTo(999);
            assertThat(files.stream().mapToInt(StorageMap.File::queues).sum()).isEqualTo(1000);
            // The directories are in the cache. Blocks that are read alone bypass it.
            assertThat(files).allMatch(file -> 0 < file.cachedBytes() && file.cachedBytes() < file.bytes());
        }
    }
}
