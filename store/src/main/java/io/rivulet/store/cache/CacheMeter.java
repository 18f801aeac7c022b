package io.rivulet.store.cache;

import java.util.concurrent.atomic.LongAdder;

/** Counts what the cache does. Any thread. */
final class CacheMeter {
    private final LongAdder[] hits = adders();
    private final LongAdder[] misses = adders();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder promotions = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final LongAdder joined = new LongAdder();
    private final LongAdder bypasses = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder openLeases = new LongAdder();

    private static LongAdder[] adders() {
        LongAdder[] adders = new LongAdder[PageClass.values().length];
        for (int i = 0; i < adders.length; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }

    void hit(PageClass pageClass) {
        hits[pageClass.ordinal()].increment();
    }

    void miss(PageClass pageClass) {
        misses[pageClass.ordinal()].increment();
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
                classes(hits),
                classes(misses),
                evictions.sum(),
                promotions.sum(),
                passed.sum(),
                joined.sum(),
                bypasses.sum(),
                reads.sum(),
                readBytes.sum());
    }

    private static CacheCounters.ByClass classes(LongAdder[] adders) {
        return new CacheCounters.ByClass(
                adders[PageClass.TAIL.ordinal()].sum(),
                adders[PageClass.READ_AHEAD.ordinal()].sum(),
                adders[PageClass.SCAN.ordinal()].sum());
    }
}
