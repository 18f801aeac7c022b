package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static io.rivulet.broker.producer.Verdicts.ADMIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A gate with room for a few producers: which are forgotten, and which are refused. */
final class SequenceGateLimitsTest extends SequenceGateFixture {
    private SequenceGate gateOf(int rowCount) {
        SequenceGate small = new SequenceGate(
                SequenceGate.IN_FLIGHT,
                EXPIRATION_MILLIS,
                (long) rowCount * SequenceRows.bytesPerRow(SequenceGate.IN_FLIGHT),
                TestGates.NO_TRANSACTIONS,
                () -> expiryMillis);
        small.opened(queueId -> true);
        return small;
    }

    @Test
    void withoutRoomTheLongestIdleProducerIsForgottenAndAdmitted() {
        SequenceGate small = gateOf(3);
        for (int producer = 0; producer < 3; producer++) {
            apply(small, batch(producer, 0, 0, 1), producer);
        }
        apply(small, batch(0, 0, 1, 1), 3);
        apply(small, batch(3, 0, 0, 1), 4);

        assertThat(check(small, batch(1, 0, 7, 1))).as("forgotten").isEqualTo(ADMIT);
        assertThat(check(small, batch(0, 0, 7, 1))).isEqualTo(BatchRefusal.OUT_OF_ORDER);
        assertThat(check(small, batch(2, 0, 0, 1))).isEqualTo(2L);
        assertThat(check(small, batch(3, 0, 0, 1))).isEqualTo(4L);
    }

    @Test
    void pendingBatchesOfAForgottenProducerAreKnown() {
        SequenceGate small = gateOf(1);
        apply(small, batch(1, 0, 0, 1), 0);
        small.appended(QUEUE, 1, batch(1, 0, 1, 1), Batches.AT, LENGTH);
        small.appended(QUEUE, 2, batch(2, 0, 0, 1), Batches.AT, LENGTH);
        small.appended(QUEUE, 3, batch(1, 0, 2, 1), Batches.AT, LENGTH);
        apply(small, batch(1, 0, 1, 1), 1);
        apply(small, batch(2, 0, 0, 1), 2);

        assertThat(check(small, batch(1, 0, 2, 1))).isEqualTo(3L);
        assertThat(check(small, batch(1, 0, 3, 1))).isEqualTo(ADMIT);
        assertThat(check(small, batch(1, 0, 1, 1))).isEqualTo(BatchRefusal.OUT_OF_ORDER);

        small.rolledBack(QUEUE, 3);
        assertThat(check(small, batch(1, 0, 9, 1))).isEqualTo(ADMIT);
        assertThat(check(small, batch(2, 0, 9, 1))).isEqualTo(BatchRefusal.OUT_OF_ORDER);
    }

    @Test
    void aProducerWithAnOpenTransactionIsNeverForgotten() throws IOException {
        SequenceGate small = gateOf(4);
        apply(small, transactional(batch(1, 0, 0, 1)), 0);
        pass(2 * EXPIRATION_MILLIS);
        for (int producer = 2; producer < 12; producer++) {
            apply(small, batch(producer, 0, 0, 1), producer);
        }
        assertThat(check(small, batch(1, 0, 0, 1))).isEqualTo(0L);
        SequenceGate loaded = gateOf(4);
        load(loaded, written(small));
        for (int producer = 12; producer < 22; producer++) {
            apply(loaded, batch(producer, 0, 0, 1), producer);
        }
        assertThat(check(loaded, batch(1, 0, 0, 1))).isEqualTo(0L);

        apply(loaded, marker(1), 22);
        for (int producer = 23; producer < 33; producer++) {
            apply(loaded, batch(producer, 0, 0, 1), producer);
        }
        assertThat(check(loaded, batch(1, 0, 7, 1))).isEqualTo(ADMIT);
    }

    @Test
    void openTransactionsTakeAtMostHalfOfTheRoom() {
        SequenceGate small = gateOf(4);
        apply(small, transactional(batch(1, 0, 0, 1)), 0);
        assertThat(check(small, transactional(batch(2, 0, 0, 1)))).isEqualTo(ADMIT);
        apply(small, transactional(batch(2, 0, 0, 1)), 1);

        assertThat(check(small, transactional(batch(3, 0, 0, 1)))).isEqualTo(BatchRefusal.TOO_MANY);
        assertThat(check(small, transactional(batch(2, 0, 1, 1)))).isEqualTo(ADMIT);
        assertThat(check(small, batch(3, 0, 0, 1))).isEqualTo(ADMIT);
        apply(small, marker(1), 2);
        assertThat(check(small, transactional(batch(3, 0, 0, 1)))).isEqualTo(ADMIT);
    }

    @Test
    void newProducersWaitWhileTooManyOthersAreNew() {
        SequenceGate small = gateOf(2);
        apply(small, batch(1, 0, 0, 1), 0);
        for (int producer = 2; producer < 4; producer++) {
            assertThat(check(small, batch(producer, 0, 0, 1))).isEqualTo(ADMIT);
            small.appended(QUEUE, producer, batch(producer, 0, 0, 1), Batches.AT, LENGTH);
        }
        assertThat(check(small, batch(4, 0, 0, 1))).isEqualTo(BatchRefusal.TOO_MANY_NEW);
        assertThat(check(small, batch(1, 0, 1, 1))).isEqualTo(ADMIT);
        assertThat(check(small, batch(2, 0, 1, 1))).isEqualTo(ADMIT);

        apply(small, batch(2, 0, 0, 1), 2);
        assertThat(check(small, batch(4, 0, 0, 1))).isEqualTo(ADMIT);
    }

    @Test
    void deletedQueuesWithOpenTransactionsMakeRoomForOthers() {
        SequenceGate small = gateOf(2);
        small.opened(queueId -> !deleted.get(queueId));
        apply(small, transactional(batch(1, 0, 0, 1)), 0);
        deleted.set(QUEUE);
        ByteBuffer batch = transactional(batch(2, 0, 0, 1));
        Verdicts.of(small, QUEUE + 1, batch, Batches.AT, LENGTH, 0);

        assertThat(Verdicts.of(small, QUEUE + 1, batch, Batches.AT, LENGTH, 0)).isEqualTo(ADMIT);
    }
}
