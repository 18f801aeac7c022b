package io.rivulet.broker.txn;

import static io.rivulet.broker.producer.Verdicts.ADMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.producer.BatchRefusal;
import io.rivulet.protocol.message.EndTxnResponse;
import io.rivulet.protocol.message.InitProducerIdRequest;
import io.rivulet.protocol.message.InitProducerIdResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TxnCoordinatorTest {
    private static final int FIRST_PROTOCOL = 4;
    private static final int SECOND_PROTOCOL = 5;

    private final InMemoryLog log = new InMemoryLog();
    private final InitProducerIdResponse producer = log.init("t");
    private final long id = producer.producerId();

    private static void assertError(EndTxnResponse[] answer, ErrorCode expected) {
        assertThat(answer[0]).isNotNull();
        assertThat(ErrorCode.forCode(answer[0].errorCode())).isEqualTo(expected);
    }

    private void write(int queueId, int epoch, int sequence) {
        assertThat(log.produce(queueId, id, (short) epoch, sequence, true)).isEqualTo(ADMIT);
        log.allDurable();
    }

    private @Nullable ErrorCode add(int epoch, int... queueIds) {
        AtomicReference<@Nullable ErrorCode> answer = new AtomicReference<>();
        log.coordinator.add("t", id, (short) epoch, queueIds, (short) 3, answer::set);
        log.allDurable();
        return answer.get();
    }

    /** Each request adds half of the queues that there is room for. */
    @Test
    void additionsInFlightCountAgainstTheLimit() {
        int bytesPerQueue = OpenTransactions.BYTES_PER_QUEUE + QueueHistory.BYTES_AT_FIRST;
        int half = (int) (InMemoryLog.SETTINGS.maxHeapBytes() / bytesPerQueue / 2) - 1;
        List<ErrorCode> answers = new ArrayList<>();
        List<InitProducerIdResponse> others =
                IntStream.range(0, 4).mapToObj(i -> log.init("other" + i)).toList();
        for (int i = 0; i < 4; i++) {
            InitProducerIdResponse other = others.get(i);
            int[] queueIds = IntStream.range(i * half, (i + 1) * half).toArray();
            log.coordinator.add(
                    "other" + i, other.producerId(), other.producerEpoch(), queueIds, (short) 3, answers::add);
        }
        log.allDurable();

        assertThat(answers.stream().filter(answer -> answer == ErrorCode.NONE)).hasSize(2);
        assertThat(answers.stream().filter(answer -> answer == ErrorCode.POLICY_VIOLATION))
                .hasSize(2);
    }

    @Test
    void transactionalIdsCountAgainstTheLimitWithTheirNames() {
        String longest = "x".repeat(10_000);
        List<ErrorCode> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            log.coordinator.init(
                    new InitProducerIdRequest().transactionalId(longest + i).transactionTimeoutMs(1000),
                    (short) 4,
                    answer -> answers.add(ErrorCode.forCode(answer.errorCode())));
        }
        log.allDurable();

        assertThat(answers).hasSize(60).contains(ErrorCode.NONE, ErrorCode.POLICY_VIOLATION);
        assertThat(answers.stream().filter(answer -> answer == ErrorCode.NONE).count() * 20_000)
                .isLessThan(InMemoryLog.SETTINGS.maxHeapBytes() / 2);
    }

    @Test
    void aLateEndDoesNotEndTheNextTransaction() {
        write(0, 0, 0);
        EndTxnResponse[] committed = log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.allDurable();
        assertThat(committed[0].producerEpoch()).isEqualTo((short) 1);
        write(0, 1, 0);

        assertError(log.end("t", id, 0, false, SECOND_PROTOCOL), ErrorCode.PRODUCER_FENCED);
        assertError(log.end("t", id, 0, true, SECOND_PROTOCOL), ErrorCode.PRODUCER_FENCED);
        assertThat(log.open.histories().firstOpenOffset(0)).isEqualTo(2);
    }

    @Test
    void aRepeatedEndGetsTheSameResponse() {
        write(0, 0, 0);
        log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.allDurable();

        EndTxnResponse[] again = log.end("t", id, 0, true, SECOND_PROTOCOL);
        assertError(again, ErrorCode.NONE);
        assertThat(again[0].producerEpoch()).isEqualTo((short) 1);
        assertError(log.end("t", id, 0, false, SECOND_PROTOCOL), ErrorCode.INVALID_TXN_STATE);
        assertThat(log.end(0)).isEqualTo(2);
    }

    @Test
    void theSecondProtocolAbortsButDoesNotCommitAnEmptyTransaction() {
        assertError(log.end("t", id, 0, true, SECOND_PROTOCOL), ErrorCode.INVALID_TXN_STATE);
        EndTxnResponse[] aborted = log.end("t", id, 0, false, SECOND_PROTOCOL);
        log.allDurable();
        assertError(aborted, ErrorCode.NONE);
        assertThat(aborted[0].producerEpoch()).isEqualTo((short) 1);
    }

    @Test
    void aBatchInFlightGetsAMarker() {
        assertThat(log.produce(3, id, (short) 0, 0, true)).isEqualTo(ADMIT);
        EndTxnResponse[] answer = log.end("t", id, 0, true, SECOND_PROTOCOL);
        assertThat(log.produce(4, id, (short) 0, 0, true)).isEqualTo(BatchRefusal.ENDING);
        assertThat(answer[0]).isNull();
        log.allDurable();

        assertError(answer, ErrorCode.NONE);
        assertThat(log.open.histories().firstOpenOffset(3)).isEqualTo(Long.MAX_VALUE);
        assertThat(log.end(3)).isEqualTo(2);
        assertThat(log.produce(4, id, (short) 0, 0, true)).isEqualTo(BatchRefusal.FENCED);
    }

    @Test
    void aBatchOfTheOldEpochIsRefusedWhileTheIdIsTakenOver() {
        AtomicReference<@Nullable InitProducerIdResponse> taken = takeOver();
        assertThat(log.produce(3, id, (short) 0, 0, true)).isEqualTo(BatchRefusal.ENDING);
        assertThat(taken.get()).isNull();
        log.allDurable();

        assertThat(Objects.requireNonNull(taken.get()).producerEpoch()).isEqualTo((short) 1);
        assertThat(log.produce(3, id, (short) 0, 0, true)).isEqualTo(BatchRefusal.FENCED);
        write(3, 1, 0);
    }

    @Test
    void theOldEpochContinuesIfTheTakeOverCannotBeStored() {
        takeOver();
        log.allRefused();

        write(3, 0, 0);
    }

    private AtomicReference<@Nullable InitProducerIdResponse> takeOver() {
        AtomicReference<@Nullable InitProducerIdResponse> answer = new AtomicReference<>();
        log.coordinator.init(
                new InitProducerIdRequest().transactionalId("t").transactionTimeoutMs(1000), (short) 5, answer::set);
        return answer;
    }

    @Test
    void aBatchIsRefusedWhileItsTransactionalIdIsForgotten() {
        log.coordinator.expire(Objects.requireNonNull(log.table.find("t")), Long.MAX_VALUE);
        assertThat(log.produce(3, id, (short) 0, 0, true)).isEqualTo(BatchRefusal.ENDING);
        log.allRefused();
        write(3, 0, 0);
        log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.allDurable();

        log.coordinator.expire(Objects.requireNonNull(log.table.find("t")), Long.MAX_VALUE);
        log.allDurable();
        assertThat(log.table.find("t")).isNull();
        assertThat(log.produce(3, id, (short) 1, 0, true)).isEqualTo(BatchRefusal.UNKNOWN_PRODUCER);
    }

    @Test
    void aTransactionStaysOpenWhenItsEndCannotBeStored() {
        write(0, 0, 0);
        EndTxnResponse[] answer = log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.allRefused();

        assertError(answer, ErrorCode.COORDINATOR_NOT_AVAILABLE);
        assertThat(log.open.histories().firstOpenOffset(0)).isZero();
        write(0, 0, 1);
        EndTxnResponse[] again = log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.allDurable();
        assertError(again, ErrorCode.NONE);
    }

    @Test
    void theFirstProtocolRefusesBatchesInQueuesThatWereNotAdded() {
        assertThat(log.produce(0, id, (short) 0, 0, false)).isEqualTo(BatchRefusal.NOT_ADDED);
        assertThat(add(0, 0)).isEqualTo(ErrorCode.NONE);
        assertThat(log.produce(0, id, (short) 0, 0, false)).isEqualTo(ADMIT);
        log.allDurable();
        EndTxnResponse[] answer = log.end("t", id, 0, true, FIRST_PROTOCOL);
        log.allDurable();
        assertError(answer, ErrorCode.NONE);

        assertThat(log.produce(0, id, (short) 0, 1, false)).isEqualTo(BatchRefusal.NOT_ADDED);
        assertError(log.end("t", id, 0, true, FIRST_PROTOCOL), ErrorCode.NONE);
        assertError(log.end("t", id, 0, false, FIRST_PROTOCOL), ErrorCode.INVALID_TXN_STATE);
    }

    @Test
    void aBatchBehindTheMarkerOfAnAdministratorGetsAMarkerAtTheEnd() {
        write(0, 0, 0);
        log.abort(0, id, (short) 0);
        assertThat(log.produce(0, id, (short) 0, 1, true)).isEqualTo(ADMIT);
        log.oneDurable(); // the marker
        EndTxnResponse[] answer = log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.allDurable();

        assertError(answer, ErrorCode.NONE);
        assertThat(log.open.histories().firstOpenOffset(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theSameHoldsIfTheMarkerIsDurableAfterAnEndThatCanNotBeStored() {
        write(0, 0, 0);
        log.abort(0, id, (short) 0);
        assertThat(log.produce(0, id, (short) 0, 1, true)).isEqualTo(ADMIT);
        log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.oneDurable(); // the marker
        log.lastRefused();
        EndTxnResponse[] answer = log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.allDurable();

        assertError(answer, ErrorCode.NONE);
        assertThat(log.open.histories().firstOpenOffset(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theMarkerOfAnAdministratorLeavesTheQueueInItsTransactionAlsoAfterACrash() throws Exception {
        add(0, 0);
        assertThat(log.produce(0, id, (short) 0, 0, false)).isEqualTo(ADMIT);
        log.abort(0, id, (short) 0);
        log.allDurable();
        assertThat(log.open.describe(id).queues()).containsExactly(0);
        log.crash();

        assertThat(log.open.describe(id).queues()).containsExactly(0);
        assertThat(log.produce(0, id, (short) 0, 1, false)).isEqualTo(ADMIT);
    }

    @Test
    void aTimeoutAbortsTheTransactionAndFencesTheProducer() {
        write(0, 0, 0);
        log.time.pass(9_999);
        assertThat(log.isIdle()).isTrue();
        log.time.pass(1);
        log.allDurable();

        assertThat(log.open.histories().aborted(0, 0, 10, producerId -> true)).hasSize(1);
        assertError(log.end("t", id, 0, true, SECOND_PROTOCOL), ErrorCode.PRODUCER_FENCED);
        assertError(log.end("t", id, 0, false, SECOND_PROTOCOL), ErrorCode.PRODUCER_FENCED);
        assertThat(log.produce(0, id, (short) 0, 1, true)).isEqualTo(BatchRefusal.FENCED);
    }

    @Test
    void eachTransactionHasItsOwnTimeout() {
        write(0, 0, 0);
        log.time.pass(9_000);
        log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.allDurable();
        write(0, 1, 0);
        log.time.pass(9_000);

        assertThat(log.isIdle()).isTrue();
        log.time.pass(1_000);
        assertThat(log.isIdle()).isFalse();
    }

    @Test
    void initRaisesTheEpochAndMayBeRepeated() {
        InitProducerIdResponse next = log.init("t", id, (short) 0);
        assertThat(next.producerEpoch()).isEqualTo((short) 1);
        assertThat(log.init("t", id, (short) 0).producerEpoch()).isEqualTo((short) 1);
        assertThat(log.init("t").producerEpoch()).isEqualTo((short) 2);
        assertThat(log.init("t", id, (short) 0).errorCode()).isEqualTo(ErrorCode.PRODUCER_FENCED.code());
        assertThat(log.init("t", id + 50, (short) 2).errorCode()).isEqualTo(ErrorCode.PRODUCER_FENCED.code());
    }

    @Test
    void exhaustedEpochsLeadToANewProducerId() {
        for (int epoch = 0; epoch < TxnImage.LAST_EPOCH; epoch++) {
            log.end("t", id, epoch, false, SECOND_PROTOCOL);
            log.allDurable();
        }
        write(0, TxnImage.LAST_EPOCH, 0);
        EndTxnResponse[] answer = log.end("t", id, TxnImage.LAST_EPOCH, true, SECOND_PROTOCOL);
        log.allDurable();

        assertError(answer, ErrorCode.NONE);
        assertThat(answer[0].producerId()).isNotEqualTo(id);
        assertThat(answer[0].producerEpoch()).isZero();
        EndTxnResponse[] again = log.end("t", id, TxnImage.LAST_EPOCH, true, SECOND_PROTOCOL);
        assertError(again, ErrorCode.NONE);
        assertThat(again[0].producerId()).isEqualTo(answer[0].producerId());
        assertThat(log.produce(0, id, TxnImage.LAST_EPOCH, 1, true)).isEqualTo(BatchRefusal.FENCED);
        assertThat(log.produce(1, id, TxnImage.LAST_EPOCH, 0, true)).isEqualTo(BatchRefusal.UNKNOWN_PRODUCER);
        assertThat(log.produce(0, answer[0].producerId(), (short) 0, 0, true)).isEqualTo(ADMIT);
    }

    @Test
    void aLargeTransactionIsDecidedFirstAndFinishedAfterACrash() throws Exception {
        log.maxQueuesTogether = 2;
        write(0, 0, 0);
        write(1, 0, 0);
        write(2, 0, 0);
        EndTxnResponse[] answer = log.end("t", id, 0, true, SECOND_PROTOCOL);
        log.oneDurable(); // the decision
        assertThat(answer[0]).isNull();
        assertThat(log.open.histories().firstOpenOffset(1)).isZero();
        log.crash();
        assertThat(log.produce(0, id, (short) 0, 1, true)).isEqualTo(BatchRefusal.ENDING);
        log.allDurable();

        for (int queueId = 0; queueId < 3; queueId++) {
            assertThat(log.open.histories().firstOpenOffset(queueId)).isEqualTo(Long.MAX_VALUE);
            assertThat(log.open.histories().aborted(queueId, 0, 10, producerId -> true))
                    .isEmpty();
        }
        assertError(log.end("t", id, 0, true, SECOND_PROTOCOL), ErrorCode.NONE);
    }

    @Test
    void anIdWithATimeInTheFutureExpires() {
        TransactionalId found = Objects.requireNonNull(log.table.find("t"));
        found.image = found.image.renamed(id, (short) 0, (short) -1, 1000, Long.MAX_VALUE);

        log.coordinator.expire(found, 0);
        assertThat(found.image.changedMillis()).isLessThan(Long.MAX_VALUE);
        log.coordinator.expire(found, Long.MAX_VALUE);
        log.allDurable();
        assertThat(log.table.find("t")).isNull();
    }

    @Test
    void anUnusedIdExpires() {
        log.coordinator.expire(Objects.requireNonNull(log.table.find("t")), Long.MAX_VALUE);
        log.allDurable();

        assertThat(log.table.find("t")).isNull();
        assertThat(log.produce(0, id, (short) 0, 0, true)).isEqualTo(BatchRefusal.UNKNOWN_PRODUCER);
    }
}
