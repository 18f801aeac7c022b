package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class SequenceGateTest {
    private static final int QUEUE = 1;

    private final SequenceGate gate = new SequenceGate(1000);

    private long admit(int baseSequence) {
        return gate.admit(QUEUE, batch(9, 0, baseSequence, 1));
    }

    private void settle(int baseSequence, boolean stored, long offset) {
        gate.settled(QUEUE, batch(9, 0, baseSequence, 1), stored, offset, 0);
    }

    @Test
    void severalMayBeUnderWayInOrder() {
        assertThat(admit(0)).isEqualTo(SequenceGate.ADMITTED);
        assertThat(admit(1)).isEqualTo(SequenceGate.ADMITTED);
        assertRefused(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, () -> admit(3));
    }

    @Test
    void aCopyOfOneThatIsUnderWayHasToComeAgain() {
        admit(0);

        assertRefused(ErrorCode.REQUEST_TIMED_OUT, () -> admit(0));
    }

    @Test
    void aCopyOfOneThatIsStoredIsToldItsOffset() {
        admit(0);
        settle(0, true, 42);
        admit(1);

        assertThat(admit(0)).isEqualTo(42);
    }

    @Test
    void whatWasNotStoredMayComeAgain() {
        admit(0);
        settle(0, false, -1);

        assertThat(admit(0)).isEqualTo(SequenceGate.ADMITTED);
    }

    @Test
    void aSilentProducerIsForgotten() {
        admit(0);
        settle(0, true, 42);
        for (int i = 0; i < 10; i++) {
            gate.admit(QUEUE, batch(10, 0, i, 1));
            gate.settled(QUEUE, batch(10, 0, i, 1), true, 50 + i, 5000);
        }

        assertThat(admit(7)).isEqualTo(SequenceGate.ADMITTED);
    }

    private static void assertRefused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
