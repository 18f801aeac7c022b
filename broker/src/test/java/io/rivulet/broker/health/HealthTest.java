package io.rivulet.broker.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.http.PageCall;
import io.rivulet.store.failure.FailureLatch;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A follower of a cluster. Other brokers: HealthPagesIT. */
final class HealthTest {
    /** Begins near the largest number, as a clock may. */
    private long nowNanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);

    private final Health health =
            new Health(List.of(Runnable::run), List.of(Runnable::run), new FailureLatch(), () -> nowNanos);

    private String ready() {
        return PageCall.of(health::ready);
    }

    private void pass(long nanos) {
        nowNanos += nanos;
    }

    @Test
    void aFollowerIsReadyAsLongAsAnotherBrokerOwnsTheShard() {
        health.following("broker 2");
        pass(2 * Health.WITHOUT_OWNER_NANOS);
        assertThat(ready()).startsWith("200 ready: the shard belongs to broker 2");
    }

    @Test
    void aFollowerIsReadyDuringATakeoverAndNotReadyIfNobodyTakesOver() {
        health.following("broker 2");
        pass(Health.WITHOUT_OWNER_NANOS);
        health.following(Health.NOBODY);
        pass(Health.WITHOUT_OWNER_NANOS);
        assertThat(ready()).startsWith("200 ready: the shard belongs to nobody yet");

        health.following(Health.NOBODY); // is still so
        pass(TimeUnit.SECONDS.toNanos(13));
        assertThat(ready()).startsWith("503 not ready: the shard has belonged to nobody for 73 s");
        assertThat(PageCall.of(health::live)).startsWith("200");

        health.following("broker 3");
        assertThat(ready()).startsWith("200 ready: the shard belongs to broker 3");
    }

    @Test
    void eachTakeoverHasItsTime() {
        health.following(Health.NOBODY);
        pass(Health.WITHOUT_OWNER_NANOS);
        health.following("broker 2");
        health.following(Health.NOBODY);
        pass(Health.WITHOUT_OWNER_NANOS);
        assertThat(ready()).startsWith("200");
    }
}
