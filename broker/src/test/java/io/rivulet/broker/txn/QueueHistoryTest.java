package io.rivulet.broker.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class QueueHistoryTest {
    private static final long SEED = Long.getLong("rivulet.seed", System.nanoTime());

    private record Aborted(long producerId, long firstOffset, long markerOffset) {}

    /** Random transactions side by side; every range is asked for, and compared with a look at all. */
    @Test
    void aRangeTellsTheAbortedTransactionsWithRecordsInIt() {
        Random random = new Random(SEED);
        for (int round = 0; round < 50; round++) {
            QueueHistory history = new QueueHistory();
            List<Aborted> all = new ArrayList<>();
            for (long offset = 0; offset < 60; offset++) {
                long producerId = random.nextInt(4);
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
            long start = random.nextInt(20);
            history.trim(start);
            for (long from = start; from < 60; from++) {
                for (long until = from + 1; until <= Math.min(60, history.firstOpenOffset()); until++) {
                    long to = until;
                    long at = from;
                    assertThat(history.aborted(from, until).stream().map(QueueHistoryTest::text))
                            .as("seed %d, from %d until %d", SEED, from, until)
                            .containsExactlyElementsOf(all.stream()
                                    .filter(one -> one.markerOffset >= at && one.firstOffset < to)
                                    .map(one -> one.producerId + "@" + one.firstOffset)
                                    .toList());
                }
            }
        }
    }

    private static String text(AbortedTransaction one) {
        return one.producerId() + "@" + one.firstOffset();
    }
}
