package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.store.Store;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QueueIdsTest {
    private static final int MILLION = 1_000_000;

    private long used;
    private long nanos = -5;
    private final QueueIds ids = new QueueIds(() -> used, () -> nanos);

    /** Creations that are refused or fail use no ids. */
    @Test
    void onlyUsedIdsAreSubtracted() {
        for (int i = 0; i < 1_000; i++) {
            ids.reserve(MILLION);
            ids.release(MILLION);
        }
        assertThat(createUntilRefused(MILLION)).isEqualTo(134);
        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(() -> ids.reserve(MILLION)).isInstanceOf(RefusedException.class);
        }

        nanos += TimeUnit.HOURS.toNanos(1);
        assertThat(createUntilRefused(MILLION)).isEqualTo(1);
    }

    @Test
    void creationsInProgressCount() {
        for (int i = 0; i < 134; i++) {
            ids.reserve(MILLION);
        }

        assertThatThrownBy(() -> ids.reserve(MILLION))
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.POLICY_VIOLATION))
                .hasMessageContaining("1,000,000 more partitions")
                .hasMessageContaining("only 217,727 may be created at once")
                .hasMessageContaining("1,491,308 more in an hour");
    }

    @Test
    void theyLastForAYearOfAttack() {
        for (int hour = 0; hour < 365 * 24; hour++) {
            createUntilRefused(MILLION);
            createUntilRefused(1_000);
            nanos += TimeUnit.HOURS.toNanos(1);
        }

        assertThat(Store.MAX_QUEUE_ID - used).isGreaterThan(2 * MILLION);
        assertThat(createUntilRefused(1_000)).isPositive();
    }

    @Test
    void nothingIsRefusedBelowTheRefillRate() {
        for (int hour = 0; hour < 1_000; hour++) {
            ids.reserve(MILLION);
            used += MILLION;
            ids.release(MILLION);
            nanos += TimeUnit.HOURS.toNanos(1);
        }
        assertThat(used).isEqualTo(1_000L * MILLION);
    }

    private int createUntilRefused(int partitions) {
        for (int created = 0; ; created++) {
            try {
                ids.reserve(partitions);
            } catch (RefusedException e) {
                return created;
            }
            used += partitions;
            ids.release(partitions);
        }
    }
}
