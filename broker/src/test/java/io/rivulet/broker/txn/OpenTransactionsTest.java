package io.rivulet.broker.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.producer.BatchRefusal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The heap limit of transactions, and which requests are refused at the limit. */
final class OpenTransactionsTest {
    private static final int BUDGET = 1 << 20;

    private final OpenTransactions open = new OpenTransactions(BUDGET);
    private long nextOffset;

    private void name(long producerId) {
        open.setProducer(producerId, (short) 0, false, producerId);
    }

    private @Nullable BatchRefusal write(long producerId, int queueId) {
        BatchRefusal verdict = open.check(queueId, producerId, (short) 0, true);
        if (verdict == null) {
            open.written(1, queueId, producerId, (short) 0, nextOffset++);
        }
        return verdict;
    }

    private @Nullable BatchRefusal abort(long producerId, int queueId) {
        BatchRefusal verdict = write(producerId, queueId);
        if (verdict == null) {
            open.ended(queueId, producerId, nextOffset++, false);
            open.transactionEnded(producerId);
        }
        return verdict;
    }

    private int abortUntilRefused(long producerId, int queueId) {
        int aborted = 0;
        while (abort(producerId, queueId) == null) {
            aborted++;
        }
        return aborted;
    }

    @Test
    void aQueueWithManyAbortedTransactionsIsRefusedAndOthersAreNot() {
        name(1);
        assertThat(abortUntilRefused(1, 10)).isBetween(BUDGET / 32 / 5, BUDGET / 32 / 2);

        assertThat(write(1, 11)).isNull();
        assertThat(abort(1, 10)).isEqualTo(BatchRefusal.TOO_MANY);
        assertThat(open.hasRoomFor(1, new int[] {11, 12}, 0)).isTrue();
        assertThat(open.hasRoomFor(1, new int[] {12, 10}, 0)).isFalse();
    }

    @Test
    void fullQueuesLeaveRoomForOtherQueues() {
        name(1);
        for (int queueId = 10; queueId < 510; queueId++) {
            assertThat(abortUntilRefused(1, queueId)).isPositive();
        }
        assertThat(write(1, 1000)).isNull();
    }

    @Test
    void aTransactionWithTooManyQueuesIsRefusedMoreAndOthersAreNot() {
        name(1);
        name(2);
        int queues = 0;
        while (write(1, queues) == null) {
            queues++;
        }
        assertThat(queues).isBetween(1_000, BUDGET / 2 / 100);

        assertThat(write(2, 0)).isNull();
        assertThat(write(2, 1_000_000)).isNull();
        open.transactionEnded(1);
        assertThat(open.isOpen(1)).isFalse();
    }

    @Test
    void forgottenTransactionsMakeRoom() {
        name(1);
        int first = abortUntilRefused(1, 10);
        long forgotten = open.histories().forgotten(10);

        open.histories().forgetBefore(10, nextOffset);

        assertThat(open.histories().forgotten(10)).isGreaterThan(forgotten);
        assertThat(open.histories().listsAborted(10)).isFalse();
        assertThat(abortUntilRefused(1, 10)).isEqualTo(first);
    }

    @Test
    void compactionForgetsOnlyListedTransactions() {
        long[] results = {-1, 0};
        open.histories().start(queueId -> 0, (queueId, beforeOffset) -> {
            results[0] = beforeOffset;
            results[1]++;
        });
        name(1);
        abort(1, 10);
        open.histories().abortedRecordsRemoved(10, 1);
        open.histories().abortedRecordsRemoved(11, 100);
        assertThat(results[1]).as("marker at 1").isZero();

        open.histories().abortedRecordsRemoved(10, 2);

        assertThat(results).containsExactly(2, 1);
        assertThat(open.histories().isListedAsAborted(10, 1))
                .as("until the entry is applied")
                .isTrue();
    }

    /** The topic was deleted, and the broker ended before its transaction. */
    @Test
    void whatIsOpenInDeletedQueuesIsForgottenAtTheStart() {
        name(1);
        write(1, 10);
        write(1, 11);
        long bytesOfTwo = open.histories().heapBytes();

        open.histories().start(queueId -> queueId == 10 ? QueueHistories.NO_QUEUE : 0, (queueId, beforeOffset) -> {});

        assertThat(open.histories().heapBytes()).isEqualTo(bytesOfTwo / 2);
        assertThat(open.histories().firstOffset(11, 1)).isEqualTo(1);
    }
}
