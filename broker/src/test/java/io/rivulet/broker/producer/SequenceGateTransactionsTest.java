package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static io.rivulet.broker.producer.Verdicts.ADMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.producer.SequenceGate.Writer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactional batches, and the markers that end transactions. */
final class SequenceGateTransactionsTest extends SequenceGateFixture {
    private static ByteBuffer inTransaction(int epoch, int baseSequence) {
        return transactional(batch(PRODUCER, epoch, baseSequence, 1));
    }

    private Object checkMarker(ByteBuffer marker, int flags) {
        return Verdicts.of(gate, QUEUE, marker, Batches.AT, LENGTH, SequenceGate.FOREIGN_MARKER | flags);
    }

    @Test
    void aBatchWithoutATransactionIsRefusedWhileItsProducerHasOneInTheQueue() {
        store(0, 1, 10);
        append(inTransaction(0, 1), 11);
        assertThat(check(2, 1)).isEqualTo(BatchRefusal.NOT_TRANSACTIONAL);
        assertThat(check(0, 1)).as("a duplicate").isEqualTo(10L);
        assertThat(check(Batches.slim(PRODUCER, 0, 2))).isEqualTo(BatchRefusal.NOT_TRANSACTIONAL);
        assertThat(check(inTransaction(0, 2))).isEqualTo(ADMIT);

        apply(inTransaction(0, 1), 11);
        assertThat(check(2, 1)).isEqualTo(BatchRefusal.NOT_TRANSACTIONAL);
        apply(marker(PRODUCER), 12);
        assertThat(check(2, 1)).isEqualTo(ADMIT);
    }

    @Test
    void aRolledBackTransactionalBatchOpensNoTransaction() {
        store(0, 1, 10);
        append(inTransaction(0, 1), 11);
        gate.rolledBack(QUEUE, 11);

        assertThat(check(1, 1)).isEqualTo(ADMIT);
    }

    @Test
    void aTransactionOfTheSecondProtocolBeginsAtSequenceZeroIfItsProducerIsUnknown() {
        int flags = SequenceGate.ADDS_ITSELF;
        assertThat(Verdicts.of(gate, QUEUE, inTransaction(4, 3), Batches.AT, LENGTH, flags))
                .isEqualTo(BatchRefusal.OUT_OF_ORDER);
        assertThat(Verdicts.of(gate, QUEUE, inTransaction(4, 0), Batches.AT, LENGTH, flags))
                .isEqualTo(ADMIT);
        assertThat(Verdicts.of(gate, QUEUE, batch(PRODUCER, 4, 3, 1), Batches.AT, LENGTH, flags))
                .isEqualTo(ADMIT);
        assertThat(check(inTransaction(4, 3))).as("the first protocol").isEqualTo(ADMIT);

        append(inTransaction(4, 0), 10);
        assertThat(Verdicts.of(gate, QUEUE, inTransaction(4, 1), Batches.AT, LENGTH, flags))
                .isEqualTo(ADMIT);
    }

    @Test
    void aMarkerWithAHigherEpochBeginsThatEpoch() throws IOException {
        store(inTransaction(3, 0), 10);
        store(inTransaction(3, 1), 11);
        apply(marker(PRODUCER, 4, 0), 12);
        apply(marker(PRODUCER, 4, 0), 12);
        SequenceGate loaded = gate();
        load(loaded, written());

        for (SequenceGate one : List.of(gate, loaded)) {
            assertThat(check(one, batch(PRODUCER, 3, 2, 1))).isEqualTo(BatchRefusal.FENCED);
            assertThat(check(one, batch(PRODUCER, 4, 1, 1))).isEqualTo(BatchRefusal.OUT_OF_ORDER);
            assertThat(check(one, batch(PRODUCER, 4, 0, 1))).isEqualTo(ADMIT);
            assertThat(writers(one))
                    .containsExactly(new SequenceGate.Writer(QUEUE, PRODUCER, (short) 4, -1, nowMillis, 0));
        }
        store(batch(PRODUCER, 4, 0, 2), 13);
        assertThat(check(batch(PRODUCER, 4, 0, 2))).isEqualTo(13L);
        assertThat(writers(gate)).containsExactly(new SequenceGate.Writer(QUEUE, PRODUCER, (short) 4, 1, nowMillis, 0));
    }

    @Test
    void aProducerHasNoCoordinatorBeforeItsFirstMarker() throws IOException {
        store(0, 1, 10);
        store(inTransaction(0, 1), 11);
        assertThat(writers(gate)).extracting(Writer::coordinatorEpoch).containsExactly(-1);

        apply(marker(PRODUCER), 12);
        store(2, 5, 13);
        SequenceGate loaded = gate();
        load(loaded, written());
        for (SequenceGate one : List.of(gate, loaded)) {
            assertThat(writers(one)).extracting(Writer::coordinatorEpoch).containsExactly(0);
            assertThat(check(one, batch(PRODUCER, 0, 0, 1))).isEqualTo(10L);
            assertThat(check(one, batch(PRODUCER, 0, 2, 5))).isEqualTo(13L);
        }
    }

    @Test
    void anAdministratorsMarkerMustNotBeOlderThanTheProducersLastBatchOrMarker() {
        assertThat(checkMarker(marker(PRODUCER, 0, -1), 0)).as("unknown").isEqualTo(ADMIT);
        store(inTransaction(3, 0), 10);
        assertThat(checkMarker(marker(PRODUCER, 2, 0), 0)).isEqualTo(BatchRefusal.FENCED);
        assertThat(checkMarker(marker(PRODUCER, 3, -1), 0)).isEqualTo(ADMIT);
        assertThat(checkMarker(marker(PRODUCER, 3, 0), SequenceGate.RAISES_EPOCH))
                .isEqualTo(BatchRefusal.FENCED);
        assertThat(checkMarker(marker(PRODUCER, 4, 0), SequenceGate.RAISES_EPOCH))
                .isEqualTo(ADMIT);

        apply(marker(PRODUCER, 4, 0), 11);
        assertThat(checkMarker(marker(PRODUCER, 4, 0), SequenceGate.RAISES_EPOCH))
                .as("repeated")
                .isEqualTo(ADMIT);
        assertThat(checkMarker(marker(PRODUCER, 4, -1), 0)).isEqualTo(BatchRefusal.COORDINATOR_FENCED);
        append(inTransaction(5, 0), 12);
        assertThat(checkMarker(marker(PRODUCER, 4, 0), 0)).isEqualTo(BatchRefusal.FENCED);
        assertThat(check(marker(PRODUCER, 0, -1))).as("the coordinator's own").isEqualTo(ADMIT);
    }
}
