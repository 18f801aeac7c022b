package io.rivulet.store.open;

import io.rivulet.store.StoreMetric;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.read.BlockFile;
import java.util.function.ToLongFunction;

/** Where each {@link StoreMetric} is read from. Stateless. */
final class MetricReadings {
    private MetricReadings() {}

    static long read(StoreMetric metric, StoreParts parts) {
        return switch (metric) {
            case LOG_GROUPS -> parts.log().counters().groups();
            case LOG_WRITTEN_BYTES -> parts.log().counters().writtenBytes();
            case LOG_FORCES -> parts.log().counters().forces();
            case LOG_FORCE_NANOS -> parts.log().counters().forceNanos();
            case LOG_REFUSED_APPENDS -> parts.log().counters().refusedAppends();
            case LOG_REFUSES_APPENDS -> parts.log().counters().refusesAppends() ? 1 : 0;
            case LOG_SIZE_BYTES -> parts.log().sizeBytes();
            case LOG_END_BYTES -> parts.log().writtenLsn();
            case LOG_DURABLE_END_BYTES -> parts.log().durableLsn();
            case LOG_EPOCH -> parts.log().epoch();
            case LOG_REFERENCED_BYTES -> sum(parts, BlockFileFooter::referencedBytes);
            case WAITING_BYTES -> parts.writer().waitingBytes();
            case QUEUES -> parts.table().liveQueues();
            case QUEUE_BYTES -> parts.table().heapBytes();
            case TAIL_USED_CHUNKS -> parts.tail().usedChunks();
            case TAIL_CAPACITY_CHUNKS -> parts.tail().capacityChunks();
            case SWEEP_CYCLES -> parts.maintenance().cyclesDone();
            case SWEPT_BYTES -> parts.registry().sweptBytes();
            case CLOCK_HELD_BACK_MILLIS -> parts.clock().heldBackMillis();
            case UPKEEP_WAITS_FOR_SPACE -> parts.maintenance().isDiskFull() ? 1 : 0;
            case BLOCK_FILES -> parts.registry().files().files().size();
            case BLOCK_FILES_MENDED ->
                parts.registry().files().files().stream()
                        .filter(BlockFile::isMended)
                        .count();
            case BLOCKS -> sum(parts, BlockFileFooter::blockCount);
            case BLOCK_BYTES -> sum(parts, BlockFileFooter::totalBytes);
            case BLOCK_OFFSETS -> sum(parts, BlockFileFooter::offsetCount);
            case BLOCK_DIRECTORY_BYTES -> sum(parts, BlockFileFooter::directoryBytes);
            case BLOCK_INDEX_BYTES ->
                parts.registry().files().files().stream()
                        .mapToLong(BlockFile::residentBytes)
                        .sum();
            case MERGES -> parts.maintenance().merges().merges();
            case COMPACTIONS -> parts.maintenance().compactions();
            case COMPACTED_BYTES -> parts.maintenance().compactedBytes();
            case MERGE_FAILURES -> parts.maintenance().merges().failures();
            case MERGED_BYTES -> parts.maintenance().merges().mergedBytes();
            case MERGE_DEBT_GENERATIONS -> parts.maintenance().merges().debt().generations();
            case MERGE_DEBT_BYTES -> parts.maintenance().merges().debt().bytes();
            case CACHE_TAIL_HITS -> parts.cache().counters().hits().tail();
            case CACHE_TAIL_MISSES -> parts.cache().counters().misses().tail();
            case CACHE_READ_AHEAD_HITS -> parts.cache().counters().hits().readAhead();
            case CACHE_READ_AHEAD_MISSES -> parts.cache().counters().misses().readAhead();
            case CACHE_SCAN_HITS -> parts.cache().counters().hits().scan();
            case CACHE_SCAN_MISSES -> parts.cache().counters().misses().scan();
            case CACHE_EVICTIONS -> parts.cache().counters().evictions();
            case CACHE_BYPASSES -> parts.cache().counters().bypasses();
            case CACHE_READS -> parts.cache().counters().reads();
            case CACHE_READ_BYTES -> parts.cache().counters().readBytes();
            case REPLAYED_BYTES -> parts.replayed().bytes();
            case REPLAY_NANOS -> parts.replayed().nanos();
        };
    }

    private static long sum(StoreParts parts, ToLongFunction<BlockFileFooter> fact) {
        return parts.registry().files().footers().stream().mapToLong(fact).sum();
    }
}
