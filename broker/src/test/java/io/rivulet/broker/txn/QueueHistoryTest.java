package io.rivulet.broker.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

final class QueueHistoryTest {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());

    private record Aborted(long producerId, long firstOffset, long markerOffset) {}

    /** Random concurrent transactions: the result for every range is compared with a search through all of them. */
    @Test
    void aRangeReturnsTheAbortedTransactionsThatOverlapIt() {
        Random random = new Random(SEED);
        for (int round = 0; round < 100; round++) {
            QueueHistory history = new QueueHistory();
            List<Aborted> all = new ArrayList<>();
            // In every second round there are so many that an index is used.
            int producers = round % 2 == 0 ? 4 : 100;
            for (long offset = 0; offset < 60 + producers; offset++) {
                long producerId = random.nextInt(producers);
                long first = history.firstOffset(producerId);
                if (first >= 0 && random.nextInt(3) == 0) {
                    boolean committed = random.nextBoolean();
                    assertThat(history.ended(producerId, offset, committed)).isTrue();
                    if (!committed) {
                        all.add(new Aborted(producerId, first, offset));
                    }
                } else {
                    assertThat(history.written(producerId, offset)).isEqualTo(first < 0);
                }
            }
            long start = random.nextInt(40);
            history.forget(random.nextInt(1 + (int) start));
            history.forget(start);
            for (long from = start; from < 60; from++) {
                for (long until = from + 1; until <= Math.min(60, history.firstOpenOffset()); until++) {
                    long to = until;
                    long at = from;
                    LongPredicate wanted = round % 3 == 0 ? producer -> producer % 2 == 0 : producer -> true;
                    assertThat(history.aborted(from, until, wanted).stream().map(QueueHistoryTest::text))
                            .as("seed %d, from %d until %d", SEED, from, until)
                            .containsExactlyElementsOf(all.stream()
                                    .filter(one -> one.markerOffset >= at && one.firstOffset < to)
                                    .filter(one -> wanted.test(one.producerId))
                                    .map(one -> one.producerId + "@" + one.firstOffset)
                                    .toList());
                }
            }
        }
    }

    @Test
    void abortedTransactionsAreFoundByMarkerAndForgottenInOrder() {
        QueueHistory history = new QueueHistory();
        for (long i = 0; i < 1000; i++) {
            history.written(7, 2 * i);
            history.ended(7, 2 * i + 1, i % 10 == 0);
        }
        assertThat(history.isListedAsAborted(3)).isTrue();
        assertThat(history.isListedAsAborted(1)).as("committed").isFalse();
        assertThat(history.isListedAsAborted(4)).as("no marker").isFalse();
        long full = history.heapBytes();

        for (int before = 0; before <= 2000; before += 100) {
            assertThat(history.endedBefore(before)).isEqualTo(before == 0 ? 0 : 45);
            history.forget(before);
            assertThat(history.listsAborted()).isEqualTo(before < 2000);
            assertThat(history.isListedAsAborted(1999)).isEqualTo(before < 2000);
        }
        assertThat(history.isEmpty()).isTrue();
        assertThat(history.heapBytes()).isLessThan(full / 10);
    }

    private static String text(AbortedTransaction one) {
        return one.producerId() + "@" + one.firstOffset();
    }
}
