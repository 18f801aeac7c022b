package io.rivulet.store;

import io.rivulet.store.block.BlockFile;
import io.rivulet.store.cache.CacheCounters;
import io.rivulet.store.upkeep.MergeMeter;
import java.util.List;

/**
 * What a store has done and holds at one moment. Immutable.
 *
 * @param logBytes written to the log since the store was opened
 * @param blockBytes in block files now
 * @param mergedBytes written by merges since the store was opened
 * @param failedMerges that were given up
 * @param mergeDebtBytes that wait to be merged
 * @param residentIndexBytes memory that the open block files keep for their indexes
 */
public record StoreCounters(
        long logGroups,
        long logBytes,
        long logForces,
        long logForceNanos,
        long logSizeBytes,
        int blockFiles,
        long blocks,
        long blockBytes,
        long residentIndexBytes,
        long mergedBytes,
        long merges,
        long failedMerges,
        int mergeDebtGenerations,
        long mergeDebtBytes,
        int tailUsedChunks,
        int tailCapacityChunks,
        CacheCounters cache) {
    static StoreCounters of(StoreParts parts) {
        MergeMeter merges = parts.upkeep().merges();
        List<BlockFile> files = parts.stock().files().files();
        return new StoreCounters(
                parts.log().counters().groups(),
                parts.log().counters().writtenBytes(),
                parts.log().counters().forces(),
                parts.log().counters().forceNanos(),
                parts.log().sizeBytes(),
                files.size(),
                files.stream().mapToLong(file -> file.footer().blockCount()).sum(),
                files.stream().mapToLong(file -> file.footer().totalBytes()).sum(),
                files.stream().mapToLong(BlockFile::residentBytes).sum(),
                merges.mergedBytes(),
                merges.merges(),
                merges.failures(),
                merges.debt().generations(),
                merges.debt().bytes(),
                parts.tail().usedChunks(),
                parts.tail().capacityChunks(),
                parts.cache().counters());
    }
}
