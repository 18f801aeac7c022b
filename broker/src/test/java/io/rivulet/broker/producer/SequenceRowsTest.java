package io.rivulet.broker.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SequenceRowsTest {
    private SequenceRows rows = new SequenceRows(SequenceGate.IN_FLIGHT);

    @ParameterizedTest
    @ValueSource(ints = {SequenceGate.IN_FLIGHT, SequenceGate.IN_FLIGHT_TO_OWNERS})
    void aRowTakesAtMostTheBytesOfTheBudget(int mostBatches) {
        rows = new SequenceRows(mostBatches);
        for (int row = 1; row <= 300_000; row++) {
            rows.add(row % 1000, row / 1000);
            if (row >= 100_000 && row % 512 == 0) {
                assertThat(rows.memoryBytes())
                        .as("%d rows", row)
                        .isLessThanOrEqualTo((long) row * SequenceRows.bytesPerRow(mostBatches));
            }
        }
    }

    @Test
    void findsTheRowsOfAPlainMap() {
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

    private record Batch(short epoch, long baseOffset, int baseSequence, int recordCount) {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2, SequenceGate.IN_FLIGHT, SequenceGate.IN_FLIGHT_TO_OWNERS})
    void theLastAdjacentBatchesOfAnEpochAreKnown(int mostBatches) {
        rows = new SequenceRows(mostBatches);
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        int row = rows.add(5, 6);
        List<Batch> model = new ArrayList<>();
        long offset = 0;
        int next = Integer.MAX_VALUE - 100;
        short epoch = 0;
        for (int step = 0; step < 20_000; step++) {
            offset += random.nextInt(50) == 0 ? 1L << 32 : 1 + random.nextInt(1000);
            if (random.nextInt(20) == 0) {
                epoch++;
                next = 0;
            } else if (random.nextInt(20) == 0) {
                next += 7;
            }
            Batch batch = new Batch(epoch, offset, next, 1 + random.nextInt(500));
            next = SequenceHeader.next(next, batch.recordCount);
            rows.addBatch(row, epoch, offset, batch.baseSequence, batch.recordCount, step);
            remember(model, mostBatches, batch);
            assertThat(rows.batches(row)).as("seed %d, step %d", seed, step).isEqualTo(model.size());
            for (Batch known : model) {
                assertThat(rows.offsetOf(row, known.baseSequence, known.recordCount))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(known.baseOffset);
            }
            assertThat(rows.offsetOf(row, next, 1)).isEqualTo(SequenceRows.NO_BATCH);
            assertThat(rows.nextSequence(row)).isEqualTo(next);
        }
    }

    private static void remember(List<Batch> model, int mostBatches, Batch batch) {
        if (!model.isEmpty()) {
            Batch last = model.get(model.size() - 1);
            boolean follows = last.epoch == batch.epoch
                    && SequenceHeader.next(last.baseSequence, last.recordCount) == batch.baseSequence
                    && batch.baseOffset - last.baseOffset < 1L << 32;
            if (!follows) {
                model.clear();
            } else if (model.size() == mostBatches) {
                model.remove(0);
            }
        }
        model.add(batch);
    }

    @Test
    void theOldestIdleRowIsThatOfAnOrderedMap() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        LinkedHashSet<Integer> idle = new LinkedHashSet<>();
        Set<Integer> open = new HashSet<>();
        for (int step = 0; step < 100_000; step++) {
            int queueId = random.nextInt(50);
            int found = rows.find(1, queueId);
            int row = found == SequenceRows.NO_ROW ? rows.add(1, queueId) : found;
            switch (random.nextInt(6)) {
                case 0 -> {
                    rows.remove(row);
                    idle.remove(row);
                    open.remove(row);
                }
                case 1 -> {
                    if (rows.batches(row) > 0) {
                        rows.open(row);
                        idle.remove(row);
                        open.add(row);
                    }
                }
                case 2 -> {
                    rows.close(row, step);
                    if (open.remove(row)) {
                        idle.add(row);
                    }
                }
                default -> {
                    rows.addBatch(row, (short) 0, step, step, 1, step);
                    if (!open.contains(row)) {
                        rows.makeYoungest(row);
                        idle.remove(row);
                        idle.add(row);
                    }
                }
            }
            if (step % 1000 == 999) {
                rows.sortIdle();
            }
            int oldest = idle.isEmpty() ? SequenceRows.NO_ROW : idle.iterator().next();
            assertThat(rows.oldest()).as("seed %d, step %d", seed, step).isEqualTo(oldest);
            assertThat(rows.idleCount()).isEqualTo(idle.size());
            assertThat(rows.openCount()).isEqualTo(open.size());
        }
    }

    /** Offset, sequence and time of each batch are the same number, which reveals a torn copy. */
    @ParameterizedTest
    @ValueSource(ints = {SequenceGate.IN_FLIGHT, SequenceGate.IN_FLIGHT_TO_OWNERS})
    void aCopyIsConsistent(int mostBatches) throws Exception {
        rows = new SequenceRows(mostBatches);
        int row = rows.add(5, 6);
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try {
            Callable<Integer> reading = () -> {
                long[] copy = rows.newCopy();
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
        long last = copy[SequenceRows.TOUCHED];
        assertThat(copy[SequenceRows.LAST_OFFSET]).isEqualTo(last);
        assertThat((long) SequenceRows.nextSequence(copy[SequenceRows.NEXT])).isEqualTo(last + 1);
        assertThat((int) SequenceRows.epoch(copy[SequenceRows.KEY])).isEqualTo((int) (last / 1000 & 7));
        for (int before = 0; before + 1 < SequenceRows.batches(copy[SequenceRows.KEY]); before++) {
            assertThat(SequenceRows.distance(copy[SequenceRows.BEFORE + before]))
                    .isEqualTo(1);
        }
    }
}
