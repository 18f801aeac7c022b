package io.rivulet.store;

import io.rivulet.store.block.BlockFile;
import io.rivulet.store.block.BlockFileFooter;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** What can be measured of a store, see {@link Store#metric}. Since the store was opened, if it counts. Immutable. */
public enum StoreMetric {
    LOG_GROUPS(
            Kind.COUNTER,
            Unit.COUNT,
            "groups written to the log",
            parts -> parts.log().counters().groups()),
    LOG_WRITTEN_BYTES(
            Kind.COUNTER,
            Unit.BYTES,
            "written to the log, headers and padding included",
            parts -> parts.log().counters().writtenBytes()),
    LOG_FORCES(
            Kind.COUNTER,
            Unit.COUNT,
            "times the log was forced to the disk",
            parts -> parts.log().counters().forces()),
    LOG_FORCE_NANOS(
            Kind.COUNTER,
            Unit.NANOS,
            "time that forces of the log took",
            parts -> parts.log().counters().forceNanos()),
    LOG_REFUSED_APPENDS(
            Kind.COUNTER,
            Unit.COUNT,
            "groups that the log refused, mostly because the disk was full",
            parts -> parts.log().counters().refusedAppends()),
    LOG_SIZE_BYTES(
            Kind.GAUGE,
            Unit.BYTES,
            "of the log on the disk, prepared space included",
            parts -> parts.log().sizeBytes()),
    LOG_REFERENCED_BYTES(
            Kind.GAUGE,
            Unit.BYTES,
            "of batches that are kept in the log and that block files refer to",
            parts -> sum(parts, BlockFileFooter::referencedBytes)),
    WAITING_BYTES(
            Kind.GAUGE,
            Unit.BYTES,
            "of batches that wait for the log writer",
            parts -> parts.writer().waitingBytes()),
    QUEUES(Kind.GAUGE, Unit.COUNT, "queues that exist", parts -> parts.table().liveQueues()),
    QUEUE_BYTES(
            Kind.GAUGE,
            Unit.BYTES,
            "heap that the rows of queues take",
            parts -> parts.table().heapBytes()),
    TAIL_USED_CHUNKS(
            Kind.GAUGE,
            Unit.COUNT,
            "chunks of 256 bytes that hold records which are in no block file yet",
            parts -> parts.tail().usedChunks()),
    TAIL_CAPACITY_CHUNKS(
            Kind.GAUGE,
            Unit.COUNT,
            "chunks that there are",
            parts -> parts.tail().capacityChunks()),
    SWEEP_CYCLES(
            Kind.COUNTER,
            Unit.COUNT,
            "sweep cycles that ended with a checkpoint",
            parts -> parts.upkeep().cyclesDone()),
    SWEPT_BYTES(
            Kind.COUNTER,
            Unit.BYTES,
            "of files that the sweep has written",
            parts -> parts.stock().sweptBytes()),
    CLOCK_HELD_BACK_MILLIS(
            Kind.GAUGE,
            Unit.MILLIS,
            "between the wall clock and the time that is trusted, while a step of the clock waits for trust",
            parts -> parts.clock().heldBackMillis()),
    UPKEEP_WAITS_FOR_SPACE(
            Kind.GAUGE,
            Unit.COUNT,
            "1 if the sweep waits for space, quota or file descriptors, else 0",
            parts -> parts.upkeep().isDiskFull() ? 1 : 0),
    BLOCK_FILES(
            Kind.GAUGE,
            Unit.COUNT,
            "block files",
            parts -> parts.stock().files().files().size()),
    BLOCK_FILES_MENDED(
            Kind.GAUGE,
            Unit.COUNT,
            "block files whose header, filter or fence is damaged on the disk and was made again in memory",
            parts -> parts.stock().files().files().stream()
                    .filter(BlockFile::isMended)
                    .count()),
    BLOCKS(Kind.GAUGE, Unit.COUNT, "blocks in them", parts -> sum(parts, BlockFileFooter::blockCount)),
    BLOCK_BYTES(Kind.GAUGE, Unit.BYTES, "of block files", parts -> sum(parts, BlockFileFooter::totalBytes)),
    BLOCK_OFFSETS(
            Kind.GAUGE,
            Unit.COUNT,
            "offsets that block files cover",
            parts -> sum(parts, BlockFileFooter::offsetCount)),
    BLOCK_DIRECTORY_BYTES(
            Kind.GAUGE,
            Unit.BYTES,
            "of directories, filters and fences, on the disk",
            parts -> sum(parts, BlockFileFooter::directoryBytes)),
    BLOCK_INDEX_BYTES(
            Kind.GAUGE,
            Unit.BYTES,
            "of memory for the resident indexes of block files",
            parts -> parts.stock().files().files().stream()
                    .mapToLong(BlockFile::residentBytes)
                    .sum()),
    MERGES(
            Kind.COUNTER,
            Unit.COUNT,
            "merges of block files that came to their end",
            parts -> parts.upkeep().merges().merges()),
    COMPACTIONS(
            Kind.COUNTER,
            Unit.COUNT,
            "files that compaction has written",
            parts -> parts.upkeep().compactions()),
    COMPACTED_BYTES(
            Kind.COUNTER,
            Unit.BYTES,
            "bytes of files that compaction has written",
            parts -> parts.upkeep().compactedBytes()),
    MERGE_FAILURES(
            Kind.COUNTER,
            Unit.COUNT,
            "merges that were given up",
            parts -> parts.upkeep().merges().failures()),
    MERGED_BYTES(
            Kind.COUNTER,
            Unit.BYTES,
            "of files that merges have written",
            parts -> parts.upkeep().merges().mergedBytes()),
    MERGE_DEBT_GENERATIONS(
            Kind.GAUGE,
            Unit.COUNT,
            "sweep cycles that wait to be merged",
            parts -> parts.upkeep().merges().debt().generations()),
    MERGE_DEBT_BYTES(
            Kind.GAUGE,
            Unit.BYTES,
            "of files that wait to be merged",
            parts -> parts.upkeep().merges().debt().bytes()),
    CACHE_TAIL_HITS(
            Kind.COUNTER,
            Unit.COUNT,
            "pages found in the cache: near the end of a queue, and directory pages",
            parts -> parts.cache().counters().hits().tail()),
    CACHE_TAIL_MISSES(
            Kind.COUNTER,
            Unit.COUNT,
            "pages not found in the cache: near the end of a queue, and directory pages",
            parts -> parts.cache().counters().misses().tail()),
    CACHE_READ_AHEAD_HITS(
            Kind.COUNTER,
            Unit.COUNT,
            "pages found in the cache: read ahead",
            parts -> parts.cache().counters().hits().readAhead()),
    CACHE_READ_AHEAD_MISSES(
            Kind.COUNTER,
            Unit.COUNT,
            "pages not found in the cache: read ahead",
            parts -> parts.cache().counters().misses().readAhead()),
    CACHE_SCAN_HITS(
            Kind.COUNTER,
            Unit.COUNT,
            "pages found in the cache: of readers that catch up",
            parts -> parts.cache().counters().hits().scan()),
    CACHE_SCAN_MISSES(
            Kind.COUNTER,
            Unit.COUNT,
            "pages not found in the cache: of readers that catch up",
            parts -> parts.cache().counters().misses().scan()),
    CACHE_EVICTIONS(
            Kind.COUNTER,
            Unit.COUNT,
            "pages that had to make room",
            parts -> parts.cache().counters().evictions()),
    CACHE_BYPASSES(
            Kind.COUNTER,
            Unit.COUNT,
            "reads that found no free page",
            parts -> parts.cache().counters().bypasses()),
    CACHE_READS(
            Kind.COUNTER,
            Unit.COUNT,
            "I/Os of the cache",
            parts -> parts.cache().counters().reads()),
    CACHE_READ_BYTES(
            Kind.COUNTER,
            Unit.BYTES,
            "read by the cache",
            parts -> parts.cache().counters().readBytes()),
    REPLAYED_BYTES(
            Kind.GAUGE,
            Unit.BYTES,
            "of the log that the last opening replayed",
            parts -> parts.replayed().bytes()),
    REPLAY_NANOS(
            Kind.GAUGE,
            Unit.NANOS,
            "that the replay took",
            parts -> parts.replayed().nanos());

    /** Whether it only grows. */
    public enum Kind {
        COUNTER,
        GAUGE
    }

    /** What a value of one means. */
    public enum Unit {
        COUNT,
        BYTES,
        NANOS,
        MILLIS
    }

    private final Kind kind;
    private final Unit unit;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // a function of its argument alone
    private final ToLongFunction<StoreParts> reading;

    StoreMetric(Kind kind, Unit unit, String description, ToLongFunction<StoreParts> reading) {
        this.kind = kind;
        this.unit = unit;
        this.description = description;
        this.reading = reading;
    }

    private static long sum(StoreParts parts, ToLongFunction<BlockFileFooter> fact) {
        return parts.stock().files().files().stream()
                .map(BlockFile::footer)
                .mapToLong(fact)
                .sum();
    }

    /** As exporters like it: small letters and underscores. */
    public String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Kind kind() {
        return kind;
    }

    public Unit unit() {
        return unit;
    }

    public String description() {
        return description;
    }

    long read(StoreParts parts) {
        return reading.applyAsLong(parts);
    }
}
