package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.BatchFormat.Kind;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.DatedDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.local.LocalLogLocation;
import io.rivulet.store.open.KeyedBatch.Keyed;
import io.rivulet.store.simulation.ForgetfulLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The last record of each key stays at its offset. A failure of a random test contains its seed; {@code
 * -Drivulet.seed=N} repeats it.
 */
final class StoreCompactionTest {
    private static final long START = 1_700_000_000_000L;
    private static final int COMPACTED = 1;
    private static final int BIG = 33_000;
    private static final int KEYS = 12;
    private static final CompactionTerms EAGER = new CompactionTerms(10, 60_000, 0, Long.MAX_VALUE, Long.MAX_VALUE);

    private static final StoreConfig CONFIG = CompactedLives.CONFIG;

    private final AtomicLong clock = new AtomicLong(START);
    private final CompactionModel model = new CompactionModel();
    private final KeyedBatch.Format format = new KeyedBatch.Format();
    private final Set<String> listed = new HashSet<>();
    private CrashDisk disk = new CrashDisk();
    private boolean logKeepsBatches = true;
    private LocalStore store;
    private StoreDriver driver;

    @BeforeEach
    void open() throws Exception {
        store = open(disk);
        driver = new StoreDriver(store);
    }

    private LocalStore open(Disk on) throws IOException {
        StoreEnvironment local = new StoreEnvironment(on, new StepWorkers(), clock::get);
        StoreEnvironment environment =
                logKeepsBatches ? local : local.withLog(ForgetfulLog.in(new LocalLogLocation(on, CONFIG.localLog())));
        return LocalStore.open(CONFIG, environment, Attachments.NONE.withFormat(format));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void compact(CompactionTerms terms) throws Exception {
        limit(terms);
        store.tick();
    }

    private void limit(CompactionTerms terms) throws Exception {
        store.setRetention(COMPACTED, new RetentionLimits(-1, -1, terms))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    private void move(int queueId, int retentionClass) throws Exception {
        store.classQueues(queueId, 1, retentionClass).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void put(int queueId, int key, int value) throws Exception {
        append(queueId, Kind.RECORDS, 0, new Keyed(0, key, value));
    }

    private void append(int queueId, Kind kind, long producerId, Keyed... records) throws Exception {
        model.append(driver, queueId, new KeyedBatch(kind, producerId, 0, List.of(records)), clock.get());
    }

    private void sweep() throws Exception {
        driver.sweepEverything();
        store.tick();
    }

    private List<CompactionModel.Written> left(int queueId) throws IOException {
        return CompactionModel.read(driver, queueId, 0, 5000);
    }

    @Test
    void theLastRecordOfEachKeyStaysWhereItWas() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        for (int i = 0; i < 100; i++) {
            put(queueId, i % 3, i);
        }
        sweep();

        assertThat(left(queueId)).extracting(CompactionModel.Written::offset).containsExactly(97L, 98L, 99L);
        model.check(driver, 5000);
        model.checkFromEverywhere(driver, queueId, 7);
        assertThat(store.endOffset(queueId)).isEqualTo(100);
        assertThat(store.startOffset(queueId)).isZero();
    }

    @Test
    void dirtyRecordsReplaceCleanOnesAndOtherQueuesDoNotChange() throws Exception {
        int first = driver.createQueues(1, 0);
        int queueId = driver.createQueues(1, COMPACTED);
        int last = driver.createQueues(1, 0);
        compact(EAGER);
        for (int round = 0; round < 12; round++) {
            for (int i = 0; i < 5; i++) {
                put(queueId, round * i % 6, round);
                put(first, i, round);
                put(last, i, round);
            }
            sweep();
            model.check(driver, 5000);
        }

        assertThat(left(queueId)).hasSize(6);
        model.checkWhole(driver, first);
        model.checkWhole(driver, last);
        assertThat(store.metric(StoreMetric.MERGES)).isPositive();
        assertThat(store.metric(StoreMetric.COMPACTIONS)).isGreaterThanOrEqualTo(10);
    }

    @Test
    void largeBatchesInTheLogAreCompactedAndTheLogIsTrimmed() throws Exception {
        requireThatLargeBatchesAreCompacted();
    }

    @Test
    void largeBatchesInBlockFilesAreCompacted() throws Exception {
        close();
        logKeepsBatches = false;
        open();
        requireThatLargeBatchesAreCompacted();
    }

    private void requireThatLargeBatchesAreCompacted() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        for (int i = 0; i < 6; i++) {
            model.append(
                    driver,
                    queueId,
                    new KeyedBatch(Kind.RECORDS, 0, BIG, List.of(new Keyed(0, 1, i), new Keyed(1, 10 + i, i))),
                    clock.get());
        }
        sweep();

        assertThat(left(queueId)).hasSize(7);
        model.check(driver, 100_000);
        assertThat(store.registry().neededLsn())
                .isEqualTo(store.registry().manifest().replayLsn());
    }

    @Test
    void tombstonesStayForTheirTimeAndTheLastBatchForEver() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        put(queueId, 1, 1);
        put(queueId, 1, KeyedBatch.TOMBSTONE);
        put(queueId, 2, 2);
        sweep();
        assertThat(left(queueId)).extracting(CompactionModel.Written::offset).containsExactly(1L, 2L);

        clock.addAndGet(59_000);
        put(queueId, 2, 3);
        sweep();
        assertThat(left(queueId)).extracting(CompactionModel.Written::offset).containsExactly(1L, 3L);

        clock.addAndGet(2_000);
        put(queueId, 2, KeyedBatch.TOMBSTONE);
        sweep();
        assertThat(left(queueId)).extracting(CompactionModel.Written::offset).containsExactly(4L);
        assertThat(driver.statusAt(queueId, 1)).isEqualTo(ReadStatus.BATCHES);
        assertThat(CompactionModel.fold(left(queueId))).isEmpty();
    }

