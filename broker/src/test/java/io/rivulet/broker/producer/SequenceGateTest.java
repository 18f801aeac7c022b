package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static io.rivulet.broker.producer.Verdicts.ADMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.producer.SequenceGate.Writer;
import io.rivulet.protocol.record.ControlMarker;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SequenceGateTest {
    private static final int QUEUE = 3;
    private static final long PRODUCER = 77;
    private static final int LENGTH = RecordBatchLayout.HEADER_BYTES;
    private static final long EXPIRATION_MILLIS = 1000;

    private final BitSet deleted = new BitSet();
    private final SequenceGate gate = gate();
    private long nowMillis = 5000;
    private long expiryMillis = nowMillis;

    private SequenceGate gate() {
        SequenceGate opened =
                new SequenceGate(EXPIRATION_MILLIS, Long.MAX_VALUE, TestGates.NO_TRANSACTIONS, () -> expiryMillis);
        opened.opened(queueId -> !deleted.get(queueId));
        return opened;
    }

    private void pass(long millis) {
        nowMillis += millis;
        expiryMillis += millis;
    }

    private Object check(ByteBuffer batch) {
        return Verdicts.of(gate, QUEUE, batch, Batches.AT, LENGTH, 0);
    }

    private Object check(int baseSequence, int recordCount) {
        return check(batch(PRODUCER, 0, baseSequence, recordCount));
    }

    private void lay(ByteBuffer batch, long baseOffset) {
        assertThat(check(batch)).isEqualTo(ADMIT);
        gate.appended(QUEUE, baseOffset, batch, Batches.AT, LENGTH);
    }

    private void apply(ByteBuffer batch, long baseOffset) {
        gate.applied(nowMillis, QUEUE, baseOffset, batch, Batches.AT, LENGTH);
    }

    private void store(ByteBuffer batch, long baseOffset) {
        lay(batch, baseOffset);
        apply(batch, baseOffset);
    }

    private void store(int baseSequence, int recordCount, long baseOffset) {
        store(batch(PRODUCER, 0, baseSequence, recordCount), baseOffset);
    }

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
        lay(batch(PRODUCER, 0, 1, 1), 11);
        lay(batch(PRODUCER, 0, 2, 1), 12);

        assertThat(check(0, 1)).isEqualTo(10L);
        assertThat(check(1, 1)).isEqualTo(11L);
        assertThat(check(2, 1)).isEqualTo(12L);
        assertThat(check(3, 1)).isEqualTo(ADMIT);
        assertThat(check(4, 1)).isEqualTo(BatchRefusal.OUT_OF_ORDER);
    }

    @Test
    void aRolledBackBatchMayBeSentAgainAndEarlierOnesStayKnown() {
        store(0, 1, 10);
        lay(batch(PRODUCER, 0, 1, 1), 11);
        lay(batch(PRODUCER, 1, 0, 1), 12);
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
        lay(batch(PRODUCER, 0, 4, 1), 10);
        gate.rolledBack(QUEUE, 10);

        assertThat(check(17, 1)).isEqualTo(ADMIT);
    }

    @Test
    void batchesWithoutASequenceAreAdmittedAndChangeNothing() {
        lay(batch(PRODUCER, 0, 0, 1), 10);
        lay(batch(-1, -1, -1, 1), 11);
        lay(batch(PRODUCER, 0, -1, 1), 12);
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
        SequenceRows rows = new SequenceRows();
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

    private SequenceGate gateOf(int rowCount) {
        SequenceGate small = new SequenceGate(
                EXPIRATION_MILLIS,
                (long) rowCount * SequenceRows.BYTES_PER_ROW,
                TestGates.NO_TRANSACTIONS,
                () -> expiryMillis);
        small.opened(queueId -> true);
        return small;
    }

    private void apply(SequenceGate to, ByteBuffer batch, long baseOffset) {
        to.applied(nowMillis, QUEUE, baseOffset, batch, Batches.AT, LENGTH);
    }

    private static Object check(SequenceGate of, ByteBuffer batch) {
        return Verdicts.of(of, QUEUE, batch, Batches.AT, LENGTH, 0);
    }

    private static ByteBuffer transactional(ByteBuffer batch) {
        return batch.putShort(Batches.AT + RecordBatchLayout.ATTRIBUTES, (short) RecordBatchLayout.TRANSACTIONAL_BIT);
    }

    private static ByteBuffer marker(long producerId) {
        return marker(producerId, 0, 0);
    }

    private static ByteBuffer marker(long producerId, int epoch, int coordinatorEpoch) {
        ByteBuf marker = RecordBatchBuilder.marker(
                UnpooledByteBufAllocator.DEFAULT,
                ControlMarker.ABORT,
                0,
                0,
                producerId,
                (short) epoch,
                coordinatorEpoch);
        ByteBuffer batch = ByteBuffer.allocate(Batches.AT + marker.readableBytes())
                .position(Batches.AT)
                .put(marker.nioBuffer())
                .rewind();
        marker.release();
        return batch;
    }

    private static ByteBuffer inTransaction(int epoch, int baseSequence) {
        return transactional(batch(PRODUCER, epoch, baseSequence, 1));
    }

    @Test
    void aBatchWithoutATransactionIsRefusedWhileItsProducerHasOneInTheQueue() {
        store(0, 1, 10);
        lay(inTransaction(0, 1), 11);
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
        lay(inTransaction(0, 1), 11);
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

        lay(inTransaction(4, 0), 10);
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
    void expiredProducersAreNotDescribedEvenIfNothingIsWritten() {
        store(0, 1, 10);
        store(transactional(batch(PRODUCER + 1, 0, 0, 1)), 11);
        pass(EXPIRATION_MILLIS);
        assertThat(writers(gate)).hasSize(2);

        pass(1);
        assertThat(writers(gate)).extracting(Writer::producerId).containsExactly(PRODUCER + 1);
    }

    private static List<Writer> writers(SequenceGate of) {
        List<Writer> writers = new ArrayList<>();
        of.forEach(writers::add);
        return writers;
    }

    private Object checkMarker(ByteBuffer marker, int flags) {
        return Verdicts.of(gate, QUEUE, marker, Batches.AT, LENGTH, SequenceGate.FOREIGN_MARKER | flags);
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
        lay(inTransaction(5, 0), 12);
        assertThat(checkMarker(marker(PRODUCER, 4, 0), 0)).isEqualTo(BatchRefusal.FENCED);
        assertThat(check(marker(PRODUCER, 0, -1))).as("the coordinator's own").isEqualTo(ADMIT);
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
        lay(batch(PRODUCER, 0, 1, 1), 11);
        lay(batch(PRODUCER + 1, 0, 8, 1), 12);
        SequenceGate loaded = gate();
        load(loaded, written());

        assertThat(Verdicts.of(loaded, QUEUE, batch(PRODUCER, 0, 0, 1), Batches.AT, LENGTH, 0))
                .isEqualTo(10L);
        assertThat(Verdicts.of(loaded, QUEUE, batch(PRODUCER, 0, 1, 1), Batches.AT, LENGTH, 0))
                .isEqualTo(ADMIT);
        assertThat(Verdicts.of(loaded, QUEUE, batch(PRODUCER + 1, 0, 5, 1), Batches.AT, LENGTH, 0))
                .isEqualTo(ADMIT);
    }

    private byte[] written() throws IOException {
        return written(gate);
    }

    private static byte[] written(SequenceGate of) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        of.snapshot().writeTo(Channels.newChannel(out));
        return out.toByteArray();
    }

    static void load(SequenceGate gate, byte[] snapshot) throws IOException {
        gate.load(Channels.newChannel(new ByteArrayInputStream(snapshot)));
    }
}
