package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.BatchFormat.Kind;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.Outcome;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.View;
import io.rivulet.store.huge.HugeFiles;
import io.rivulet.store.inspect.StoreInspector;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.SetAside;
import io.rivulet.store.log.local.LocalLogConfig;
import io.rivulet.store.open.KeyedBatch.Keyed;
import io.rivulet.store.open.StoreDriver.Batch;
import io.rivulet.store.repair.Repair;
import io.rivulet.store.repair.RepairAdvice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches that no group of the log can hold. */
final class HugeBatchesTest {
    private static final int GROUP_BYTES = 128 << 10;
    private static final int HUGE = 300_000;
    private static final int COMPACTED = 1;
    private static final int BOUNDED = 2;
    private static final int CUTS_AT_A_MOMENT = 3;

    private static final StoreConfig CONFIG = StoreConfig.DEFAULT
            .withLog(LocalLogConfig.DEFAULT
                    .withGroups(4, GROUP_BYTES)
                    .withSegmentBytes(256 << 10)
                    .withSpareSegments(0))
            .withMemory(1 << 20, 1 << 20);

    private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
    private final KeyedBatch.Format format = new KeyedBatch.Format();
    private CrashDisk crashDisk = new CrashDisk();
    private FaultyDisk disk = new FaultyDisk(crashDisk);
    private final StepWorkers workers = new StepWorkers();
    private LocalStore store;
    private StoreDriver driver;

    @BeforeEach
    void open() throws Exception {
        store = LocalStore.open(
                CONFIG, new StoreEnvironment(disk, workers, clock::get), Attachments.NONE.withFormat(format));
        driver = new StoreDriver(store);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void reopen() throws Exception {
        store.close();
        open();
    }

    private void continueOn(CrashDisk left) throws Exception {
        store.close();
        crashDisk = left;
        disk = new FaultyDisk(left);
        open();
    }

    private List<String> files() throws IOException {
        return disk.exists(HugeFiles.FOLDER) ? disk.directory(HugeFiles.FOLDER).list() : List.of();
    }

    private CrashDisk folder() {
        return (CrashDisk) crashDisk.directory(HugeFiles.FOLDER);
    }

    @Test
    void theyAreReadBetweenOthersBeforeAndAfterTheSweepAndAnotherStart() throws Exception {
        int queue = driver.createQueues(1);
        List<Integer> sizes = List.of(10, HUGE, 40_000, GROUP_BYTES, 100, 9 * HUGE, GROUP_BYTES - 4096, 1);
        for (int size : sizes) {
            driver.append(queue, 1, size, bytes(size, size));
        }

        assertReads(queue, sizes);
        assertThat(files()).hasSize(3);
        driver.sweepEverything();
        assertReads(queue, sizes);
        reopen();
        assertReads(queue, sizes);
        driver.sweepEverything();
        reopen();
        assertReads(queue, sizes);
        assertThat(files()).hasSize(3);
    }

    private void assertReads(int queue, List<Integer> sizes) throws IOException {
        for (int maxBytes : new int[] {1, 100_000, 64 << 20}) {
            List<Batch> read = driver.readAll(queue, 0, maxBytes);
            assertThat(read).extracting(batch -> batch.bytes().length).containsExactlyElementsOf(sizes);
            for (Batch batch : read) {
                assertThat(batch.bytes()).isEqualTo(bytes(batch.bytes().length, batch.bytes().length));
            }
        }
    }

    /** The most that fits into a group, and the least that is huge: whatever does neither would stop all appends. */
    @Test
    void nothingIsBetweenTheLargestThatFitsIntoAGroupAndTheSmallestHugeOne() throws Exception {
        int queue = driver.createQueues(1);
        List<Integer> sizes =
                IntStream.rangeClosed(GROUP_BYTES - 160, GROUP_BYTES).boxed().toList();
        for (int size : sizes) {
            driver.append(queue, 1, size, bytes(size, size));
        }

        assertReads(queue, sizes);
        assertThat(files()).hasSizeBetween(1, sizes.size() - 1);
    }

    /** The digits of a language belong to what people read, not into names of files. */
    @Test
    void aDirectoryIsOpenedInAnotherLanguage() throws Exception {
        int queue = driver.createQueues(1);
        List<Integer> sizes = List.of(10, HUGE, 1);
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("fa-IR"));
            for (int size : sizes) {
                driver.append(queue, 1, size, bytes(size, size));
            }
            driver.sweepEverything();
        } finally {
            Locale.setDefault(before);
        }

