package io.rivulet.bench.queues;

import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import java.util.EnumMap;
import java.util.Map;

/** All metrics of a store at one time, or their increase between two times. Immutable. */
record StoreMetrics(Map<StoreMetric, Long> values) {
    static StoreMetrics of(Store store) {
        Map<StoreMetric, Long> values = new EnumMap<>(StoreMetric.class);
        for (StoreMetric metric : StoreMetric.values()) {
            values.put(metric, store.metric(metric));
        }
        return new StoreMetrics(values);
    }

    StoreMetrics since(StoreMetrics before) {
        Map<StoreMetric, Long> grown = new EnumMap<>(StoreMetric.class);
        values.forEach((metric, value) -> grown.put(metric, value - before.get(metric)));
        return new StoreMetrics(grown);
    }

    long get(StoreMetric metric) {
        return values.getOrDefault(metric, 0L);
    }

    /** Returns one metric divided by another; 0 if the divisor is 0. */
    double ratio(StoreMetric dividend, StoreMetric divisor) {
        return get(divisor) == 0 ? 0 : (double) get(dividend) / get(divisor);
    }

    double cacheHitPercent() {
        long hits = get(StoreMetric.CACHE_TAIL_HITS)
                + get(StoreMetric.CACHE_READ_AHEAD_HITS)
                + get(StoreMetric.CACHE_SCAN_HITS);
        long misses = get(StoreMetric.CACHE_TAIL_MISSES)
                + get(StoreMetric.CACHE_READ_AHEAD_MISSES)
                + get(StoreMetric.CACHE_SCAN_MISSES);
        return 100.0 * hits / Math.max(1, hits + misses);
    }
}
