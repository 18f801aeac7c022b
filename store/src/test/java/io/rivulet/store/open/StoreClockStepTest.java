package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.local.LocalLogConfig;
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

/** Trims by age while the wall clock is set to different times. */
final class StoreClockStepTest {
    private static final long START = 1_700_000_000_000L;
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long AGE = 30 * MINUTE;
    private static final long PATIENCE = 10 * MINUTE;
    /** Retention checks a file again after a part of the age, and nothing expires before it is swept. */
    private static final long LATENESS = 3 * AGE;

    private static final long STEP = Duration.ofDays(8).toMillis();
    private static final int SHORT = 1;
    private static final int QUEUES = 4;
    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT
                    .withGroups(4, 128 << 10)
                    .withSegmentBytes(256 << 10)
                    .withSpareSegments(0))
            .withMemory(1 << 20, 1 << 20);

    private final CrashDisk disk = new CrashDisk();
    private final StoreModel model = new StoreModel(7);
    private long trueMillis = START;
    private long errorMillis;
    private StoreClock clock;
    private LocalStore store;
    private StoreDriver driver;

    @BeforeEach
    void begin() throws Exception {
        open();
        store.setRetention(SHORT, AGE, -1).toCompletableFuture().get(1, TimeUnit.MINUTES);
        model.createQueues(driver, QUEUES, SHORT);
    }

    private void open() throws IOException {
        clock = new StoreClock(() -> trueMillis + errorMillis, () -> (trueMillis - START) * 1_000_000, PATIENCE);
        store = LocalStore.open(CONFIG, new StoreEnvironment(disk, new StepWorkers(), clock));
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

    /** Retention checks a file with a revoked time while the clock shows another time that will be revoked. */
    @Test
    void wrongTimesThatFollowEachOtherDelayNothingForDays() throws Exception {
        errorMillis = STEP;
        pass(MINUTE);
        appendToAll(clock.stampMillis());
        errorMillis = STEP / 2;
        pass(MINUTE);
        errorMillis = 0;
        pass(AGE - 3 * MINUTE);
        requireTrimmed(false);

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

    /** A machine may create a store before it knows the time. */
    @Test
    void aStoreOf1970OrOf2100HoldsAndTrimsAsOthersDo() throws Exception {
        for (String created : List.of("1970-01-01T00:00:10Z", "2100-01-01T00:00:00Z")) {
            StoreModel ofThis = new StoreModel(3);
            long[] wall = {Instant.parse(created).toEpochMilli()};
            StoreClock wrong = new StoreClock(() -> wall[0], () -> (trueMillis - START) * 1_000_000, PATIENCE);
            try (LocalStore other =
                    LocalStore.open(CONFIG, new StoreEnvironment(new CrashDisk(), new StepWorkers(), wrong))) {
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

    /** A start uses the time of the last checkpoint if nothing is left to replay. */
    @Test
    void aStartInThePastAfterASweepContinuesFromTheStampOfTheLastCheckpoint() throws Exception {
        pass(2 * AGE);
        appendToAll(trueMillis);
        close();
        errorMillis = -STEP;
        open();
        pass(MINUTE);
        appendToAll(clock.stampMillis());
        errorMillis = 0;
        pass(PATIENCE + 2 * MINUTE);

        requireTrimmed(false);
    }

    /** The doubt of the last checkpoint continues, too. */
    @Test
    void aStartInAStepAfterASweepDoesNotEndThePatience() throws Exception {
        appendToAll(trueMillis);
        errorMillis = STEP;
        pass(MINUTE);
        driver.sweepEverything();
        close();
        open();
        pass(PATIENCE - MINUTE);

        requireTrimmed(false);
    }

    /** For any time of the clock, as long as no wrong time lasts for the patience. */
    @Test
    void nothingYoungIsTrimmedWhateverTheClockSaysAndWheneverTheStoreIsOpenedAgain() throws Exception {
        new Steps(true).live();
    }

    @Test
    void nothingYoungIsTrimmedAndEverythingIsInTheEnd() throws Exception {
        long seed = new Steps(false).live();
        errorMillis = 0;
        pass(PATIENCE + LATENESS);

        for (int queueId = 0; queueId < QUEUES; queueId++) {
            assertThat(store.startOffset(queueId)).as("seed %d", seed).isEqualTo(store.endOffset(queueId));
        }
    }

    /** A life of the store with random steps of the clock. */
    private final class Steps {
        /** By stamp and clock, each batch is this much younger than its age, in addition to the error of a start. */
        private static final long SLACK = MINUTE;

        /** @param lagMillis how much its stamp was earlier than the true time */
        private record Appended(int queueId, long endOffset, long trueMillis, long lagMillis) {}

        private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
        private final Random random = new Random(seed);
        private final boolean opensAgain;
        private final List<Appended> young = new ArrayList<>();
        private long lastAppendMillis = trueMillis;
        private long lastLagMillis;
        /** What the starts could not know: the time since the last append, while the wall clock was behind. */
        private long allowedLagMillis;
        /** The error that the starts accepted: a wall clock that was ahead of the log by less than the patience. */
        private long aheadMillis;

        private int step;

        Steps(boolean opensAgain) {
            this.opensAgain = opensAgain;
        }

        long live() throws Exception {
            for (step = 0; step < 400; step++) {
                errorMillis = nextErrorMillis();
                pass(random.nextLong(PATIENCE - MINUTE));
                checkYoung();
                if (opensAgain && random.nextInt(40) == 0) {
                    startAgain();
                }
                checkTimes();
                append();
            }
            return seed;
        }

        /** No wrong time lasts longer than one step, which is shorter than the patience. */
        private long nextErrorMillis() {
            long nextMillis;
            do {
                nextMillis =
                        random.nextInt(3) == 0 ? 0 : (long) (random.nextGaussian() * Math.pow(10, random.nextInt(12)));
            } while (Math.abs(nextMillis) > SLACK / 2 && Math.abs(nextMillis - errorMillis) < SLACK / 2);
            return nextMillis;
        }

        private void startAgain() throws IOException {
            allowedLagMillis = trueMillis - lastAppendMillis + Math.max(lastLagMillis, lagMillis());
            close();
            open();
            long startedAheadMillis = Math.max(0, clock.expiryMillis() - trueMillis);
            assertThat(startedAheadMillis).as("%s", this).isLessThanOrEqualTo(aheadMillis + PATIENCE + SLACK);
            aheadMillis = Math.max(aheadMillis, startedAheadMillis);
        }

        private long lagMillis() {
            return Math.max(0, trueMillis - clock.stampMillis());
        }

        private void checkTimes() {
            assertThat(clock.stampMillis())
                    .as("%s", this)
                    .isGreaterThanOrEqualTo(trueMillis - allowedLagMillis - SLACK);
            assertThat(clock.expiryMillis()).as("%s", this).isLessThanOrEqualTo(trueMillis + aheadMillis + SLACK);
        }

        private void append() throws Exception {
            int queueId = random.nextInt(QUEUES);
            lastAppendMillis = trueMillis;
            lastLagMillis = lagMillis();
            if (clock.heldBackMillis() == 0 && clock.stampMillis() < trueMillis + SLACK) {
                aheadMillis = 0;
            }
            boolean stampedByClient = random.nextBoolean();
            model.append(driver, queueId, 1, stampedByClient ? trueMillis : clock.stampMillis(), 50);
            young.add(new Appended(queueId, store.endOffset(queueId), trueMillis, stampedByClient ? 0 : lastLagMillis));
        }

        private void checkYoung() {
            young.removeIf(batch -> trueMillis - batch.trueMillis + batch.lagMillis + aheadMillis > AGE - SLACK);
            for (Appended batch : young) {
                assertThat(store.startOffset(batch.queueId))
                        .as("%s: %s", this, batch)
                        .isLessThan(batch.endOffset);
            }
        }

        @Override
        public String toString() {
            return "seed " + seed + ", step " + step;
        }
    }
}
