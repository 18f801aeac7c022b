package io.rivulet.broker.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Quota;
import org.apache.kafka.common.metrics.stats.Rate;
import org.apache.kafka.common.metrics.stats.TokenBucket;
import org.junit.jupiter.api.Test;

/** Compares the meters with those of Kafka, step by step. */
class RateOfKafkaIT {
    private static final int CASES = 2000;
    private static final int STEPS = 60;
    private static final int LONGEST_PAUSE_MILLIS = 4000;

    @Test
    void ratesAndWaitsAreThoseOfKafka() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < CASES; i++) {
            int windows = 2 + random.nextInt(11); // with one, Kafka may divide by zero
            int seconds = 1 + random.nextInt(2);
            double limit = Math.ceil(random.nextDouble() * 1000);
            MetricConfig config = new MetricConfig()
                    .timeWindow(seconds, TimeUnit.SECONDS)
                    .samples(windows)
                    .quota(Quota.upperBound(limit));
            Rate kafkas = new Rate();
            RateMeter ours = new RateMeter(new QuotaWindows(windows, 1000L * seconds));
            long now = random.nextInt(100_000);
            for (int step = 0; step < STEPS; step++) {
                double amount = random.nextInt(3000) - 100;
                kafkas.record(config, amount, now);
                double rate = kafkas.measure(config, now);
                long wait = rate > limit ? Math.round((rate - limit) / limit * kafkas.windowSize(config, now)) : 0;
                assertThat(ours.add(amount, limit, now))
                        .as("seed %d, case %d, step %d", seed, i, step)
                        .isEqualTo(wait);
                now += random.nextInt(5) == 0 ? random.nextInt(LONGEST_PAUSE_MILLIS) : random.nextInt(300);
            }
        }
    }

    @Test
    void tokensAreThoseOfKafka() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < CASES; i++) {
            int windows = 1 + random.nextInt(12);
            double limit = Math.ceil(random.nextDouble() * 20);
            MetricConfig config = new MetricConfig()
                    .timeWindow(1, TimeUnit.SECONDS)
                    .samples(windows)
                    .quota(Quota.upperBound(limit));
            TokenBucket kafkas = new TokenBucket();
            io.rivulet.broker.quota.TokenBucket ours =
                    new io.rivulet.broker.quota.TokenBucket(new QuotaWindows(windows, 1000));
            long now = 1_000_000;
            for (int step = 0; step < STEPS; step++) {
                int wanted = random.nextInt(30);
                boolean strict = random.nextBoolean();
                boolean refused = strict && kafkas.measure(config, now) < 0;
                if (!refused) {
                    kafkas.record(config, wanted, now);
                }
                double left = kafkas.measure(config, now);
                boolean waits = strict ? refused : left < 0;
                assertThat(ours.take(wanted, strict, limit, now))
                        .as("seed %d, case %d, step %d", seed, i, step)
                        .isEqualTo(waits ? Math.max(1, Math.round(-left / limit * 1000)) : 0);
                now += random.nextInt(2000);
            }
        }
    }
}