    @Test
    void anAbortedRecordReplacesNothingAndGoes() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        put(queueId, 1, 1);
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 1, 2));
        append(queueId, Kind.TRANSACTION_RECORDS, 8, new Keyed(0, 2, 3));
        append(queueId, Kind.ABORT, 7);
        append(queueId, Kind.COMMIT, 8);
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 2, 4));
        append(queueId, Kind.COMMIT, 7);
        sweep();

        assertThat(left(queueId)).extracting(CompactionModel.Written::offset).containsExactly(0L, 3L, 4L, 5L, 6L);
        model.check(driver, 5000);
    }

    private List<Long> offsetsLeft(int queueId) throws IOException {
        return left(queueId).stream().map(CompactionModel.Written::offset).toList();
    }

    @Test
    void aMarkerGoesSomeTimeAfterTheLastRecordOfItsTransaction() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 1, 1), new Keyed(1, 2, 1));
        append(queueId, Kind.COMMIT, 7);
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 1, 2));
        append(queueId, Kind.COMMIT, 7);
        sweep();
        assertThat(offsetsLeft(queueId)).containsExactly(1L, 2L, 3L, 4L);

        clock.addAndGet(100_000);
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 2, 3));
        append(queueId, Kind.COMMIT, 7);
        sweep();
        assertThat(offsetsLeft(queueId)).as("its time begins").containsExactly(2L, 3L, 4L, 5L, 6L);

        clock.addAndGet(59_000);
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 2, 4));
        append(queueId, Kind.COMMIT, 7);
        sweep();
        assertThat(offsetsLeft(queueId)).containsExactly(2L, 3L, 4L, 6L, 7L, 8L);

        clock.addAndGet(2_000);
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 2, 5));
        append(queueId, Kind.COMMIT, 7);
        sweep();
        assertThat(offsetsLeft(queueId)).containsExactly(3L, 4L, 6L, 8L, 9L, 10L);
        assertThat(store.endOffset(queueId)).isEqualTo(11);
        model.check(driver, 5000);
        model.checkFromEverywhere(driver, queueId, 1);
    }

    @Test
    void anAbortedTransactionIsForgottenBeforeTheTimeOfItsMarkerBegins() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 1, 1));
        append(queueId, Kind.ABORT, 7);
        put(queueId, 1, 2);
        model.listAborted(format.aborted);
        assertThat(format.aborted.get(queueId)).containsExactly(1L);
        sweep();
        assertThat(offsetsLeft(queueId)).containsExactly(1L, 2L);
        assertThat(format.aborted.get(queueId)).isEmpty();

        clock.addAndGet(100_000);
        put(queueId, 1, 3);
        sweep();
        assertThat(offsetsLeft(queueId)).as("its time begins").containsExactly(1L, 3L);

        clock.addAndGet(61_000);
        put(queueId, 1, 4);
        sweep();
        assertThat(offsetsLeft(queueId)).containsExactly(4L);
    }

    @Test
    void manyAbortedTransactionsMakeAQueueDueHoweverMuchOfItIsClean() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(new CompactionTerms(900, 60_000, 0, Long.MAX_VALUE, Long.MAX_VALUE));
        for (int key = 100; key < 400; key++) {
            put(queueId, key, 0);
        }
        put(queueId, 100, 1);
        sweep();
        for (int i = 0; i < KeyedBatch.TOO_MANY_ABORTED; i++) {
            assertThat(store.metric(StoreMetric.COMPACTIONS)).isEqualTo(1);
            append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 1, i));
            append(queueId, Kind.ABORT, 7);
            listAborted();
            sweep();
        }

        assertThat(format.aborted.get(queueId)).isEmpty();
        model.check(driver, 5000);
    }

    @Test
    void aLoopOfTransactionsOverOneKeyLeavesNoMoreThanTheLastOnes() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        for (int round = 0; round < 200; round++) {
            append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 1, round));
            append(queueId, round % 3 == 0 ? Kind.ABORT : Kind.COMMIT, 7);
            if (round % 10 == 9) {
                clock.addAndGet(61_000);
                sweep();
                model.check(driver, 5000);
            }
        }
        assertThat(left(queueId)).hasSizeLessThan(30);
    }

    @Test
    void nothingIsCompactedFromTheFirstOpenTransactionOn() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        put(queueId, 1, 1);
        put(queueId, 1, 2);
        sweep();
        format.openFrom = 2;
        append(queueId, Kind.TRANSACTION_RECORDS, 7, new Keyed(0, 1, 3));
        put(queueId, 1, 4);
        sweep();
        assertThat(left(queueId)).extracting(CompactionModel.Written::offset).containsExactly(1L, 2L, 3L);

        append(queueId, Kind.COMMIT, 7);
        format.openFrom = 5;
        sweep();
        assertThat(left(queueId)).extracting(CompactionModel.Written::offset).containsExactly(3L, 4L);
    }

    @Test
    void youngRecordsWaitAndLittleDataWaitsUntilItIsOld() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(new CompactionTerms(500, 0, 10_000, 3_600_000, Long.MAX_VALUE));
        put(queueId, 1, 1);
        put(queueId, 1, 2);
        sweep();
        assertThat(left(queueId)).hasSize(2);

        clock.addAndGet(11_000);
        store.tick();
        assertThat(left(queueId)).hasSize(1);

        for (int key = 10; key < 40; key++) {
            put(queueId, key, 0);
        }
        sweep();
        clock.addAndGet(20_000);
        store.tick();
        put(queueId, 1, 3);
        sweep();
        clock.addAndGet(20_000);
        store.tick();
        assertThat(left(queueId)).hasSize(32);

        clock.addAndGet(3_600_000);
        store.tick();
        assertThat(left(queueId)).hasSize(31);
        model.check(driver, 5000);
    }

    @Test
    void recordsWithoutATimestampAreAsYoungAsTheirFile() throws Exception {
        close();
        store = open(new DatedDisk(disk, START));
        driver = new StoreDriver(store);
        int queueId = driver.createQueues(1, COMPACTED);
        compact(new CompactionTerms(10, 0, 10_000, Long.MAX_VALUE, Long.MAX_VALUE));
        for (int value = 0; value < 2; value++) {
            KeyedBatch batch = new KeyedBatch(Kind.RECORDS, 0, 0, List.of(new Keyed(0, 1, value)));
            model.append(driver, queueId, batch, -1);
        }
        sweep();
        assertThat(left(queueId)).hasSize(2);

        clock.addAndGet(11_000);
        store.tick();
        assertThat(left(queueId)).hasSize(1);
        model.check(driver, 5000);
    }

    @Test
    void aQueueThatIsToBeCompactedLaterIsCompactedThen() throws Exception {
        int queueId = driver.createQueues(1, 0);
        compact(EAGER);
        put(queueId, 1, 1);
        put(queueId, 1, 2);
        sweep();
        assertThat(left(queueId)).hasSize(2);

        move(queueId, COMPACTED);

        assertThat(left(queueId)).hasSize(1);
    }

    @Test
    void theFirstChangeInASecondActsAtOnceAndTheOthersWithTheNextTick() throws Exception {
        int first = driver.createQueues(2, 0);
        compact(EAGER);
        for (int queueId = first; queueId < first + 2; queueId++) {
            put(queueId, 1, 1);
            put(queueId, 1, 2);
        }
        sweep();

        move(first, COMPACTED);
        move(first + 1, COMPACTED);

        assertThat(left(first)).hasSize(1);
        assertThat(left(first + 1)).hasSize(2);
        store.tick();
        assertThat(left(first + 1)).hasSize(1);
    }

    @Test
    void oldRecordsInTheTailAreSweptAndCompactedAtOnceWhenLimitsChange() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        store.tick();
        put(queueId, 1, 1);
        put(queueId, 1, 2);
        clock.addAndGet(2_000);

        limit(new CompactionTerms(10, 60_000, 0, Long.MAX_VALUE, 100));

        assertThat(left(queueId)).hasSize(1);
    }

    @Test
    void moreKeysThanThereIsMemoryForTakeMorePasses() throws Exception {
        int queueId = driver.createQueues(1, COMPACTED);
        compact(EAGER);
        for (int i = 0; i < 3_000; i++) {
            put(queueId, i % 1_000, i);
        }
        sweep();

        assertThat(left(queueId)).hasSize(1_000);
        model.check(driver, 5000);

        for (int i = 0; i < 1_500; i++) {
            put(queueId, 500 + i % 750, i);
        }
        sweep();

        assertThat(left(queueId)).hasSize(1_250);
        model.check(driver, 5000);
    }

    @Test
    void aQueueWithUnreadableBatchesIsSkippedAndTheOthersAreCompacted() throws Exception {
        int first = driver.createQueues(3, COMPACTED);
        compact(EAGER);
        put(first, 1, 1);
        put(first, 1, 2);
        driver.append(first + 1, 1, clock.get(), new byte[] {99});
        driver.append(first + 1, 1, clock.get(), new byte[] {99});
        put(first + 2, 1, 1);
        put(first + 2, 1, 2);
        sweep();

        assertThat(left(first)).hasSize(1);
        assertThat(driver.readAll(first + 1, 0, 5000)).hasSize(2);
        assertThat(left(first + 2)).hasSize(1);
        assertThat(store.failure()).isNull();
    }

    @Test
    void randomWritesSayTheSameBeforeAndAfter() throws Exception {
        long firstSeed = Long.getLong("rivulet.seed", System.nanoTime());
        for (long seed = firstSeed; seed < firstSeed + 8; seed++) {
            try {
                randomWrites(new SplittableRandom(seed));
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private void randomWrites(SplittableRandom random) throws Exception {
        int first = driver.createQueues(4, COMPACTED);
        int whole = driver.createQueues(1, 0);
        compact(EAGER);
        for (int round = 0; round < 15; round++) {
            for (int i = random.nextInt(40); i > 0; i--) {
                appendRandom(random, first + random.nextInt(4));
                put(whole, random.nextInt(KEYS), i);
            }
            clock.addAndGet(random.nextInt(40_000));
            listAborted();
            if (random.nextInt(3) > 0) {
                sweep();
            }
            checkReadCommitted(first, 4);
            if (random.nextInt(6) == 0) {
                close();
                logKeepsBatches = random.nextBoolean();
                open();
            }
            model.check(driver, 1 + random.nextInt(5000));
            model.checkWhole(driver, whole);
        }
    }

    /** Removed entries stay removed: only what was written since the last call is new. */
    private void listAborted() {
        Map<Integer, NavigableSet<Long>> all = new HashMap<>();
        model.listAborted(all);
        all.forEach((queueId, markers) -> {
            markers.removeIf(marker -> !listed.add(queueId + "@" + marker));
            format.aborted.computeIfAbsent(queueId, id -> new TreeSet<>()).addAll(markers);
        });
    }

    private void checkReadCommitted(int first, int count) throws IOException {
        for (int queueId = first; queueId < first + count; queueId++) {
            if (model.queueIds().contains(queueId)) {
                model.checkReadCommitted(driver, queueId, format.aborted.getOrDefault(queueId, new TreeSet<>()));
            }
        }
    }

    private void appendRandom(SplittableRandom random, int queueId) throws Exception {
        long producerId = 1L + random.nextInt(3);
        List<Keyed> records = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            int value = random.nextInt(5) == 0 ? KeyedBatch.TOMBSTONE : random.nextInt(1_000);
            records.add(new Keyed(records.size(), random.nextInt(KEYS), value));
        }
        Kind kind = switch (random.nextInt(10)) {
            case 0 -> Kind.COMMIT;
            case 1 -> Kind.ABORT;
            case 2, 3 -> Kind.TRANSACTION_RECORDS;
            default -> Kind.RECORDS;
        };
        boolean marker = kind == Kind.COMMIT || kind == Kind.ABORT;
        int padding = random.nextInt(30) == 0 ? BIG : random.nextInt(50);
        model.append(
                driver, queueId, new KeyedBatch(kind, producerId, padding, marker ? List.of() : records), clock.get());
    }

    @Test
    void aPowerCutAtAnyMomentOfACompactionLeavesTheOldOrTheNew() throws Exception {
        SplittableRandom random = new SplittableRandom(Long.getLong("rivulet.seed", 5));
        int first = driver.createQueues(4, COMPACTED);
        int whole = driver.createQueues(1, 0);
        compact(EAGER);
        for (int i = 0; i < 120; i++) {
            appendRandom(random, first + random.nextInt(4));
            put(whole, i, i);
        }
        int from = disk.traceLength();
        for (int round = 0; round < 4; round++) {
            sweep();
            clock.addAndGet(70_000);
        }
        int to = disk.traceLength();
        long compactions = store.metric(StoreMetric.COMPACTIONS);
        assertThat(compactions).isPositive();

        for (int moment = from; moment <= to; moment += 1 + random.nextInt(3)) {
            CrashDisk cut = disk.afterPowerCut(moment, moment);
            for (int life = 0; life < 2; life++) {
                logKeepsBatches = random.nextBoolean();
                try (LocalStore after = open(cut)) {
                    StoreDriver reader = new StoreDriver(after);
                    model.check(reader, 5000);
                    reader.sweepEverything();
                    after.tick();
                    model.check(reader, 5000);
                    model.checkWhole(reader, whole);
                } catch (Throwable e) {
                    throw new AssertionError("moment " + moment, e);
                }
            }
        }
    }
}
