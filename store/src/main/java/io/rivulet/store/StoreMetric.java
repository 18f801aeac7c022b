package io.rivulet.store;

import java.util.Locale;

/** A measurement of a store, see {@link Store#metric}. Counters begin at 0 when the store is opened. Immutable. */
public enum StoreMetric {
    LOG_GROUPS(Kind.COUNTER, Unit.COUNT, "groups written to the log"),
    LOG_WRITTEN_BYTES(Kind.COUNTER, Unit.BYTES, "written to the log, headers and padding included"),
    LOG_FORCES(Kind.COUNTER, Unit.COUNT, "times the log was forced to the disk"),
    LOG_FORCE_NANOS(Kind.COUNTER, Unit.NANOS, "time that forces of the log took"),
    LOG_REFUSED_APPENDS(Kind.COUNTER, Unit.COUNT, "groups that the log refused, mostly because the disk was full"),
    LOG_REFUSES_APPENDS(Kind.GAUGE, Unit.COUNT, "1 if the last append to the log was refused, else 0"),
    LOG_SIZE_BYTES(Kind.GAUGE, Unit.BYTES, "of the log on the disk, prepared space included"),
    LOG_END_BYTES(Kind.GAUGE, Unit.BYTES, "from the beginning of the endless log to the end of what is written"),
    LOG_DURABLE_END_BYTES(
            Kind.GAUGE, Unit.BYTES, "from the beginning of the endless log to the end of what is durable"),
    LOG_EPOCH(Kind.GAUGE, Unit.COUNT, "openings of the log, this one included"),
    LOG_REFERENCED_BYTES(Kind.GAUGE, Unit.BYTES, "of batches that stay in the log, where block files refer to them"),
    WAITING_BYTES(Kind.GAUGE, Unit.BYTES, "of batches that wait for the log writer"),
    QUEUES(Kind.GAUGE, Unit.COUNT, "queues that exist"),
    QUEUE_BYTES(Kind.GAUGE, Unit.BYTES, "heap that the rows of queues take"),
    TAIL_USED_CHUNKS(Kind.GAUGE, Unit.COUNT, "chunks of 256 bytes that hold records which are in no block file yet"),
    TAIL_CAPACITY_CHUNKS(Kind.GAUGE, Unit.COUNT, "chunks in total"),
    SWEEP_CYCLES(Kind.COUNTER, Unit.COUNT, "sweep cycles that ended with a checkpoint"),
    SWEPT_BYTES(Kind.COUNTER, Unit.BYTES, "of files that the sweep has written"),
    CLOCK_HELD_BACK_MILLIS(
            Kind.GAUGE,
            Unit.MILLIS,
            "between the wall clock and the time that is trusted, while a step of the clock waits for trust"),
    UPKEEP_WAITS_FOR_SPACE(Kind.GAUGE, Unit.COUNT, "1 if the sweep waits for space, quota or file descriptors, else 0"),
    BLOCK_FILES(Kind.GAUGE, Unit.COUNT, "block files"),
    BLOCK_FILES_MENDED(
            Kind.GAUGE,
            Unit.COUNT,
            "block files whose header, filter or fence is damaged on the disk and was rebuilt in memory"),
    BLOCKS(Kind.GAUGE, Unit.COUNT, "blocks in them"),
    BLOCK_BYTES(Kind.GAUGE, Unit.BYTES, "of block files"),
    BLOCK_OFFSETS(Kind.GAUGE, Unit.COUNT, "offsets that block files cover"),
    BLOCK_DIRECTORY_BYTES(Kind.GAUGE, Unit.BYTES, "of directories, filters and fences, on the disk"),
    BLOCK_INDEX_BYTES(Kind.GAUGE, Unit.BYTES, "of memory for the resident indexes of block files"),
    MERGES(Kind.COUNTER, Unit.COUNT, "merges of block files that were completed"),
    COMPACTIONS(Kind.COUNTER, Unit.COUNT, "files that compaction has written"),
    COMPACTED_BYTES(Kind.COUNTER, Unit.BYTES, "bytes of files that compaction has written"),
    MERGE_FAILURES(Kind.COUNTER, Unit.COUNT, "merges that failed"),
    MERGED_BYTES(Kind.COUNTER, Unit.BYTES, "of files that merges have written"),
    MERGE_DEBT_GENERATIONS(Kind.GAUGE, Unit.COUNT, "sweep cycles that wait to be merged"),
    MERGE_DEBT_BYTES(Kind.GAUGE, Unit.BYTES, "of files that wait to be merged"),
    CACHE_TAIL_HITS(Kind.COUNTER, Unit.COUNT, "pages found in the cache: near the end of a queue, and directory pages"),
    CACHE_TAIL_MISSES(
            Kind.COUNTER, Unit.COUNT, "pages not found in the cache: near the end of a queue, and directory pages"),
    CACHE_READ_AHEAD_HITS(Kind.COUNTER, Unit.COUNT, "pages found in the cache: read ahead"),
    CACHE_READ_AHEAD_MISSES(Kind.COUNTER, Unit.COUNT, "pages not found in the cache: read ahead"),
    CACHE_SCAN_HITS(Kind.COUNTER, Unit.COUNT, "pages found in the cache: of readers that catch up"),
    CACHE_SCAN_MISSES(Kind.COUNTER, Unit.COUNT, "pages not found in the cache: of readers that catch up"),
    CACHE_EVICTIONS(Kind.COUNTER, Unit.COUNT, "pages that were evicted"),
    CACHE_BYPASSES(Kind.COUNTER, Unit.COUNT, "reads that found no free page"),
    CACHE_READS(Kind.COUNTER, Unit.COUNT, "I/Os of the cache"),
    CACHE_READ_BYTES(Kind.COUNTER, Unit.BYTES, "read by the cache"),
    REPLAYED_BYTES(Kind.GAUGE, Unit.BYTES, "of the log that the last opening replayed"),
    REPLAY_NANOS(Kind.GAUGE, Unit.NANOS, "that the replay took");

    /** A counter only grows. */
    public enum Kind {
        COUNTER,
        GAUGE
    }

    /** The unit of a value. */
    public enum Unit {
        COUNT,
        BYTES,
        NANOS,
        MILLIS
    }

    private final Kind kind;
    private final Unit unit;
    private final String description;

    StoreMetric(Kind kind, Unit unit, String description) {
        this.kind = kind;
        this.unit = unit;
        this.description = description;
    }

    /** The name for exporters: lower case with underscores. */
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
}
