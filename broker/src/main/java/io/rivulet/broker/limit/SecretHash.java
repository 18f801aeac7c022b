package io.rivulet.broker.limit;

import java.security.SecureRandom;

/**
 * Hashes for tables whose keys clients choose. A client that could foresee them would choose keys with one place, and
 * each look at one of them would walk over all. They differ in each process, so nothing stores them. Stateless.
 */
public final class SecretHash {
    private static final long SEED = new SecureRandom().nextLong();
    /** Odd, or early characters of a long name would not count. */
    private static final long FACTOR = new SecureRandom().nextLong() | 1;

    private SecretHash() {}

    public static long of(long key) {
        long hash = key ^ SEED;
        hash = (hash ^ hash >>> 30) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ hash >>> 27) * 0x94D049BB133111EBL;
        return hash ^ hash >>> 31;
    }

    public static long of(long high, int low) {
        return of(of(high) + low);
    }

    /** Keys side by side get hashes that are spread evenly, in their high bits. */
    public static long spread(long key) {
        return (key ^ SEED) * 0x9E3779B97F4A7C15L;
    }

    /**
     * Adds one character to the state of a text's hash; {@link #of(long)} turns the last state into the hash. A sum of
     * products alone would have texts that collide for each odd factor.
     */
    public static long with(long before, int character) {
        long state = (before + character) * FACTOR;
        return state ^ (state >>> 32);
    }
}
