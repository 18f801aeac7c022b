package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.ReadStatus;
import io.rivulet.store.StoreReader;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches that stay in the log are read together, in order, completely, and no more of them than requested. */
final class LargeBatchesTest {
    private static final int QUEUE = 0;
    private static final int OTHER = 1;
    private static final int LARGE = 40_000;
    /** More than the log keeps in memory. */
    private static final int BATCHES = 80;

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final CrashDisk crashDisk = new CrashDisk();
    private final FaultyDisk disk = new FaultyDisk(crashDisk);
    private final List<byte[]> batches = new ArrayList<>();
    private LocalStore store;
    private StoreDriver driver;

    @BeforeEach
    void open() throws Exception {
        store = LocalStore.open(
                StoreConfig.DEFAULT.withMemory(1 << 20, 1 << 20),
                new StoreEnvironment(disk, new StepWorkers(), () -> 1_700_000_000_000L));
        driver = new StoreDriver(store);
        driver.createQueues(2);
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void whatWasAppendedIsReadWhateverLiesBetween() throws Exception {
        for (int i = 0; i < BATCHES; i++) {
            append(random.nextInt(4) == 0 ? 1 + random.nextInt(1000) : LARGE + random.nextInt(200_000));
            if (random.nextInt(4) == 0) {
                driver.append(OTHER, 1, 1, new byte[1 + random.nextInt(100_000)]);
            }
        }
        for (int maxBytes : new int[] {1, 100_000, 1 << 20, 50 << 20}) {
            readAll(maxBytes);
        }
        driver.sweepEverything();
        for (int maxBytes : new int[] {1, 100_000, 1 << 20, 50 << 20}) {
            readAll(maxBytes);
        }
    }

    @Test
    void neighboursAreReadTogether() throws Exception {
        for (int i = 0; i < BATCHES; i++) {
            append(LARGE);
        }
        long before = disk.count(Op.READ);

        readAll(1 << 20);

        // 26 of them need a MiB; the last groups are still in memory.
        assertThat(disk.count(Op.READ) - before).isLessThanOrEqualTo(BATCHES / 26 + 1);
    }

    @Test
    void noMoreIsReadThanWasAskedFor() throws Exception {
        for (int i = 0; i < BATCHES; i++) {
            append(LARGE);
        }
        List<Integer> lengths = new ArrayList<>();
        store.reader().read(QUEUE, 0, 2 * LARGE, (base, count, time, bytes, at, length) -> lengths.add(length));
        assertThat(lengths).containsExactly(LARGE, LARGE);
    }

    @Test
    void bytesBeforeABadSectorAreRead() throws Exception {
        for (int i = 0; i < BATCHES; i++) {
            append(LARGE);
        }
        String segment = crashDisk.directory("log").list().stream()
                .filter(name -> name.contains("0000"))
                .findFirst()
                .orElseThrow();
        disk.failReads(segment, 30 * LARGE, 31 * LARGE);
        StoreReader reader = store.reader();
        long[] next = {0};

        assertThatThrownBy(() -> {
                    while (true) {
                        assertThat(read(reader, next, 50 << 20)).isEqualTo(ReadStatus.BATCHES);
                    }
                })
                .isInstanceOf(IOException.class);

        assertThat(next[0]).isBetween(26L, 30L);
        next[0] += 4;
        assertThat(read(reader, next, 1 << 20)).isEqualTo(ReadStatus.BATCHES);
    }

    private void readAll(int maxBytes) throws IOException {
        StoreReader reader = store.reader();
        long[] next = {0};
        while (next[0] < batches.size()) {
            long before = next[0];
            assertThat(read(reader, next, maxBytes)).isEqualTo(ReadStatus.BATCHES);
            assertThat(next[0]).as("progress, seed %d", seed).isGreaterThan(before);
        }
    }

    private ReadStatus read(StoreReader reader, long[] next, int maxBytes) throws IOException {
        return reader.read(QUEUE, next[0], maxBytes, (base, count, time, bytes, at, length) -> {
            assertThat(base).as("order, seed %d", seed).isEqualTo(next[0]);
            byte[] copy = new byte[length];
            bytes.get(at, copy);
            assertThat(copy).as("batch %d, seed %d", base, seed).isEqualTo(batches.get((int) base));
            next[0]++;
            return true;
        });
    }

    private void append(int length) throws Exception {
        byte[] batch = new byte[length];
        random.nextBytes(batch);
        driver.append(QUEUE, 1, 1, batch);
        batches.add(batch);
    }
}
