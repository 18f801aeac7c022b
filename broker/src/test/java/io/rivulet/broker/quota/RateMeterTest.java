package io.rivulet.broker.quota;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RateMeterTest {
    private static final double LIMIT = 100;
    private final RateMeter meter = new RateMeter(new QuotaWindows(11, 1000));

    @Test
    void aBurstMayUseWhatTheWindowsBeforeDidNot() {
        assertThat(meter.add(1000, LIMIT, 5000)).isZero();
        assertThat(meter.add(1, LIMIT, 5000)).isEqualTo(10);
    }

    @Test
    void aBurstIsRememberedUntilItsWindowIsOver() {
        assertThat(meter.add(2000, LIMIT, 5000)).isEqualTo(10_000);
        assertThat(meter.add(0, LIMIT, 10_000)).isEqualTo(10_000);
        assertThat(meter.add(0, LIMIT, 15_999)).isPositive();
        assertThat(meter.add(0, LIMIT, 16_000)).isZero();
    }

    @Test
    void windowsThatAreOverAreForgotten() {
        meter.add(1_000_000, LIMIT, 0);
        for (int second = 1; second < 11; second++) {
            assertThat(meter.add(1, LIMIT, 1000L * second)).isPositive();
        }
        assertThat(meter.add(1, LIMIT, 11_000)).isZero();
        assertThat(meter.add(1000, LIMIT, 100_000)).isZero();
    }

    @Test
    void anAmountThatIsTakenBackDoesNotCount() {
        assertThat(meter.add(5000, LIMIT, 0)).isPositive();
        meter.add(-5000, 0);
        assertThat(meter.add(1000, LIMIT, 0)).isZero();
    }

    @Test
    void extremeLimitsAreNoProblem() {
        assertThat(meter.add(1e18, Double.MAX_VALUE, 0)).isZero();
        assertThat(meter.add(1, Double.POSITIVE_INFINITY, 0)).isZero();
        assertThat(meter.add(1, Double.MIN_VALUE, 0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void oneWindowIsEnough() {
        RateMeter one = new RateMeter(new QuotaWindows(1, 1000));
        assertThat(one.add(100, LIMIT, 0)).isZero();
        assertThat(one.add(100, LIMIT, 0)).isEqualTo(1000);
    }
}
