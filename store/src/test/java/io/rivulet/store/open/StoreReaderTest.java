package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import io.rivulet.store.io.CrashDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads that do not begin at the start of a queue: by time, by size, from the tail only. */
final class StoreReaderTest {
    private static final long START = 1_700_000_000_000L;
    private static final int QUEUE = 0;
    private static final int LARGE = 40_000;

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Long> timestamps = new ArrayList<>();
    private long bytes;
    private LocalStore store;
    private StoreDriver driver;
    private StoreReader reader;

    @BeforeEach
    void open() throws Exception {
        store = LocalStore.open(
                StoreConfig.DEFAULT.withMemory(1 << 20, 1 << 20),
                new StoreEnvironment(new CrashDisk(), new StepWorkers(), () -> START));
        driver = new StoreDriver(store);
        driver.createQueues(2);
        reader = store.reader();
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void timesAreFoundWhereverTheRecordsAre() throws Exception {
        for (int cycle = 0; cycle < 6; cycle++) {
            for (int i = 0; i < 40; i++) {
                append(START + random.nextInt(1000), 1 + random.nextInt(300));
            }
            check();
            if (cycle < 5) {
                driver.sweepEverything();
                check();
            }
        }
        store.trim(QUEUE, 77).toCompletableFuture().get(10, TimeUnit.SECONDS);
        check();
    }

    private void check() throws Exception {
        long start = store.startOffset(QUEUE);
        for (int i = 0; i < 50; i++) {
            long wanted = START + random.nextInt(1100) - 50;
            assertThat(firstFrom(reader.seek(QUEUE, start, wanted), wanted))
                    .as("first record of time %d, seed %d", wanted, seed)
                    .isEqualTo(firstFrom(start, wanted));
        }
        long highest = highest(start, timestamps.size());
        long inTail = highest(Math.max(start, reader.tailStart(QUEUE)), timestamps.size());
        long found = reader.seekHighest(QUEUE, start).stream()
                .map(offset -> timestamps.get((int) offset))
                .max()
                .orElse(Long.MIN_VALUE);
        assertThat(Math.max(found, inTail)).as("highest time, seed %d", seed).isEqualTo(highest);
    }

    private long firstFrom(long offset, long timestamp) {
        for (long i = offset; i < timestamps.size(); i++) {
            if (timestamps.get((int) i) >= timestamp) {
                return i;
            }
        }
        return -1;
    }

    private long highest(long from, long to) {
        return timestamps.subList((int) from, (int) to).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    @Test
    void theSizeIsThatOfAllBatches() throws Exception {
        append(START, 100);
        append(START, LARGE);
        assertThat(reader.sizeBytes(QUEUE)).isEqualTo(bytes);
        driver.sweepEverything();
        append(START, 200);

        // If whole blocks are added up, the headers of stream records count, too.
        assertThat(reader.sizeBytes(QUEUE)).isBetween(bytes, bytes + 60);
        assertThat(reader.sizeBytes(1)).isZero();
    }

    @Test
    void theTailAloneIsReadWithoutTheDisk() throws Exception {
        append(START, 100);
        driver.sweepEverything();
        append(START, 200);
        append(START, LARGE);
        append(START, 300);

        assertThat(tailFrom(0)).isEqualTo(ReadStatus.NOT_IN_TAIL);
        assertThat(tailFrom(1)).isEqualTo(ReadStatus.BATCHES);
        assertThat(tailFrom(2)).isEqualTo(ReadStatus.NOT_IN_TAIL);
        assertThat(tailFrom(3)).isEqualTo(ReadStatus.BATCHES);
        assertThat(tailFrom(4)).isEqualTo(ReadStatus.AT_END);
        assertThat(tailFrom(5)).isEqualTo(ReadStatus.OUT_OF_RANGE);
        assertThat(reader.readTail(7, 0, 1, (base, count, time, buffer, at, length) -> true))
                .isEqualTo(ReadStatus.NO_QUEUE);
        store.trim(QUEUE, 2).toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(tailFrom(1)).isEqualTo(ReadStatus.OUT_OF_RANGE);
    }

    private ReadStatus tailFrom(long offset) {
        return reader.readTail(QUEUE, offset, 1000, (base, count, time, buffer, at, length) -> {
            assertThat(base).isEqualTo(offset);
            return false;
        });
    }

    private void append(long timestamp, int length) throws Exception {
        driver.append(QUEUE, 1, timestamp, new byte[length]);
        timestamps.add(timestamp);
        bytes += length;
    }
}
