package io.rivulet.broker.quota;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TokenBucketTest {
    private final TokenBucket bucket = new TokenBucket(new QuotaWindows(10, 1000));

    @Test
    void aStrictBucketRefusesWhileItIsBelowZero() {
        assertThat(bucket.take(30, true, 2, 0)).isZero();
        assertThat(bucket.take(30, true, 2, 0)).isEqualTo(5000);
        assertThat(bucket.take(1, true, 2, 4000)).isEqualTo(1000);
        assertThat(bucket.take(1, true, 2, 5000)).isZero();
    }

    @Test
    void aBucketThatIsNotStrictLetsTheClientWaitAfterwards() {
        assertThat(bucket.take(20, false, 2, 0)).isZero();
        assertThat(bucket.take(10, false, 2, 0)).isEqualTo(5000);
        assertThat(bucket.take(10, false, 2, 0)).isEqualTo(10_000);
    }

    @Test
    void tokensAreSavedUpToAllWindows() {
        bucket.take(20, true, 2, 0);
        assertThat(bucket.take(21, true, 2, 1_000_000)).isZero();
        assertThat(bucket.take(1, true, 2, 1_000_000)).isEqualTo(500);
    }
}
