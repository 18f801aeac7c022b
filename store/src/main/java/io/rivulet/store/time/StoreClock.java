package io.rivulet.store.time;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time, kept from a wall clock that may be set to anything. A step of the wall clock against the monotonic clock is trusted when
 * the new time has stood for a while. Until then there are two times that may be the true one: the wall clock's, and the held time,
 * which goes on as if there had been no step. Stamps get the later of the two and deletion by age uses the earlier, so that nothing
 * looks older than it is, whichever is true.
 *
 * <pre>
 * use                          time
 * stamps of new entries        {@link #stampMillis}
 * deletion by age, expiry      {@link #expiryMillis}
 * timeouts, pauses             {@link #nanos}, {@link #elapsedMillis}
 * </pre>
 *
 * The monotonic clock ends with the process. A start takes the log's last time for the held time, unless that was in no doubt and the
 * wall clock is ahead of it by less than the patience. Where the monotonic clock stops in suspend, as on Linux, a resume is a step too.
 *
 * <p>Crash policy: nothing is kept but the stamps of the log.
 *
 * <p>Thread-safe.
 */
public final class StoreClock {
    private static final Logger LOG = LoggerFactory.getLogger(StoreClock.class);

    public static final long DEFAULT_PATIENCE_MILLIS = Duration.ofHours(1).toMillis();

    /** Clocks that differ by less have not stepped. They drift apart this much within the patience at most. */
    static final long TOLERANCE_MILLIS = 10_000;

    /** Steps that are logged between two that are trusted. */
    private static final int LOGGED_STEPS = 10;

    private static final long NANOS_PER_MILLI = 1_000_000;
    /** Before the store is open, nothing is old. */
    private static final long NOT_OPEN = Long.MIN_VALUE / 4;

    private final LongSupplier wallMillis;
    private final LongSupplier nanos;
    private final long patienceMillis;

    /** What the held time is ahead of the monotonic clock. */
    private volatile long heldAheadMillis = NOT_OPEN;

    /** Differs from the held time where a start found two times in the log that may be the true one: this is the later. */
    private volatile long laterAheadMillis = NOT_OPEN;

    private volatile long takenBackMillis = Long.MIN_VALUE;
    private volatile int changes;

    /** Guarded by the monitor: what the wall clock was ahead of the monotonic clock when it stepped last, and since when. */
    private long seenAheadMillis;

    private long seenSinceMillis;
    private int stepsToLog = LOGGED_STEPS;

    /**
     * @param nanos the monotonic clock
     * @param patienceMillis so long a new time has to stand; 0 trusts the wall clock whatever it says
     */
    public StoreClock(LongSupplier wallMillis, LongSupplier nanos, long patienceMillis) {
        if (patienceMillis < 0) {
            throw new IllegalArgumentException("a patience of " + patienceMillis + " ms");
        }
        this.wallMillis = wallMillis;
        this.nanos = nanos;
        this.patienceMillis = patienceMillis;
        this.seenSinceMillis = elapsedMillis();
        this.seenAheadMillis = wallMillis.getAsLong() - seenSinceMillis;
    }

    public static StoreClock system(long patienceMillis) {
        return new StoreClock(System::currentTimeMillis, System::nanoTime, patienceMillis);
    }

    /** Of one clock that is always right. */
    public static StoreClock trusting(LongSupplier millis) {
        return new StoreClock(millis, () -> millis.getAsLong() * NANOS_PER_MILLI, 0);
    }

    // ---- the time ----

    /** What a new entry is stamped with, and a timestamp of the future is compared with. */
    public long stampMillis() {
        long wall = wallMillis.getAsLong();
        return patienceMillis == 0 ? wall : laterMillis(wall, elapsedMillis());
    }

    /** What is old may be deleted by this time. It may go back. */
    public long expiryMillis() {
        long wall = wallMillis.getAsLong();
        return patienceMillis == 0 ? wall : earlierMillis(wall, elapsedMillis());
    }

    private long laterMillis(long wall, long elapsed) {
        return Math.max(wall, elapsed + laterAheadMillis);
    }

    private long earlierMillis(long wall, long elapsed) {
        return Math.min(wall, elapsed + heldAheadMillis);
    }

    /** Whether the wall clock has shown this future time, or nearly this, and was set back. */
    public boolean isTakenBack(long millis) {
        return millis <= takenBackMillis && millis > stampMillis();
    }

    /** Steps that were noticed, and times that were taken for the true one since. */
    public int changes() {
        return changes;
    }

    /** Monotonic. */
    public long nanos() {
        return nanos.getAsLong();
    }

    /** Monotonic, since any moment. */
    public long elapsedMillis() {
        return Math.floorDiv(nanos.getAsLong(), NANOS_PER_MILLI);
    }

    /** How far apart the two times are that may be the true one: 0 while no step waits for trust. */
    public long heldBackMillis() {
        if (patienceMillis == 0) {
            return 0;
        }
        long wall = wallMillis.getAsLong();
        long elapsed = elapsedMillis();
        long apart = laterMillis(wall, elapsed) - earlierMillis(wall, elapsed);
        return apart > TOLERANCE_MILLIS ? apart : 0;
    }

    // ---- steps ----

    /**
     * The log that was opened ends at this time, of which two may have been the true one. Before this call, {@link #expiryMillis} is a
     * time long ago.
     */
    public synchronized void opened(long earlierMillis, long laterMillis) {
        if (patienceMillis == 0) {
            return;
        }
        long elapsed = elapsedMillis();
        long wall = wallMillis.getAsLong();
        long gap = wall - laterMillis;
        boolean doubt = laterMillis > earlierMillis;
        see(wall, elapsed);
        if (!doubt && gap >= -TOLERANCE_MILLIS && gap <= Math.max(patienceMillis, TOLERANCE_MILLIS)) {
            trust(seenAheadMillis);
            return;
        }
        heldAheadMillis = earlierMillis - elapsed;
        laterAheadMillis = laterMillis - elapsed;
        if (gap < 0) {
            takenBackMillis = laterMillis + TOLERANCE_MILLIS;
        }
        LOG.info(
                "The wall clock says {}, the last entry of the log is of {}. {}",
                Instant.ofEpochMilli(wall),
                Instant.ofEpochMilli(earlierMillis),
                heldBackUntil(wall));
    }

    /** Compares the clocks. Called once a second or so. */
    public synchronized void observe() {
        if (patienceMillis == 0) {
            return;
        }
        long elapsed = elapsedMillis();
        long wall = wallMillis.getAsLong();
        long ahead = wall - elapsed;
        if (Math.abs(ahead - seenAheadMillis) > TOLERANCE_MILLIS) {
            long expected = elapsed + seenAheadMillis;
            takenBackMillis = Math.max(takenBackMillis, expected + TOLERANCE_MILLIS);
            see(wall, elapsed);
            changes++;
            logStep(expected, wall, ahead);
        } else if (elapsed - seenSinceMillis >= patienceMillis) {
            if (isStep(ahead)) {
                changes++;
                LOG.info("The wall clock has stood for {} and is trusted", Duration.ofMillis(patienceMillis));
                stepsToLog = LOGGED_STEPS;
            }
            trust(ahead);
            see(wall, elapsed);
        }
    }

    private void see(long wall, long elapsed) {
        seenAheadMillis = wall - elapsed;
        seenSinceMillis = elapsed;
    }

    private void trust(long ahead) {
        heldAheadMillis = ahead;
        laterAheadMillis = ahead;
    }

    private boolean isStep(long ahead) {
        return Math.abs(ahead - heldAheadMillis) > TOLERANCE_MILLIS
                || Math.abs(ahead - laterAheadMillis) > TOLERANCE_MILLIS;
    }

    private void logStep(long expected, long wall, long ahead) {
        if (stepsToLog <= 0) {
            return;
        }
        stepsToLog--;
        LOG.warn(
                "The wall clock stepped from {} to {}. {}{}",
                Instant.ofEpochMilli(expected),
                Instant.ofEpochMilli(wall),
                isStep(ahead) ? heldBackUntil(wall) : "That is the time that was trusted all along",
                stepsToLog == 0 ? ". Further steps are not logged" : "");
    }

    private String heldBackUntil(long wall) {
        return "If that time stands, it is trusted from " + Instant.ofEpochMilli(wall + patienceMillis)
                + " on; until then the earlier of both decides what is deleted by age";
    }
}