        reopen();

        assertReads(queue, sizes);
    }

    @Test
    void anAtomicRequestThatFitsIntoNoGroupIsRejected() throws Exception {
        int queue = driver.createQueues(1);
        for (int bytes = GROUP_BYTES - 240; bytes <= GROUP_BYTES; bytes++) {
            List<AppendRequest> done = new ArrayList<>();
            AppendRequest both = new AppendRequest(ByteBuffer.allocateDirect(bytes), Wait.DURABLE, done::add)
                    .atomic()
                    .add(queue, 0, bytes / 2, 1, 1)
                    .add(queue, bytes / 2, bytes - bytes / 2, 1, 1);

            assertThat(store.append(both)).isTrue();

            assertThat(done).as("%d bytes", bytes).containsExactly(both);
        }
        driver.append(queue, 1, 1, bytes(10, 1));
    }

    @Test
    void oneThatWasNotWrittenToItsFileIsRejected() throws Exception {
        int queue = driver.createQueues(1);
        List<AppendRequest> done = new ArrayList<>();
        AppendRequest request = request(queue, bytes(HUGE, 1), done);

        assertThat(store.append(request)).isTrue();

        assertThat(done).containsExactly(request);
        assertThat(request.outcome(0)).isEqualTo(Outcome.TOO_LARGE);
        assertThat(store.endOffset(queue)).isZero();
    }

    private AppendRequest request(int queue, byte[] bytes, List<AppendRequest> done) {
        return new AppendRequest(ByteBuffer.allocateDirect(bytes.length).put(0, bytes), Wait.DURABLE, done::add)
                .add(queue, 0, bytes.length, 1, 1);
    }

    @Test
    void nobodySeesOneBeforeItIsAppendedAndACrashBeforeThatSetsItsFileAside() throws Exception {
        int queue = driver.createQueues(1);
        AppendRequest request = request(queue, bytes(HUGE, 1), new ArrayList<>());
        store.writeHuge(request, () -> {});
        assertThat(files()).hasSize(1);
        assertThat(store.endOffset(queue)).isZero();

        continueOn(crashDisk.afterKill());

        assertThat(store.endOffset(queue)).isZero();
        assertThat(files()).isEmpty();
        assertThat(new SetAside(disk).list()).singleElement().asString().endsWith(".batch");
        driver.append(queue, 1, 1, bytes(HUGE, 2));
        assertThat(driver.readAll(queue, 0, 1).get(0).bytes()).isEqualTo(bytes(HUGE, 2));
    }

    @Test
    void afterAPowerCutAtAnyMomentItIsThereCompletelyOrNotAtAll() throws Exception {
        int queue = driver.createQueues(1);
        driver.append(queue, 1, 1, bytes(10, 1));
        int before = crashDisk.traceLength();
        driver.append(queue, 2, 1, bytes(HUGE, 2));
        int acknowledged = crashDisk.traceLength();
        driver.append(queue, 1, 1, bytes(10, 3));
        driver.sweepEverything();
        CrashDisk trace = crashDisk;

        for (int moment = before; moment <= trace.traceLength(); moment++) {
            for (int seed = 0; seed < CUTS_AT_A_MOMENT; seed++) {
                continueOn(trace.afterPowerCut(moment, seed));
                List<Batch> left = driver.readAll(queue, 0, 1 << 20);
                assertThat(left.size())
                        .as("cut at %s with %s", moment, seed)
                        .isBetween(moment < acknowledged ? 1 : 2, 3);
                if (left.size() > 1) {
                    assertThat(left.get(1).bytes()).isEqualTo(bytes(HUGE, 2));
                }
                assertThat(files()).hasSize(left.size() > 1 ? 1 : 0);
            }
        }
    }

    @Test
    void itsFileIsDeletedWhenNothingIsStored() throws Exception {
        int queue = driver.createQueues(1);
        List<AppendRequest> done = new ArrayList<>();
        AppendRequest request = request(queue, bytes(HUGE, 1), done);
        store.writeHuge(request, () -> {});
        store.deleteQueues(queue, 1).toCompletableFuture().get();

        assertThat(store.append(request)).isTrue();

        assertThat(done).hasSize(1);
        assertThat(request.outcome(0)).isEqualTo(Outcome.NO_QUEUE);
        assertThat(files()).isEmpty();
    }

    @Test
    void itsFileIsDeletedWithItsQueueAndWhenItIsTrimmed() throws Exception {
        int queue = driver.createQueues(2);
        driver.append(queue, 1, 1, bytes(HUGE, 1));
        driver.append(queue, 1, 1, bytes(HUGE, 2));
        driver.append(queue + 1, 1, 1, bytes(HUGE, 3));
        assertThat(files()).hasSize(3);

        store.trim(queue, 1).toCompletableFuture().get();
        store.deleteQueues(queue + 1, 1).toCompletableFuture().get();
        driver.sweepEverything();

        assertThat(files()).hasSize(1);
        assertThat(driver.readAll(queue, 1, 1).get(0).bytes()).isEqualTo(bytes(HUGE, 2));
        reopen();
        assertThat(files()).hasSize(1);
        assertThat(driver.readAll(queue, 1, 1).get(0).bytes()).isEqualTo(bytes(HUGE, 2));
    }

    @Test
    void itCountsForTheSizeOfItsQueue() throws Exception {
        int queue = driver.createQueues(1);
        driver.append(queue, 1, 1, bytes(HUGE, 1));
        driver.append(queue, 1, 1, bytes(HUGE, 2));

        assertThat(store.reader().sizeBytes(queue)).isEqualTo(2 * HUGE);
        driver.sweepEverything();
        assertThat(store.reader().sizeBytes(queue)).isEqualTo(2 * HUGE);
    }

    @Test
    void theOldestOnesAreDeletedWhenTheirQueueHasTooManyBytes() throws Exception {
        store.setRetention(BOUNDED, -1, 2 * HUGE).toCompletableFuture().get();
        int queue = driver.createQueues(1, BOUNDED);
        for (int i = 0; i < 4; i++) {
            driver.append(queue, 1, 1, bytes(HUGE, i));
        }

        driver.sweepEverything();
        driver.sweepEverything();

        assertThat(store.startOffset(queue)).isEqualTo(2);
        assertThat(files()).hasSize(2);
    }

    @Test
    void aFullDiskRejectsItAndNothingElse() throws Exception {
        int queue = driver.createQueues(1);
        disk.fullAtNthWrite(1, 5000);

        AppendRequest rejected = driver.request(bytes(HUGE, 1), Wait.DURABLE, queue, 1, 1);

        assertThat(rejected.outcome(0)).isEqualTo(Outcome.DISK_FULL);
        assertThat(files()).isEmpty();
        assertThat(driver.append(queue, 1, 1, bytes(10, 1))).isZero();
        assertThat(driver.append(queue, 1, 1, bytes(HUGE, 2))).isEqualTo(1);
    }

    @Test
    void aWriteThatFailsFailsTheStore() throws Exception {
        int queue = driver.createQueues(1);
        disk.failNth(FaultyDisk.Op.FORCE, 1, name -> name.endsWith(".unfinished"));

        AppendRequest failed = driver.request(bytes(HUGE, 1), Wait.DURABLE, queue, 1, 1);

        assertThat(failed.outcome(0)).isEqualTo(Outcome.REFUSED);
        assertThat(store.failure()).isInstanceOf(IOException.class);
    }

    @Test
    void damageIsFoundWhenItIsReadAndByAnInspectionAndARepairDropsIt() throws Exception {
        int queue = driver.createQueues(1);
        driver.append(queue, 1, 1, bytes(10, 1));
        driver.append(queue, 1, 1, bytes(HUGE, 2));
        driver.append(queue, 1, 1, bytes(10, 3));
        driver.sweepEverything();
        folder().flipBit(files().get(0), HUGE / 2, 3);

        assertThatThrownBy(() -> driver.readAll(queue, 1, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("huge/");
        assertThat(driver.readAll(queue, 2, 1)).hasSize(1);
        store.close();
        List<String> lines = new ArrayList<>();
        assertThat(StoreInspector.inspect(disk, true, lines::add).isSound()).isFalse();
        assertThat(lines).anyMatch(line -> line.contains("refers to 1 batches that are missing or damaged"));
        Repair.run(disk, false, clock.get(), RepairAdvice.NONE, lines::add);
        open();
        assertThat(driver.readAll(queue, 0, 1)).extracting(Batch::baseOffset).containsExactly(0L, 2L);
    }

    /** Found by {@code prove --check damage --seed 7}: such a directory was called sound. */
    @Test
    void anInspectionFindsALostFileThatOnlyTheLogRefersTo() throws Exception {
        int queue = driver.createQueues(1);
        driver.append(queue, 1, 1, bytes(HUGE, 1));
        driver.append(queue, 1, 2, bytes(HUGE, 2));
        driver.append(queue, 1, 3, bytes(10, 3));
        store.close();
        List<String> lines = new ArrayList<>();
        assertThat(StoreInspector.inspect(disk, true, lines::add).isSound()).isTrue();

        disk.directory(HugeFiles.FOLDER).delete(files().get(1));

        assertThat(StoreInspector.inspect(disk, true, lines::add).isSound()).isFalse();
        assertThat(lines).anyMatch(line -> line.contains("can't be read at offset 1"));
        open();
        store.trim(queue, 2).toCompletableFuture().get();
        store.close();
        assertThat(StoreInspector.inspect(disk, true, lines::add).isSound()).isTrue();
        open();
    }

    /** Found by {@code prove --check damage --seed 5677}: a start after the repair refused the directory. */
    @Test
    void aDamagedHeaderOfAFileWhoseRowIsLostIsNoReasonToRefuse() throws Exception {
        int queue = driver.createQueues(1);
        driver.append(queue, 1, 1, bytes(HUGE, 1));
        driver.append(queue, 1, 1, bytes(10, 2));
        driver.sweepEverything();
        store.close();
        folder().flipBit(files().get(0), 0, 3);
        for (String name : crashDisk.directory("log").list()) {
            if (name.startsWith("view-" + View.HUGE_ID)) {
                crashDisk.directory("log").delete(name);
            }
        }

        Repair.run(disk, false, clock.get(), RepairAdvice.NONE, line -> {});

        open();
        assertThat(driver.readAll(queue, 1, 1)).hasSize(1);
    }

    @Test
    void compactionRemovesThoseWithoutRecordsAndKeepsTheOthersWhereTheyAre() throws Exception {
        int queue = driver.createQueues(1, COMPACTED);
        put(queue, 1, 10);
        put(queue, 2, 20);
        put(queue, 3, 30);
        put(queue, 1, 11);
        driver.append(queue, 1, clock.get(), new KeyedBatch(Kind.RECORDS, 0, 0, List.of(new Keyed(0, 2, 21))).bytes());
        assertThat(files()).hasSize(4);

        compact();

        assertThat(driver.readAll(queue, 0, 1)).extracting(Batch::baseOffset).containsExactly(2L, 3L, 4L);
        assertThat(files()).hasSize(2);
        reopen();
        assertThat(driver.readAll(queue, 0, 1)).extracting(Batch::baseOffset).containsExactly(2L, 3L, 4L);
        assertThat(files()).hasSize(2);
    }

    @Test
    void aFileOfALaterVersionIsRefusedByName() throws Exception {
        int queue = driver.createQueues(1);
        driver.append(queue, 1, HUGE, bytes(HUGE, HUGE));
        ByteBuffer header = ByteBuffer.allocate(64);
        try (DiskFile file = disk.directory(HugeFiles.FOLDER).open(files().get(0))) {
            file.read(0, header);
            CRC32C crc = new CRC32C();
            crc.update(header.putInt(8, 2).slice(8, 56));
            file.write(0, header.putInt(4, (int) crc.getValue()).flip());
        }

        assertThatThrownBy(() -> driver.readAll(queue, 0, 1))
                .hasMessageContaining(files().get(0))
                .hasMessageContaining("version 2");
        store.close();
        String name = files().get(0);
        List<String> lines = new ArrayList<>();
        assertThat(StoreInspector.inspect(disk, false, lines::add).isSound()).isFalse();
        assertThat(lines).anyMatch(line -> line.contains(name) && line.contains("version 2"));
        assertThat(Repair.run(disk, false, clock.get(), RepairAdvice.NONE, line -> {}))
                .isEqualTo(Repair.Result.NOTHING_TO_DO);
        assertThat(files()).contains(name);
        open();
    }

    /** The log-writer thread frees the tail, and may be slow. */
    @Test
    void oneThatCompactionHasRemovedIsAHoleAlsoWhileTheTailHasIt() throws Exception {
        int queue = driver.createQueues(1, COMPACTED);
        put(queue, 1, 10);
        put(queue, 2, 20);
        put(queue, 1, 11);
        compactFromNowOn();
        workers.hold("log-writer");

        var unused = store.sweepEverything();
        for (int i = 0; i < 4; i++) {
            clock.addAndGet(120_000);
            store.tick();
        }

        assertThat(files()).hasSize(2);
        assertThat(driver.readAll(queue, 0, 1)).extracting(Batch::baseOffset).containsExactly(1L, 2L);
        workers.hold("");
    }

    @Test
    void compactionLeavesThoseThatAreTooLongToReadUnlessTheyWereAborted() throws Exception {
        format.maxReadBytes = HUGE / 2;
        int queue = driver.createQueues(1, COMPACTED);
        put(queue, 1, 10);
        put(queue, 1, 11);
        append(queue, Kind.TRANSACTION_RECORDS, 7, HUGE, new Keyed(0, 1, 12));
        append(queue, Kind.ABORT, 7, 0);
        append(queue, Kind.TRANSACTION_RECORDS, 7, HUGE, new Keyed(0, 1, 13));
        append(queue, Kind.COMMIT, 7, 0);

        compact();

        assertThat(driver.readAll(queue, 0, 1).stream()
                        .filter(batch -> batch.bytes().length > HUGE)
                        .map(Batch::baseOffset))
                .containsExactly(0L, 1L, 4L);
        assertThat(files()).hasSize(3);
    }

    private void put(int queue, int key, int value) throws Exception {
        append(queue, Kind.RECORDS, 0, HUGE, new Keyed(0, key, value));
    }

    private void append(int queue, Kind kind, long producerId, int padding, Keyed... records) throws Exception {
        driver.append(queue, 1, clock.get(), new KeyedBatch(kind, producerId, padding, List.of(records)).bytes());
    }

    private void compact() throws Exception {
        driver.sweepEverything();
        compactFromNowOn();
        store.tick();
        driver.sweepEverything();
        store.tick();
    }

    private void compactFromNowOn() throws Exception {
        store.setRetention(
                        COMPACTED,
                        new RetentionLimits(-1, -1, new CompactionTerms(10, 60_000, 0, Long.MAX_VALUE, Long.MAX_VALUE)))
                .toCompletableFuture()
                .get();
    }

    /** Bytes that are a function of the seed. */
    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
