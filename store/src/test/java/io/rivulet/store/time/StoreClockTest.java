package io.rivulet.store.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which time counts while the wall clock is set to different times. */
final class StoreClockTest {
    private static final long START = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long PATIENCE = 60 * MINUTE;
    private static final long DAY = Duration.ofDays(1).toMillis();

    /** The true time; the monotonic clock counts it from another origin. */
    private long trueMillis = START;

    private long errorMillis;
    private final StoreClock clock = opened(START);

    private StoreClock opened(long lastStampMillis) {
        StoreClock opened = new StoreClock(
                () -> trueMillis + errorMillis, () -> (trueMillis - START - 5 * MINUTE) * 1_000_000, PATIENCE);
        opened.opened(lastStampMillis, lastStampMillis);
        return opened;
    }

    private void pass(StoreClock of, long millis) {
        for (long left = millis; left > 0; left -= 1000) {
            trueMillis += Math.min(1000, left);
            of.observe();
        }
    }

    private void pass(long millis) {
        pass(clock, millis);
    }

    private void requireTimes(StoreClock of, long expiryMillis, long stampMillis) {
        assertThat(Instant.ofEpochMilli(of.expiryMillis())).isEqualTo(Instant.ofEpochMilli(expiryMillis));
        assertThat(Instant.ofEpochMilli(of.stampMillis())).isEqualTo(Instant.ofEpochMilli(stampMillis));
    }

    @Test
    void aClockThatDoesNotStepIsTheTime() {
        pass(3 * PATIENCE);

        requireTimes(clock, trueMillis, trueMillis);
        assertThat(clock.heldBackMillis()).isZero();
    }

    @Test
    void aStepForwardDecidesAboutNothingUntilItHasStoodForThePatience() {
        errorMillis = 8 * DAY;
        requireTimes(clock, trueMillis, trueMillis + 8 * DAY);

        pass(PATIENCE - MINUTE);
        requireTimes(clock, trueMillis, trueMillis + 8 * DAY);
        assertThat(clock.heldBackMillis()).isEqualTo(8 * DAY);

        pass(2 * MINUTE);
        requireTimes(clock, trueMillis + 8 * DAY, trueMillis + 8 * DAY);
        assertThat(clock.heldBackMillis()).isZero();
    }

    @Test
    void aStepForwardThatIsRevokedHasNoEffect() {
        errorMillis = 8 * DAY;
        pass(12_000);
        errorMillis = 0;
        pass(1000);

        requireTimes(clock, trueMillis, trueMillis);
        assertThat(clock.isTakenBack(trueMillis + 8 * DAY + MINUTE)).isFalse();
        assertThat(clock.isTakenBack(trueMillis + 8 * DAY - MINUTE)).isTrue();
        assertThat(clock.isTakenBack(trueMillis)).isFalse();
    }

    @Test
    void aStepBackHoldsDeletionAtOnceAndStampsForThePatience() {
        errorMillis = -8 * DAY;
        requireTimes(clock, trueMillis - 8 * DAY, trueMillis);

        pass(PATIENCE + MINUTE);
        requireTimes(clock, trueMillis - 8 * DAY, trueMillis - 8 * DAY);
    }

    @Test
    void stepsThatFollowEachOtherBeginThePatienceAnew() {
        for (int step = 0; step < 100; step++) {
            errorMillis += MINUTE;
            pass(PATIENCE - 2 * MINUTE);
        }

        assertThat(clock.expiryMillis()).isEqualTo(trueMillis);
    }

    /** One clock runs faster by a thousandth, which is more than the drift of a clock that a network corrects. */
    @Test
    void aClockThatDriftsIsFollowed() {
        for (int i = 0; i < 10 * 24 * 60; i++) {
            errorMillis += MINUTE / 1000;
            pass(MINUTE);
        }

        assertThat(trueMillis + errorMillis - clock.expiryMillis()).isBetween(0L, StoreClock.TOLERANCE_MILLIS);
        assertThat(clock.heldBackMillis()).isZero();
    }

