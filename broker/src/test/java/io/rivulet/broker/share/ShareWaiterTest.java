package io.rivulet.broker.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.fetch.FetchSession;
import io.rivulet.broker.fetch.QueueInterest;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.wire.Uuid;
import java.util.Objects;
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
        row.await(new ShareSession.Waiter(partitions), 0, true);
        row.wake();
        assertThat(partitions.readiness().next(0)).isZero();
    }

    /** A row may wait for days. A session may have a million partitions, and end. */
    @Test
    void aRowLetsGoOfASessionThatHasEnded() {
        FetchSession partitions = session();
        ShareSession.Waiter waiter = new ShareSession.Waiter(partitions);
        RowRuns row = new RowRuns();
        row.await(waiter, 0, true);
        waiter.end();
        assertThat(waiter.hasEnded()).isTrue();
        row.wake();
        assertThat(partitions.readiness().next(0)).isEqualTo(-1);
        assertThat(waiter).hasFieldOrPropertyWithValue("partitions", null);
    }

    /** With a hundred members, each acknowledgement would make a hundred fetches visit the row in vain. */
    @Test
    void anAcknowledgementWakesOnlyWhoCanUseIt() {
        ShareGroup group = new ShareGroup("g", new ShareMemory(1 << 20), new ShareCounters());
        Limits limits = new Limits(5, 3, 1000, true);
        group.create(7, 0);
        Claim claim = Objects.requireNonNull(group.claim(7, 0, 9, 9, limits, new NoWaiter(), 0));
        Spans read = new Spans();
        for (int offset = 0; offset < 3; offset++) {
            read.add(offset, offset);
        }
        assertThat(group.acquire(claim, read, 3, 3, 1, "m", 1000)).hasSize(3);
        boolean unused = group.unclaim(claim, 9, limits, new NoWaiter(), 0);
        FetchSession partitions = session();
        RowWaiter waiter = new ShareSession.Waiter(partitions);
        assertThat(group.claim(7, 0, 9, 9, limits, waiter, 0))
                .as("three are acquired")
                .isNull();

        group.set(group.beginRow(7, 0), 1, 1, RecordState.ACKNOWLEDGED, 1);
        group.endRow(group.beginRow(7, 0));
        assertThat(partitions.readiness().isReady(0))
                .as("the limit counts from the first record on")
                .isFalse();

        group.set(group.beginRow(7, 0), 0, 0, RecordState.ACKNOWLEDGED, 1);
        group.endRow(group.beginRow(7, 0));
        assertThat(partitions.readiness().isReady(0)).as("two are done").isTrue();
    }

    @Test
    void recordsThatCanBeAcquiredAgainWakeAll() {
        FetchSession partitions = session();
        RowRuns row = new RowRuns();
        row.append(new Run(7, 0, 4, RecordState.ACQUIRED, 1));
        assertThat(row.firstAvailable()).isNull();
        row.await(new ShareSession.Waiter(partitions), 0, false);
        row.wakeIfUseful(true);
        assertThat(partitions.readiness().isReady(0)).isFalse();

        row.get(0).state = RecordState.AVAILABLE;
        row.available(0);
        row.wakeIfUseful(false);
        assertThat(partitions.readiness().isReady(0)).isTrue();
    }
}
