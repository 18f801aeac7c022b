package io.rivulet.bench.queues;

import io.rivulet.bench.lab.Machine;
import io.rivulet.store.StoreMetric;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** Prints the store's metrics. Immutable. */
record QueuesReport(PrintWriter out, long messages, double wireBytes) {
    void log(StoreMetrics metrics) {
        long bytes = metrics.get(StoreMetric.LOG_WRITTEN_BYTES);
        out.printf(
                "log: %,d groups, %,d forces of %.2f ms, %.1f bytes a message (%.2fx), %,d MiB kept%n",
                metrics.get(StoreMetric.LOG_GROUPS),
                metrics.get(StoreMetric.LOG_FORCES),
                metrics.ratio(StoreMetric.LOG_FORCE_NANOS, StoreMetric.LOG_FORCES) / 1e6,
                (double) bytes / messages,
                bytes / wireBytes,
                metrics.get(StoreMetric.LOG_SIZE_BYTES) >> 20);
    }

    void blocks(StoreMetrics metrics) {
        out.printf(
                "blocks: %,d files, %,d blocks of %,.0f bytes, %,d MiB, %.3f bytes of index a message,"
                        + " %,d KiB of index in memory; tail: %,d of %,d chunks%n",
                metrics.get(StoreMetric.BLOCK_FILES),
                metrics.get(StoreMetric.BLOCKS),
                metrics.ratio(StoreMetric.BLOCK_BYTES, StoreMetric.BLOCKS),
                metrics.get(StoreMetric.BLOCK_BYTES) >> 20,
                metrics.ratio(StoreMetric.BLOCK_DIRECTORY_BYTES, StoreMetric.BLOCK_OFFSETS),
                metrics.get(StoreMetric.BLOCK_INDEX_BYTES) >> 10,
                metrics.get(StoreMetric.TAIL_USED_CHUNKS),
                metrics.get(StoreMetric.TAIL_CAPACITY_CHUNKS));
    }

    /** All bytes that were written: log, sweep, merges. */
    void written(StoreMetrics metrics) {
        long log = metrics.get(StoreMetric.LOG_WRITTEN_BYTES);
        long swept = metrics.get(StoreMetric.SWEPT_BYTES);
        long merged = metrics.get(StoreMetric.MERGED_BYTES);
        out.printf(
                "written: %.1f bytes a message, %.2fx: log %.1f, sweep %.1f, %,d merges %.1f;"
                        + " %,d generations to merge%n",
                (double) (log + swept + merged) / messages,
                (log + swept + merged) / wireBytes,
                (double) log / messages,
                (double) swept / messages,
                metrics.get(StoreMetric.MERGES),
                (double) merged / messages,
                metrics.get(StoreMetric.MERGE_DEBT_GENERATIONS));
    }

    void reads(String of, StoreMetrics read, long count) {
        out.printf(
                "%s: %,d I/Os, %.4f a message, %,d MiB; cache hits %.1f%%%n",
                of,
                read.get(StoreMetric.CACHE_READS),
                (double) read.get(StoreMetric.CACHE_READS) / Math.max(1, count),
                read.get(StoreMetric.CACHE_READ_BYTES) >> 20,
                read.cacheHitPercent());
    }

    void total(List<Phase> phases) {
        long all = phases.stream().mapToLong(Phase::messages).sum();
        double seconds = phases.stream().mapToDouble(Phase::seconds).sum();
        out.printf("total: %,d messages in %.2f s: %,.0f TPS%n", all, seconds, all / seconds);
    }

    void machine() throws IOException {
        out.printf(
                "resident %d MiB, at most %d MiB; collections: %s%n",
                Machine.residentMib(), Machine.peakResidentMib(), Machine.collections());
    }

    /** The result of a phase. */
    record Phase(long messages, double seconds) {}
}
