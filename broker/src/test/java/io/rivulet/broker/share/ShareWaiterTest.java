package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.fetch.FetchSession;
import io.rivulet.broker.fetch.QueueInterest;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.wire.Uuid;
import org.junit.jupiter.api.Test;

/** What rows know of the sessions that wait for them. */
final class ShareWaiterTest {
    private static FetchSession session() {
        FetchSession partitions =
                new FetchSession(new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS), new QueueInterest(), true);
        partitions.name("", new Uuid(1, 2), 0, 0, 1, ErrorCode.NONE);
        partitions.readiness().clearReady(0);
        return partitions;
    }

    @Test
    void aRowMakesThePartitionReady() {
        FetchSession partitions = session();
        RowRuns row = new RowRuns();
        row.await(new ShareSession.Waiter(partitions), 0);
        row.wake();
        assertThat(partitions.readiness().next(0)).isZero();
    }

    /** A row may wait for days. A session may have a million partitions, and end. */
    @Test
    void aRowLetsGoOfASessionThatHasEnded() {
        FetchSession partitions = session();
        ShareSession.Waiter waiter = new ShareSession.Waiter(partitions);
        RowRuns row = new RowRuns();
        row.await(waiter, 0);
        waiter.end();
        assertThat(waiter.hasEnded()).isTrue();
        row.wake();
        assertThat(partitions.readiness().next(0)).isEqualTo(-1);
        assertThat(waiter).hasFieldOrPropertyWithValue("partitions", null);
    }
}
