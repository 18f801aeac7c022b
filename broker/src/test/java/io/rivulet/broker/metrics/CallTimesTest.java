package io.rivulet.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets of times, and the quantiles that they give. */
final class CallTimesTest {
    private static final long MINUTE = 60_000_000_000L;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1023, 1024, 8191, 8192, 9000, 15_000, 16_384, 20_000, 1_000_000, 123_456_789, MINUTE})
    void aBucketsLimitIsAtMostAnEighthAboveItsTimes(long nanos) {
        int bucket = CallTimes.bucket(nanos);

        assertThat(CallTimes.limitNanos(bucket)).isGreaterThan(nanos);
        assertThat(CallTimes.limitNanos(bucket) - nanos).isLessThanOrEqualTo(Math.max(1024, nanos / 8));
    }

    @Test
    void bucketsFollowEachOther() {
        for (int bucket = 0; bucket < CallTimes.BUCKETS - 1; bucket++) {
            assertThat(CallTimes.bucket(CallTimes.limitNanos(bucket) - 1)).isEqualTo(bucket);
            assertThat(CallTimes.bucket(CallTimes.limitNanos(bucket))).isEqualTo(bucket + 1);
        }
    }

    @Test
    void whatTakesLongestIsInTheLastBucket() {
        assertThat(CallTimes.bucket(Long.MAX_VALUE)).isEqualTo(CallTimes.BUCKETS - 1);
        assertThat(CallTimes.bucket(-5)).isZero();
    }

    @Test
    void quantilesAreThoseOfTheTimes() {
        CallTimes times = new CallTimes();
        for (int millis = 1; millis <= 1000; millis++) {
            times.add(TimeUnit.MILLISECONDS.toNanos(millis));
        }

        assertThat(times.sumNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500_500));
        assertThat(CallTimes.quantileNanos(times.counts(), 0.5)).isBetween(500_000_000L, 563_000_000L);
        assertThat(CallTimes.quantileNanos(times.counts(), 0.99)).isBetween(990_000_000L, 1_114_000_000L);
    }

    @Test
    void quantilesForgetWhatIsMinutesOld() {
        CallTimes times = new CallTimes();
        RecentTimes recent = new RecentTimes();
        times.add(1_000_000_000);
        assertThat(recent.since(times.counts(), 0)[CallTimes.bucket(1_000_000_000)])
                .isOne();

        times.add(1_000_000);
        long[] after = recent.since(times.counts(), 4 * MINUTE);
        assertThat(CallTimes.quantileNanos(after, 0.999)).isGreaterThan(1_000_000_000);
        after = recent.since(times.counts(), 5 * MINUTE);
        assertThat(CallTimes.quantileNanos(after, 0.999)).isLessThan(1_200_000);
        after = recent.since(times.counts(), 9 * MINUTE);
        assertThat(after).containsOnly(0);
    }

    @Test
    void aHistogramCountsUpToItsLimits() {
        ClassicHistogram histogram = new ClassicHistogram();
        histogram.add(250_000);
        histogram.add(250_001);
        histogram.add(TimeUnit.SECONDS.toNanos(6));

        long[] cumulative = histogram.cumulative();

        assertThat(cumulative[0]).isEqualTo(1);
        assertThat(cumulative[1]).isEqualTo(2);
        assertThat(cumulative[ClassicHistogram.LIMITS.size() - 1]).isEqualTo(2);
        assertThat(cumulative[ClassicHistogram.LIMITS.size()]).isEqualTo(3);
    }
}