    @Test
    void smallStepsDoNotAddUpToALargeOne() {
        for (int i = 0; i < 3600; i++) {
            errorMillis += StoreClock.TOLERANCE_MILLIS / 2;
            pass(1000);
        }

        assertThat(clock.expiryMillis() - trueMillis).isBetween(0L, 2 * StoreClock.TOLERANCE_MILLIS);
    }

    @Test
    void aStartSoonAfterTheLastStampTrustsTheClock() {
        StoreClock again = opened(START - PATIENCE);

        requireTimes(again, START, START);
    }

    @Test
    void aStartLongAfterTheLastStampHoldsDeletionForThePatience() {
        StoreClock again = opened(START - 8 * DAY);
        requireTimes(again, START - 8 * DAY, START);

        pass(again, PATIENCE + MINUTE);
        requireTimes(again, trueMillis, trueMillis);
    }

    @Test
    void aStartBeforeTheLastStampContinuesFromThatStampForThePatience() {
        StoreClock again = opened(START + 8 * DAY);
        requireTimes(again, START, START + 8 * DAY);

        pass(again, PATIENCE + MINUTE);
        requireTimes(again, trueMillis, trueMillis);
        assertThat(again.isTakenBack(START + 8 * DAY)).isTrue();
    }

    @Test
    void aStartAfterAStepThatWasNotTrustedYetGoesOnWithTheDoubt() {
        errorMillis = 8 * DAY;
        StoreClock again = opened(START);
        again.opened(START, START + 8 * DAY);
        requireTimes(again, START, START + 8 * DAY);
        errorMillis = 3 * DAY;
        requireTimes(again, START, START + 8 * DAY);

        errorMillis = 0;
        pass(again, PATIENCE + MINUTE);
        requireTimes(again, trueMillis, trueMillis);
    }

    /** A machine without a battery begins in 1970, until it gets the time from its network. */
    @Test
    void aStartIn1970GivesTheRightTimesAfterAll() {
        errorMillis = -START;
        StoreClock again = opened(START - MINUTE);
        requireTimes(again, 0, START - MINUTE);
        pass(again, MINUTE);
        errorMillis = 0;
        requireTimes(again, trueMillis - MINUTE, trueMillis);

        pass(again, PATIENCE + MINUTE);
        requireTimes(again, trueMillis, trueMillis);
    }

    @Test
    void nothingIsOldBeforeTheLogIsThere() {
        StoreClock notOpened = new StoreClock(() -> START, () -> 0, PATIENCE);

        assertThat(notOpened.expiryMillis()).isLessThan(-START);
        assertThat(notOpened.stampMillis()).isEqualTo(START);
    }

    @Test
    void aPatienceOfZeroTrustsTheClockWhateverItSays() {
        StoreClock trusting = StoreClock.trusting(() -> trueMillis + errorMillis);
        trusting.opened(START - 100 * DAY, START - 100 * DAY);
        errorMillis = 8 * DAY;
        requireTimes(trusting, START + 8 * DAY, START + 8 * DAY);
        errorMillis = -8 * DAY;
        requireTimes(trusting, START - 8 * DAY, START - 8 * DAY);
    }

    /**
     * For any time of the clock, as long as no wrong time lasts for the patience: no time that matters is ahead of the
     * true one.
     */
    @Test
    void noErrorThatIsShorterThanThePatienceMakesAnythingOld() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int step = 0; step < 5000; step++) {
            errorMillis =
                    random.nextInt(3) == 0 ? 0 : (long) (random.nextGaussian() * Math.pow(10, random.nextInt(13)));
            pass(random.nextInt((int) PATIENCE / 1000 - 1) * 1000L / (1 + random.nextInt(100)));
            assertThat(clock.expiryMillis())
                    .as("seed %d, step %d", seed, step)
                    .isLessThanOrEqualTo(trueMillis + 10 * StoreClock.TOLERANCE_MILLIS);
            assertThat(clock.stampMillis())
                    .as("seed %d, step %d", seed, step)
                    .isGreaterThanOrEqualTo(trueMillis - 10 * StoreClock.TOLERANCE_MILLIS);
        }
        errorMillis = 0;
        pass(PATIENCE + 2000);
        requireTimes(clock, trueMillis, trueMillis);
    }
}
