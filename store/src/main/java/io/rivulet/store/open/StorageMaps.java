package io.rivulet.store.open;

import io.rivulet.store.StorageMap;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.cache.PageCache;
import java.util.HashMap;
import java.util.Map;

/** Makes {@link StorageMap}s. The cost grows with the number of block files and of cached pages. Stateless. */
final class StorageMaps {
    private StorageMaps() {}

    static StorageMap of(StoreParts parts) {
        PageCache cache = parts.cache();
        Map<Long, Integer> pages = new HashMap<>();
        cache.forEachPage(fileNumber -> pages.merge(fileNumber, 1, Integer::sum));
        return new StorageMap(
                parts.table().idLimit(),
                parts.tail().usedBytes(),
                parts.tail().capacityBytes(),
                parts.log().sizeBytes(),
                parts.registry().files().files().stream()
                        .map(file ->
                                describe(file, (long) pages.getOrDefault(file.fileNumber(), 0) * cache.pageBytes()))
                        .toList());
    }

    private static StorageMap.File describe(BlockFile file, long cachedBytes) {
        BlockFileFooter footer = file.footer();
        return new StorageMap.File(
                file.name(),
                footer.level(),
                footer.firstCycle(),
                footer.lastCycle(),
                footer.minQueueId(),
                footer.maxQueueId(),
                footer.queueCount(),
                footer.blockCount(),
                footer.offsetCount(),
                footer.totalBytes(),
                footer.referencedBytes(),
                Math.min(cachedBytes, footer.totalBytes()),
                file.writtenMillis());
    }
}
