package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ProducerStatesTest {
    private static final int QUEUE = 3;
    private static final long PRODUCER = 77;

    private final ProducerStates states = new ProducerStates();

    private void store(int baseSequence, int recordCount, long baseOffset) {
        states.stored(QUEUE, batch(PRODUCER, 0, baseSequence, recordCount), baseOffset, 1000);
    }

    private Verdict check(int epoch, int baseSequence, int recordCount) {
        return states.check(QUEUE, batch(PRODUCER, epoch, baseSequence, recordCount));
    }

    @Test
    void whatFollowsTheLastSequenceIsNext() {
        store(0, 5, 100);

        assertThat(check(0, 5, 1)).isEqualTo(Verdict.NEXT);
        assertThat(check(0, 6, 1)).isEqualTo(Verdict.OUT_OF_ORDER);
        assertThat(check(0, 4, 1)).isEqualTo(Verdict.OUT_OF_ORDER);
    }

    @Test
    void aBatchThatIsThereIsADuplicateWithItsOffset() {
        store(0, 5, 100);
        store(5, 2, 200);

        assertThat(check(0, 0, 5)).isEqualTo(Verdict.DUPLICATE);
        assertThat(states.duplicateOffset()).isEqualTo(100);
        assertThat(check(0, 5, 2)).isEqualTo(Verdict.DUPLICATE);
        assertThat(states.duplicateOffset()).isEqualTo(200);
    }

    @Test
    void onlyTheLastFiveBatchesAreKnown() {
        for (int i = 0; i < 6; i++) {
            store(i, 1, i);
        }

        assertThat(check(0, 0, 1)).isEqualTo(Verdict.OUT_OF_ORDER);
        assertThat(check(0, 1, 1)).isEqualTo(Verdict.DUPLICATE);
        assertThat(check(0, 6, 1)).isEqualTo(Verdict.NEXT);
    }

    @Test
    void sequencesGoFromTheLargestBackToZero() {
        store(Integer.MAX_VALUE - 1, 2, 0);

        assertThat(check(0, 0, 1)).isEqualTo(Verdict.NEXT);
    }

    @Test
    void aNewEpochBeginsAtZeroAndFencesTheOld() {
        store(0, 5, 100);

        assertThat(check(1, 5, 1)).isEqualTo(Verdict.OUT_OF_ORDER);
        assertThat(check(1, 0, 1)).isEqualTo(Verdict.NEXT);
        states.stored(QUEUE, batch(PRODUCER, 1, 0, 1), 105, 1000);
        assertThat(check(0, 5, 1)).isEqualTo(Verdict.FENCED);
    }

    @Test
    void anUnknownProducerIsTakenAtItsWord() {
        assertThat(check(4, 1234, 1)).isEqualTo(Verdict.NEXT);
    }

    @Test
    void whatWasTakenBackMayComeAgain() {
        store(0, 1, 10);
        store(1, 1, 11);

        states.takenBack(QUEUE, batch(PRODUCER, 0, 1, 1), 11);

        assertThat(check(0, 1, 1)).isEqualTo(Verdict.NEXT);
        assertThat(check(0, 0, 1)).isEqualTo(Verdict.DUPLICATE);
    }

    @Test
    void whatASnapshotKnowsBeyondTheLogIsForgotten() {
        store(0, 1, 10);
        store(1, 1, 11);

        states.forgetFrom(queueId -> 11);

        assertThat(check(0, 1, 1)).isEqualTo(Verdict.NEXT);
    }

    @Test
    void silentProducersExpireAndOthersStay() {
        store(0, 1, 10);
        states.stored(QUEUE, batch(PRODUCER + 1, 0, 0, 1), 11, 5000);

        states.expireSome(2000, 10);

        assertThat(states.size()).isEqualTo(1);
        assertThat(states.check(QUEUE, batch(PRODUCER + 1, 0, 0, 1))).isEqualTo(Verdict.DUPLICATE);
    }

    @Test
    void aSnapshotHoldsEverything() throws IOException {
        for (int queue = 0; queue < 5000; queue++) {
            states.stored(queue, batch(queue * 31L, 2, 7, 3), queue, 1000 + queue);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        states.writeTo(Channels.newChannel(out));

        ProducerStates loaded = new ProducerStates();
        loaded.readFrom(Channels.newChannel(new ByteArrayInputStream(out.toByteArray())));

        assertThat(loaded.size()).isEqualTo(5000);
        for (int queue = 0; queue < 5000; queue++) {
            assertThat(loaded.check(queue, batch(queue * 31L, 2, 7, 3))).isEqualTo(Verdict.DUPLICATE);
            assertThat(loaded.duplicateOffset()).isEqualTo(queue);
        }
    }

    @Test
    void agreesWithAPlainModel() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<Long, Integer> nextSequences = new HashMap<>();
        for (int step = 0; step < 50_000; step++) {
            long producerId = random.nextInt(300);
            int queueId = random.nextInt(20);
            Long key = producerId * 1000 + queueId;
            int count = 1 + random.nextInt(3);
            int next = nextSequences.getOrDefault(key, 0);
            assertThat(states.check(queueId, batch(producerId, 0, next, count)))
                    .as("seed %d, step %d", seed, step)
                    .isEqualTo(Verdict.NEXT);
            states.stored(queueId, batch(producerId, 0, next, count), step, step);
            nextSequences.put(key, next + count);
            if (random.nextInt(10) == 0) {
                states.takenBack(queueId, batch(producerId, 0, next, count), 0);
                nextSequences.remove(key);
            }
        }
        assertThat(states.size()).isEqualTo(nextSequences.size());
    }
}
