package io.rivulet.store.cache;

import java.util.concurrent.atomic.LongAdder;

/** Counts the events of the cache. Any thread. */
final class CacheMeter {
    private final Adders hits = new Adders();
    private final Adders misses = new Adders();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder promotions = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final LongAdder joined = new LongAdder();
    private final LongAdder bypasses = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder openLeases = new LongAdder();

    void hit(PageClass pageClass) {
        hits.of(pageClass).increment();
    }

    void miss(PageClass pageClass) {
        misses.of(pageClass).increment();
    }

    void evicted() {
        evictions.increment();
    }

    void promoted() {
        promotions.increment();
    }

    void passed() {
        passed.increment();
    }

    void joined() {
        joined.increment();
    }

    void bypassed() {
        bypasses.increment();
    }

    void read(long bytes) {
        reads.increment();
        readBytes.add(bytes);
    }

    void leaseOpened() {
        openLeases.increment();
    }

    void leaseClosed() {
        openLeases.decrement();
    }

    long openLeases() {
        return openLeases.sum();
    }

    CacheCounters snapshot() {
        return new CacheCounters(
                hits.sums(),
                misses.sums(),
                evictions.sum(),
                promotions.sum(),
                passed.sum(),
                joined.sum(),
                bypasses.sum(),
                reads.sum(),
                readBytes.sum());
    }

    /** One adder for each class. */
    private static final class Adders {
        private final LongAdder tail = new LongAdder();
        private final LongAdder readAhead = new LongAdder();
        private final LongAdder scan = new LongAdder();

        LongAdder of(PageClass pageClass) {
            return switch (pageClass) {
                case TAIL -> tail;
                case READ_AHEAD -> readAhead;
                case SCAN -> scan;
            };
        }

        CacheCounters.ByClass sums() {
            return new CacheCounters.ByClass(tail.sum(), readAhead.sum(), scan.sum());
        }
    }
}
