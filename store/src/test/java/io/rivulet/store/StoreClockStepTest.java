package io.rivulet.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.LogConfig;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is trimmed by age while the wall clock is set to this and that. */
final class StoreClockStepTest {
    private static final long START = 1_700_000_000_000L;
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long AGE = 30 * MINUTE;
    private static final long PATIENCE = 10 * MINUTE;
    /** Retention looks at a file again after a part of the age, and nothing expires before it is swept. */
    private static final long LATENESS = 3 * AGE;

    private static final long STEP = Duration.ofDays(8).toMillis();
    private static final int SHORT = 1;
    private static final int QUEUES = 4;
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LogConfig.DEFAULT
                    .withGroups(4, 128 << 10)
                    .withSegmentBytes(256 << 10)
                    .withSpareSegments(0))
            .withMemory(1 << 20, 1 << 20);

    private final CrashDisk disk = new CrashDisk();
    private final StoreModel model = new StoreModel(7);
    private long trueMillis = START;
    private long errorMillis;
    private StoreClock clock;
    private Store store;
    private StoreDriver driver;

    @BeforeEach
    void begin() throws Exception {
        open();
        store.setRetention(SHORT, AGE, -1).toCompletableFuture().get(1, TimeUnit.MINUTES);
        model.createQueues(driver, QUEUES, SHORT);
    }

    private void open() throws IOException {
        clock = new StoreClock(() -> trueMillis + errorMillis, () -> (trueMillis - START) * 1_000_000, PATIENCE);
        store = Store.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), clock));
        driver = new StoreDriver(store);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void pass(long millis) {
        for (long left = millis; left > 0; left -= 10 * SECOND) {
            trueMillis += 10 * SECOND;
            store.tick();
        }
    }

    private void appendToAll(long timestamp) throws Exception {
        for (int queueId = 0; queueId < QUEUES; queueId++) {
            model.append(driver, queueId, 3, timestamp, 100);
        }
        driver.sweepEverything();
    }

    private void requireTrimmed(boolean trimmed) throws IOException {
        for (int queueId = 0; queueId < QUEUES && trimmed; queueId++) {
            model.trimmed(queueId, Long.MAX_VALUE);
        }
        model.check(store, driver);
    }

    @Test
    void aShortStepForwardTrimsNothing() throws Exception {
        appendToAll(trueMillis);

        errorMillis = STEP;
        pass(PATIENCE - MINUTE);
        errorMillis = 0;
        pass(MINUTE);

        requireTrimmed(false);
    }

    @Test
    void aStepForwardThatStandsIsFollowed() throws Exception {
        appendToAll(trueMillis);

        errorMillis = STEP;
        pass(PATIENCE + 2 * MINUTE);

        requireTrimmed(true);
    }

    @Test
    void whatIsWrittenInAStepThatStandsIsAsOldAsItIs() throws Exception {
        errorMillis = STEP;
        pass(MINUTE);
        appendToAll(clock.stampMillis());
        pass(PATIENCE + MINUTE);
        requireTrimmed(false);

        pass(LATENESS);
        requireTrimmed(true);
    }

    @Test
    void timesThatWereTakenBackDelayNothingForDays() throws Exception {
        errorMillis = STEP;
        pass(MINUTE);
        appendToAll(clock.stampMillis());
        errorMillis = 0;
        pass(MINUTE);
        appendToAll(clock.stampMillis());
        pass(AGE - 3 * MINUTE);
        requireTrimmed(false);

        pass(LATENESS);
        requireTrimmed(true);
    }

    @Test
    void aStepBackThatStandsDelaysNothingForDays() throws Exception {
        errorMillis = STEP;
        close();
        open();
        pass(PATIENCE + MINUTE);
        appendToAll(clock.stampMillis());
        pass(AGE + MINUTE);
        errorMillis = 0;
        pass(PATIENCE + MINUTE);
        appendToAll(clock.stampMillis());
        pass(LATENESS);

        requireTrimmed(true);
    }

    @Test
    void aStartAtAWrongTimeTrimsNothingForThePatience() throws Exception {
        appendToAll(trueMillis);
        close();
        errorMillis = STEP;
        open();
        pass(PATIENCE - MINUTE);
        requireTrimmed(false);

        pass(3 * MINUTE);
        requireTrimmed(true);
    }

    @Test
    void aStartInAStepDoesNotEndThePatience() throws Exception {
        appendToAll(trueMillis);
        errorMillis = STEP;
        pass(MINUTE);
        for (int start = 0; start < 3; start++) {
            model.append(driver, 0, 1, clock.stampMillis(), 50);
            close();
            open();
            pass(PATIENCE - MINUTE);
            requireTrimmed(false);
        }
    }

    /** A group of the log has room for a doubt of 119 years. */
    @Test
    void afterAStartInAFarFutureAStepTrimsNothingForThePatience() throws Exception {
        appendToAll(trueMillis);
        close();
        errorMillis = Duration.ofDays(240 * 365).toMillis();
        open();
        model.append(driver, 0, 1, trueMillis, 50);
        close();
        errorMillis = 0;
        open();
        pass(MINUTE);
        errorMillis = STEP;
        pass(PATIENCE - 2 * MINUTE);

        requireTrimmed(false);
    }

    /** Stores are created by machines that do not know the time yet. */
    @Test
    void aStoreOf1970OrOf2100HoldsAndTrimsAsOthersDo() throws Exception {
        for (String created : List.of("1970-01-01T00:00:10Z", "2100-01-01T00:00:00Z")) {
            StoreModel ofThis = new StoreModel(3);
            long[] wall = {Instant.parse(created).toEpochMilli()};
            StoreClock wrong = new StoreClock(() -> wall[0], () -> (trueMillis - START) * 1_000_000, PATIENCE);
            try (Store other = Store.open(CONFIG, new StoreEnvironment(new CrashDisk(), new StepWorkers(), wrong))) {
                StoreDriver drives = new StoreDriver(other);
                other.setRetention(SHORT, AGE, -1).toCompletableFuture().get(1, TimeUnit.MINUTES);
                ofThis.createQueues(drives, 1, SHORT);
                ofThis.append(drives, 0, 1, START, 100);
                drives.sweepEverything();
                for (long left = PATIENCE + LATENESS + AGE; left > 0; left -= 10 * SECOND) {
                    trueMillis += 10 * SECOND;
                    wall[0] = START;
                    other.tick();
                }
                ofThis.check(other, drives);
            }
        }
    }

    private record Appended(int queueId, long endOffset, long trueMillis) {}

    /** Whatever the clock says, as long as nothing wrong stands for the patience. */
    @Test
    void nothingYoungIsTrimmedWhateverTheClockSaysAndWheneverTheStoreIsOpenedAgain() throws Exception {
        liveThroughSteps(true);
    }

    @Test
    void nothingYoungIsTrimmedAndEverythingIsInTheEnd() throws Exception {
        long seed = liveThroughSteps(false);
        errorMillis = 0;
        pass(PATIENCE + LATENESS);

        for (int queueId = 0; queueId < QUEUES; queueId++) {
            assertThat(store.startOffset(queueId)).as("seed %d", seed).isEqualTo(store.endOffset(queueId));
        }
    }

    private long liveThroughSteps(boolean opensAgain) throws Exception {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Appended> young = new ArrayList<>();
        for (int step = 0; step < 400; step++) {
            errorMillis =
                    random.nextInt(3) == 0 ? 0 : (long) (random.nextGaussian() * Math.pow(10, random.nextInt(12)));
            pass(random.nextLong(PATIENCE - MINUTE));
            if (opensAgain && random.nextInt(40) == 0) {
                close();
                open();
            }
            int queueId = random.nextInt(QUEUES);
            model.append(driver, queueId, 1, random.nextBoolean() ? trueMillis : clock.stampMillis(), 50);
            young.add(new Appended(queueId, store.endOffset(queueId), trueMillis));
            young.removeIf(batch -> trueMillis - batch.trueMillis > AGE - MINUTE);
            for (Appended batch : young) {
                assertThat(store.startOffset(batch.queueId))
                        .as("seed %d, step %d: %s", seed, step, batch)
                        .isLessThan(batch.endOffset);
            }
        }
        return seed;
    }
}
