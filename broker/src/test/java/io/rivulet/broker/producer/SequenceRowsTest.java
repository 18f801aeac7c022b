package io.rivulet.broker.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class SequenceRowsTest {
    private static final int MAX_BYTES_PER_ROW = 128;

    private final SequenceRows rows = new SequenceRows();

    @Test
    void aRowTakesAtMost128Bytes() {
        for (int row = 1; row <= 300_000; row++) {
            rows.add(row % 1000, row / 1000);
            if (row >= 100_000 && row % 512 == 0) {
                assertThat(rows.memoryBytes()).as("%d rows", row).isLessThanOrEqualTo((long) row * MAX_BYTES_PER_ROW);
            }
        }
    }

    @Test
    void findsWhatAPlainMapFinds() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<Long, Integer> model = new HashMap<>();
        for (int step = 0; step < 200_000; step++) {
            int queueId = random.nextInt(20);
            long producerId = random.nextInt(step % 50_000 < 25_000 ? 1000 : 100);
            long key = producerId << 32 | queueId;
            int row = rows.find(producerId, queueId);
            assertThat(row).as("seed %d, step %d", seed, step).isEqualTo(model.getOrDefault(key, SequenceRows.NO_ROW));
            if (row == SequenceRows.NO_ROW) {
                model.put(key, rows.add(producerId, queueId));
            } else if (random.nextInt(3) > 0) {
                rows.remove(row);
                model.remove(key);
            }
            assertThat(rows.size()).isEqualTo(model.size());
        }
    }

    /** Offset, sequence and time of each batch are the same number, so that a copy of halves shows. */
    @Test
    void aCopyIsOfOneMoment() throws Exception {
        int row = rows.add(5, 6);
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try {
            Callable<Integer> reading = () -> {
                long[] copy = new long[SequenceRows.COPIED_WORDS];
                int copies = 0;
                while (!done.get()) {
                    if (rows.copy(row, copy)) {
                        requireWhole(copy);
                        copies++;
                    }
                }
                return copies;
            };
            Future<Integer> copies = reader.submit(reading);
            for (int i = 0; i < 2_000_000; i++) {
                rows.addBatch(row, (short) (i / 1000 & 7), i, i, 1, i);
            }
            done.set(true);
            assertThat(copies.get()).isGreaterThanOrEqualTo(0);
        } finally {
            done.set(true);
            reader.shutdownNow();
        }
    }

    private static void requireWhole(long[] copy) {
        int batches = SequenceRows.batches(copy[SequenceRows.KEY]);
        long last = copy[SequenceRows.LAST_MILLIS];
        for (int i = 0; i < batches; i++) {
            long offset = copy[SequenceRows.BATCHES + 2 * i];
            assertThat(offset).isEqualTo(last - batches + 1 + i);
            assertThat(copy[SequenceRows.BATCHES + 2 * i + 1] >>> 32).isEqualTo(offset);
            assertThat((int) SequenceRows.epoch(copy[SequenceRows.KEY])).isEqualTo((int) (last / 1000 & 7));
        }
    }
}
