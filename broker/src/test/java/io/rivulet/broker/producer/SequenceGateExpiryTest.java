package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static io.rivulet.broker.producer.Verdicts.ADMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.producer.SequenceGate.Writer;
import org.junit.jupiter.api.Test;

/** Producers that are forgotten after a time, and what the clock may do meanwhile. */
final class SequenceGateExpiryTest extends SequenceGateFixture {
    @Test
    void aProducerThatWasIdleForTooLongIsUnknown() {
        store(0, 1, 10);
        pass(EXPIRATION_MILLIS);
        store(batch(PRODUCER + 1, 0, 0, 1), 11);
        assertThat(check(7, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);

        pass(1);
        store(batch(PRODUCER + 1, 0, 1, 1), 12);
        assertThat(check(7, 1)).isEqualTo(ADMIT);
        assertThat(check(batch(PRODUCER + 1, 0, 0, 1))).isEqualTo(11L);
    }

    @Test
    void aProducerThatReturnsStartsAgain() {
        store(batch(PRODUCER, 3, 0, 1), 10);
        pass(EXPIRATION_MILLIS + 1);
        apply(batch(PRODUCER + 1, 0, 0, 1), 11);
        store(batch(PRODUCER, 2, 40, 1), 12);

        assertThat(check(batch(PRODUCER, 2, 40, 1))).isEqualTo(12L);
        assertThat(check(batch(PRODUCER, 2, 41, 1))).isEqualTo(ADMIT);
        assertThat(check(batch(PRODUCER, 3, 0, 1))).isEqualTo(ADMIT);
    }

    @Test
    void producersOfDeletedQueuesAreForgottenWhileOthersContinue() {
        SequenceRows rows = new SequenceRows(SequenceGate.IN_FLIGHT);
        ProducerStates states = new ProducerStates(rows, EXPIRATION_MILLIS, 1000, () -> 0);
        states.opened(queueId -> !deleted.get(queueId));
        SequenceHeader header = new SequenceHeader();
        for (int queue = 0; queue < 100; queue++) {
            assertThat(header.read(batch(PRODUCER, 0, 0, 1), Batches.AT)).isTrue();
            states.applied(queue, 0, header);
        }
        deleted.set(10, 100);
        for (int offset = 1; offset <= 100; offset++) {
            assertThat(header.read(batch(PRODUCER, 0, offset, 1), Batches.AT)).isTrue();
            states.applied(0, offset, header);
        }

        assertThat(rows.size()).isEqualTo(10);
    }

    @Test
    void expiredProducersAreNotDescribedEvenIfNothingIsWritten() {
        store(0, 1, 10);
        store(transactional(batch(PRODUCER + 1, 0, 0, 1)), 11);
        pass(EXPIRATION_MILLIS);
        assertThat(writers(gate)).hasSize(2);

        pass(1);
        assertThat(writers(gate)).extracting(Writer::producerId).containsExactly(PRODUCER + 1);
    }

    @Test
    void anUntrustedTimestampExpiresNoProducer() {
        store(0, 1, 10);
        nowMillis += EXPIRATION_MILLIS + 1;
        store(batch(PRODUCER + 1, 0, 0, 1), 11);

        assertThat(check(7, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
        assertThat(check(1, 1)).isEqualTo(ADMIT);
    }

    @Test
    void aShortJumpOfTheClockExpiresNoEarlierProducer() {
        store(0, 1, 10);
        nowMillis += 8 * EXPIRATION_MILLIS;
        store(batch(PRODUCER + 1, 0, 0, 1), 11);
        nowMillis -= 8 * EXPIRATION_MILLIS;
        store(batch(PRODUCER + 1, 0, 1, 1), 12);

        assertThat(check(7, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
        assertThat(check(1, 1)).isEqualTo(ADMIT);
    }

    @Test
    void aProducerFromBeforeABackwardStepExpiresLikeOthers() {
        nowMillis += 1_000_000_000;
        store(0, 1, 10);
        nowMillis -= 1_000_000_000;
        store(batch(PRODUCER + 1, 0, 0, 1), 11);
        assertThat(check(7, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);

        pass(EXPIRATION_MILLIS + 1);
        store(batch(PRODUCER + 2, 0, 0, 1), 12);

        assertThat(check(7, 1)).isEqualTo(ADMIT);
        gate.forEach(writer -> assertThat(writer.lastMillis()).isLessThanOrEqualTo(nowMillis));
    }

    @Test
    void aSecondJumpThatIsTakenBackExpiresNoProducer() {
        jumpAndBack(0);
        store(0, 1, 10);
        jumpAndBack(2);

        assertThat(check(7, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
        assertThat(check(1, 1)).isEqualTo(ADMIT);
    }

    @Test
    void aProducerOfAJumpIsKnownAfterASecondOneAndExpiresLikeOthers() {
        nowMillis += 1_000_000_000;
        store(0, 1, 10);
        nowMillis -= 1_000_000_000;
        jumpAndBack(0);
        assertThat(check(7, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);

        pass(EXPIRATION_MILLIS + 1);
        store(batch(PRODUCER + 2, 0, 0, 1), 13);
        assertThat(check(7, 1)).isEqualTo(ADMIT);
    }

    @Test
    void manySmallStepsBackAreOneLargeOne() {
        store(0, 1, 10);
        for (int step = 0; step < 100; step++) {
            nowMillis += EXPIRATION_MILLIS;
            store(batch(PRODUCER + 1, 0, 2 * step, 1), 11 + 2 * step);
            nowMillis -= EXPIRATION_MILLIS;
            store(batch(PRODUCER + 1, 0, 2 * step + 1, 1), 12 + 2 * step);
        }
        assertThat(check(7, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);

        pass(EXPIRATION_MILLIS + ProducerStates.MOST_AHEAD_MILLIS + 1);
        assertThat(writers(gate)).isEmpty();
    }

    private void jumpAndBack(int baseSequence) {
        nowMillis += 1_000_000_000;
        store(batch(PRODUCER + 1, 0, baseSequence, 1), 11 + baseSequence);
        nowMillis -= 1_000_000_000;
        store(batch(PRODUCER + 1, 0, baseSequence + 1, 1), 12 + baseSequence);
    }
}
