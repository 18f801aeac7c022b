package io.rivulet.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.failure.FailureLatch;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CollectorWatchTest {
    private final FailureLatch failures = new FailureLatch();
    private double free = 0.01;
    private long collectedMillis;
    private long nowNanos = 42;
    private final CollectorWatch watch = new CollectorWatch(failures, () -> free, () -> collectedMillis);

    private void pass(int seconds, int collectedPercent) {
        for (int i = 0; i < seconds; i++) {
            watch.check(nowNanos);
            nowNanos += TimeUnit.SECONDS.toNanos(1);
            collectedMillis += 10L * collectedPercent;
        }
        watch.check(nowNanos);
    }

    @Test
    void aMinuteOfCollectionsInAFullHeapFailsTheBroker() {
        pass(61, 99);

        assertThat(failures.cause()).isInstanceOf(OutOfMemoryError.class).hasMessageContaining("99 %");
        assertThat(ExitCode.of(Objects.requireNonNull(failures.cause()))).isEqualTo(ExitCode.OUT_OF_MEMORY);
    }

    @Test
    void lessThanAMinuteDoesNotFailIt() {
        pass(59, 99);

        assertThat(failures.isSet()).isFalse();
    }

    @Test
    void aBrokerThatStillDoesWorkContinues() {
        pass(600, 97);

        assertThat(failures.isSet()).isFalse();
    }

    @Test
    void aHeapWithRoomIsNotWatched() {
        free = 0.2;
        pass(600, 100);

        assertThat(failures.isSet()).isFalse();
    }

    @Test
    void freeHeapInBetweenRestartsTheMinute() {
        pass(50, 99);
        free = 0.2;
        pass(1, 99);
        free = 0.01;
        pass(50, 99);

        assertThat(failures.isSet()).isFalse();
    }
}
