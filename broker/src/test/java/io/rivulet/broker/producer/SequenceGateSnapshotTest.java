package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static io.rivulet.broker.producer.Verdicts.ADMIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Snapshots of the gate. */
final class SequenceGateSnapshotTest extends SequenceGateFixture {
    @Test
    void aSnapshotOfTheFirstVersionIsRead() throws IOException {
        ByteBuffer first = ByteBuffer.allocate(100)
                .put((byte) 1)
                .putLong(nowMillis)
                .put((byte) 2)
                .putLong(PRODUCER)
                .putInt(QUEUE)
                .putShort((short) 0)
                .putLong(nowMillis - EXPIRATION_MILLIS)
                .putLong(10)
                .putInt(0)
                .putInt(5)
                .putLong(20)
                .putInt(5)
                .putInt(2)
                .put((byte) 0);
        load(gate, first.array());

        assertThat(check(0, 5)).isEqualTo(10L);
        assertThat(check(5, 2)).isEqualTo(20L);
        assertThat(check(7, 1)).isEqualTo(ADMIT);
        pass(1);
        apply(batch(PRODUCER + 1, 0, 0, 1), 30);
        assertThat(check(99, 1)).isEqualTo(ADMIT);
    }

    @Test
    void aSnapshotIsComplete() throws IOException {
        for (int queue = 0; queue < 5000; queue++) {
            gate.applied(nowMillis, queue, queue, batch(queue * 31L, 2, 7, 3), Batches.AT, LENGTH);
        }
        SequenceGate loaded = gate();
        load(loaded, written());

        for (int queue = 0; queue < 5000; queue++) {
            assertThat(Verdicts.of(loaded, queue, batch(queue * 31L, 2, 7, 3), Batches.AT, LENGTH, 0))
                    .isEqualTo((long) queue);
        }
    }

    @Test
    void aSnapshotHasOnlyDurableBatches() throws IOException {
        store(0, 1, 10);
        append(batch(PRODUCER, 0, 1, 1), 11);
        append(batch(PRODUCER + 1, 0, 8, 1), 12);
        SequenceGate loaded = gate();
        load(loaded, written());

        assertThat(Verdicts.of(loaded, QUEUE, batch(PRODUCER, 0, 0, 1), Batches.AT, LENGTH, 0))
                .isEqualTo(10L);
        assertThat(Verdicts.of(loaded, QUEUE, batch(PRODUCER, 0, 1, 1), Batches.AT, LENGTH, 0))
                .isEqualTo(ADMIT);
        assertThat(Verdicts.of(loaded, QUEUE, batch(PRODUCER + 1, 0, 5, 1), Batches.AT, LENGTH, 0))
                .isEqualTo(ADMIT);
    }

    /** As when a broker by itself becomes one of several, or one of them one by itself. */
    @Test
    void aSnapshotIsReadByAGateThatKnowsMoreOrFewerBatches() throws IOException {
        int most = SequenceGate.IN_FLIGHT_TO_OWNERS;
        SequenceGate wide = gateWith(most);
        for (int sequence = 0; sequence < most; sequence++) {
            apply(wide, batch(PRODUCER, 0, sequence, 1), 10 + sequence);
        }
        byte[] written = written(wide);
        SequenceGate same = gateWith(most);
        load(same, written);
        SequenceGate narrow = gate();
        load(narrow, written);
        SequenceGate wideAgain = gateWith(most);
        load(wideAgain, written(narrow));

        int firstOfNarrow = most - SequenceGate.IN_FLIGHT;
        for (int sequence = 0; sequence < most; sequence++) {
            ByteBuffer copy = batch(PRODUCER, 0, sequence, 1);
            Object known = 10L + sequence;
            Object knownByNarrow = sequence < firstOfNarrow ? BatchRefusal.OUT_OF_ORDER : known;
            assertThat(check(same, copy)).isEqualTo(known);
            assertThat(check(narrow, copy)).isEqualTo(knownByNarrow);
            assertThat(check(wideAgain, copy)).isEqualTo(knownByNarrow);
        }
        assertThat(check(narrow, batch(PRODUCER, 0, most, 1))).isEqualTo(ADMIT);
    }
}
