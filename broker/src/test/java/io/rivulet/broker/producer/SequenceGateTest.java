package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static io.rivulet.broker.producer.Verdicts.ADMIT;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The sequence of a producer: what comes next, what is a duplicate, and what is refused. */
final class SequenceGateTest extends SequenceGateFixture {
    @Test
    void theNextSequenceIsAdmitted() {
        store(0, 5, 100);

        assertThat(check(5, 1)).isEqualTo(ADMIT);
        assertThat(check(6, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
        assertThat(check(4, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
    }

    @Test
    void aStoredBatchIsADuplicateWithItsOffset() {
        store(0, 5, 100);
        store(5, 2, 200);

        assertThat(check(0, 5)).isEqualTo(100L);
        assertThat(check(5, 2)).isEqualTo(200L);
        assertThat(check(0, 4)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
    }

    @Test
    void aSlimBatchKeepsTheFieldsOfItsProducer() {
        SequenceHeader slim = new SequenceHeader();
        SequenceHeader asSent = new SequenceHeader();
        for (long producer : new long[] {-1, 0, 127, 128, Long.MAX_VALUE}) {
            for (int epoch : new int[] {0, 200, Short.MAX_VALUE}) {
                for (int sequence : new int[] {0, 128, Integer.MAX_VALUE}) {
                    assertThat(slim.read(Batches.slim(producer, epoch, sequence), Batches.AT))
                            .isEqualTo(asSent.read(batch(producer, epoch, sequence, 1), Batches.AT))
                            .isEqualTo(producer >= 0);
                    if (producer >= 0) {
                        assertThat(slim)
                                .usingRecursiveComparison()
                                .ignoringFields("slim")
                                .isEqualTo(asSent);
                    }
                }
            }
        }
    }

    @Test
    void slimAndOtherBatchesHaveOneSequence() {
        store(Batches.slim(PRODUCER, 0, 0), 100);
        store(1, 2, 101);
        store(Batches.slim(PRODUCER, 0, 3), 103);

        assertThat(check(Batches.slim(PRODUCER, 0, 0))).isEqualTo(100L);
        assertThat(check(0, 1)).isEqualTo(100L);
        assertThat(check(Batches.slim(PRODUCER, 0, 3))).isEqualTo(103L);
        assertThat(check(Batches.slim(PRODUCER, 0, 5))).isEqualTo(BatchRefusal.OUT_OF_ORDER);
        assertThat(check(Batches.slim(PRODUCER, 0, 4))).isEqualTo(ADMIT);
    }

    @Test
    void anAppendedBatchCountsBeforeItIsDurable() {
        store(0, 1, 10);
        append(batch(PRODUCER, 0, 1, 1), 11);
        append(batch(PRODUCER, 0, 2, 1), 12);

        assertThat(check(0, 1)).isEqualTo(10L);
        assertThat(check(1, 1)).isEqualTo(11L);
        assertThat(check(2, 1)).isEqualTo(12L);
        assertThat(check(3, 1)).isEqualTo(ADMIT);
        assertThat(check(4, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
    }

    @Test
    void aRolledBackBatchMayBeSentAgainAndEarlierOnesStayKnown() {
        store(0, 1, 10);
        append(batch(PRODUCER, 0, 1, 1), 11);
        append(batch(PRODUCER, 1, 0, 1), 12);
        assertThat(check(2, 1)).isEqualTo(BatchRefusal.FENCED);

        gate.rolledBack(QUEUE, 12);
        assertThat(check(2, 1)).isEqualTo(ADMIT);
        gate.rolledBack(QUEUE, 11);
        assertThat(check(1, 1)).isEqualTo(ADMIT);
        assertThat(check(0, 1)).isEqualTo(10L);
        assertThat(check(2, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
    }

    @Test
    void aRolledBackBatchOfAnUnknownProducerLeavesNoRow() {
        append(batch(PRODUCER, 0, 4, 1), 10);
        gate.rolledBack(QUEUE, 10);

        assertThat(check(17, 1)).isEqualTo(ADMIT);
    }

    @Test
    void batchesWithoutASequenceAreAdmittedAndChangeNothing() {
        append(batch(PRODUCER, 0, 0, 1), 10);
        append(batch(-1, -1, -1, 1), 11);
        append(batch(PRODUCER, 0, -1, 1), 12);
        gate.rolledBack(QUEUE, 12);
        gate.rolledBack(QUEUE, 11);
        apply(batch(PRODUCER, 0, 0, 1), 10);
        apply(batch(-1, -1, -1, 1), 11);

        assertThat(check(0, 1)).isEqualTo(10L);
        assertThat(check(1, 1)).isEqualTo(ADMIT);
    }

    @Test
    void onlyTheLastFiveDurableBatchesAreKnown() {
        for (int i = 0; i < 6; i++) {
            store(i, 1, i);
        }

        assertThat(check(0, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
        assertThat(check(1, 1)).isEqualTo(1L);
        assertThat(check(6, 1)).isEqualTo(ADMIT);
    }

    @Test
    void zeroFollowsTheLargestSequence() {
        store(Integer.MAX_VALUE - 1, 2, 0);

        assertThat(check(0, 1)).isEqualTo(ADMIT);
    }

    @Test
    void aNewEpochBeginsAtZeroAndFencesTheOldOne() {
        store(0, 5, 100);

        assertThat(check(batch(PRODUCER, 1, 5, 1))).isEqualTo(BatchRefusal.OUT_OF_ORDER);
        store(batch(PRODUCER, 1, 0, 1), 105);
        assertThat(check(5, 1)).isEqualTo(BatchRefusal.FENCED);
        assertThat(check(batch(PRODUCER, 1, 0, 1))).isEqualTo(105L);
        assertThat(check(batch(PRODUCER, 1, 1, 1))).isEqualTo(ADMIT);
    }

    @Test
    void aBatchOfAnUnknownProducerIsAdmitted() {
        assertThat(check(batch(PRODUCER, 4, 1234, 1))).isEqualTo(ADMIT);
    }
}
