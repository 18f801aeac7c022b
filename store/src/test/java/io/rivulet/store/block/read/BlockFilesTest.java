package io.rivulet.store.block.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.format.DirectoryPage;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The cost of reads, and the lifetime of files while they are read. */
class BlockFilesTest {
    private static final int MORE_BLOCKS_THAN_A_PAGE_HAS = 2048;

    private final BlockModel model = new BlockModel(9);

    private void sweepCycles(BlockFixture fixture, int cycles, int records, int... queueIds) throws IOException {
        for (int cycle = 1; cycle <= cycles; cycle++) {
            Map<Integer, List<BlockModel.Rec>> added = new TreeMap<>();
            for (int queueId : queueIds) {
                added.put(queueId, model.append(queueId, records, 100));
            }
            fixture.sweep(cycle, added);
        }
    }

    @Test
    void aQueueThatIsInNoFileCostsNoIo() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            sweepCycles(fixture, 6, 3, 10, 12, 20);
            long before = fixture.disk.count(Op.READ);
            for (int queueId : new int[] {0, 9, 11, 19, 21, 1000}) {
                assertThat(fixture.reader()
                                .read(queueId, 0, ByteBuffer.allocate(100), PageClass.TAIL)
                                .outcome())
                        .isEqualTo(BlockRead.Outcome.NOTHING);
            }
            assertThat(fixture.disk.count(Op.READ)).isEqualTo(before);
        }
    }

    /** Several queues at once: each of their blocks is visited once, in order, wherever directory pages begin. */
    @Test
    void manyQueuesAreShownAtOnce() throws IOException {
        try (BlockFixture fixture = new BlockFixture(new CrashDisk(), 64)) {
            fixture.limits = BlockFixture.MANY_BLOCKS;
            sweepCycles(fixture, 3, 500, 3, 5, 7, 9, 11);
            assertThat(fixture.files.files().get(0).footer().directoryPages()).isGreaterThan(2);
            int[] asked = {-1, 0, 3, 4, 7, 9, 12, 1000};
            Map<Integer, Long> reached = new TreeMap<>();
            fixture.files.forEachBlockOf(asked, 1, asked.length, (file, block) -> {
                assertThat(block.baseOffset()).isEqualTo(reached.getOrDefault(block.queueId(), 0L));
                reached.put(block.queueId(), block.endOffset());
            });
            assertThat(reached).isEqualTo(Map.of(3, model.endOffset(3), 7, model.endOffset(7), 9, model.endOffset(9)));
        }
    }

    /** 32 files have the queue; five or six of them are probed to find the right one. */
    @Test
    void findingAnOffsetProbesALogarithmOfTheFiles() throws IOException {
        try (BlockFixture fixture = new BlockFixture(new CrashDisk(), 256)) {
            sweepCycles(fixture, 32, 3, 4);
            long before = fixture.disk.count(Op.READ);
            Objects.requireNonNull(fixture.find(4, model.endOffset(4) / 3)).close();
            assertThat(fixture.disk.count(Op.READ) - before).isLessThanOrEqualTo(6);
        }
    }

    /** 16 files have the queue: one probe of each file that is needed, and none of the others. */
    @Test
    void aSearchGoesOnFromBlockToBlock() throws IOException {
        try (BlockFixture fixture = new BlockFixture(new CrashDisk(), 256)) {
            sweepCycles(fixture, 16, 3, 4);
            BlockSearch search = fixture.files.search(4, Long.MIN_VALUE, new VerifiedPages());
            long next = 0;
            int blocks = 0;
            for (FoundBlock found = search.next(next); found != null; found = search.next(next)) {
                assertThat(found.block().baseOffset()).isEqualTo(next);
                next = found.block().endOffset();
                blocks++;
                found.close();
            }
            assertThat(next).isEqualTo(model.endOffset(4));
            assertThat(blocks).isGreaterThanOrEqualTo(16);
            assertThat(fixture.disk.count(Op.READ)).isLessThanOrEqualTo(16 * 3 + 16 + 1);
        }
    }

    /** Also if the block is the last one of the queue in its file. */
    @Test
    void aSearchStaysWithABlockUntilTheOffsetIsBehindIt() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            sweepCycles(fixture, 2, 4, 4, 5);
            BlockSearch search = fixture.files.search(4, Long.MIN_VALUE, new VerifiedPages());
            for (long offset = 0; offset < model.endOffset(4); offset++) {
                FoundBlock found = Objects.requireNonNull(search.next(offset));
                found.close();
                assertThat(offset)
                        .isBetween(found.block().baseOffset(), found.block().endOffset() - 1);
            }
            assertThat(search.next(model.endOffset(4))).isNull();
        }
    }

    @Test
    void aSearchBeginsAnewWhenAFileIsClosedUnderIt() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            sweepCycles(fixture, 3, 1, 4);
            List<BlockFile> files = fixture.files.files();
            BlockSearch search = fixture.files.search(4, Long.MIN_VALUE, new VerifiedPages());
            FoundBlock first = Objects.requireNonNull(search.next(0));
            long next = first.block().endOffset();
            first.close();

            fixture.files.remove(List.of(files.get(0), files.get(1)));

            FoundBlock found = Objects.requireNonNull(search.next(next));
            assertThat(found.file()).isSameAs(files.get(2));
            found.close();
            assertThat(search.next(model.endOffset(4))).isNull();
        }
    }

    /** Searches for each offset, also for those whose block is the first of the next directory page. */
    @Test
    void everyOffsetIsFoundInADirectoryOfSeveralPages() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            fixture.limits = BlockFixture.MANY_BLOCKS;
            sweepCycles(fixture, 1, 500, 3, 5, 7, 9, 11);
            assertThat(fixture.files.files().get(0).footer().directoryPages()).isGreaterThan(2);
            for (int queueId : model.queues.keySet()) {
                for (long offset = 0; offset < model.endOffset(queueId); offset++) {
                    FoundBlock found = Objects.requireNonNull(fixture.find(queueId, offset));
                    assertThat(found.block().queueId()).isEqualTo(queueId);
                    assertThat(offset)
                            .isBetween(found.block().baseOffset(), found.block().endOffset() - 1);
                    found.close();
                }
                assertThat(fixture.find(queueId, model.endOffset(queueId))).isNull();
                assertThat(fixture.find(queueId + 1, 0)).isNull();
            }
        }
    }

    /** The first block of a queue may begin a directory page; a search from before it ends on the page before. */
    @Test
    void aQueueThatBeginsOnADirectoryPageIsFoundFromBeforeItsFirstOffset() throws IOException {
        BlockFileLimits oneRecordABlock = new BlockFileLimits(1, 1 << 20, 10_000);
        int blocksOfAPage;
        try (BlockFixture fixture = new BlockFixture()) {
            fixture.limits = oneRecordABlock;
            fixture.sweep(1, Map.of(3, new BlockModel(9).append(3, MORE_BLOCKS_THAN_A_PAGE_HAS, 20)));
            BlockFile file = fixture.files.files().get(0);
            ByteBuffer page = ByteBuffer.allocate(BlockFileLayout.PAGE_BYTES);
            file.read(file.footer().directoryStart(), page);
            blocksOfAPage = new DirectoryPage(page).entryCount();
        }
        try (BlockFixture fixture = new BlockFixture()) {
            fixture.limits = oneRecordABlock;
            Map<Integer, List<BlockModel.Rec>> added = new TreeMap<>();
            added.put(3, model.append(3, blocksOfAPage, 20));
            model.append(9, 5, 20);
            long before = model.endOffset(9);
            added.put(9, model.append(9, 4, 20));
            fixture.sweep(1, added);

            FoundBlock found = Objects.requireNonNull(fixture.find(9, before - 1));
            assertThat(found.block().baseOffset()).isEqualTo(before);
            found.close();
        }
    }

    @Test
    void openingAFileTakesThreeReads() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            sweepCycles(fixture, 1, 3, 4);
            BlockFileId id = fixture.files.files().get(0).footer().id();
            long before = fixture.disk.count(Op.READ);
            BlockFile.open(fixture.disk, id, fixture.cache).retire(false);
            assertThat(fixture.disk.count(Op.READ) - before).isEqualTo(3);
        }
    }

    @Test
    void aRecordThatDoesNotFitTellsHowLongItIs() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            sweepCycles(fixture, 1, 1, 4);
            int length =
                    BlockModel.stream(model.queues.getOrDefault(4, List.of())).remaining();
            BlockRead read = fixture.reader().read(4, 0, ByteBuffer.allocate(length - 1), PageClass.TAIL);
            assertThat(read).isEqualTo(new BlockRead(BlockRead.Outcome.TOO_SMALL, 0, 0, length));
        }
    }

    @Test
    void readingBeforeWhatIsStoredBeginsAtTheFirstRecord() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            model.append(4, 10, 100);
            long first = model.endOffset(4);
            sweepCycles(fixture, 1, 3, 4);
            BlockRead read = fixture.reader().read(4, 0, ByteBuffer.allocate(100_000), PageClass.TAIL);
            assertThat(read.baseOffset()).isEqualTo(first);
            assertThat(read.nextOffset()).isEqualTo(model.endOffset(4));
        }
    }

    @Test
    void aRemovedFileIsDeletedWhenItsLastReaderIsDone() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            sweepCycles(fixture, 1, 3, 4);
            BlockFile file = fixture.files.files().get(0);
            FoundBlock found = Objects.requireNonNull(fixture.find(4, 0));

            fixture.files.remove(List.of(file));

            assertThat(fixture.find(4, 0)).isNull();
            file.readBlock(found.block(), 0, PageClass.TAIL).close();
            assertThat(fixture.crashDisk.list()).containsExactly(file.name());
            found.close();
            assertThat(fixture.crashDisk.list()).isEmpty();
            assertThat(fixture.cache.pagesHeld()).isZero();
        }
    }

    @Test
    void aFileIsDeadWhenAllOfItIsDeletedOrTrimmed() throws IOException {
        try (BlockFixture fixture = new BlockFixture()) {
            sweepCycles(fixture, 2, 5, 4, 6);
            long trimmed = endOfFirst(fixture);
            QueueView queues = queueId -> queueId == 6 ? QueueView.DELETED : trimmed;
            assertThat(fixture.files.dead(queues))
                    .containsExactly(fixture.files.files().get(0));
            assertThat(fixture.files.dead(queueId -> queueId == 6 ? 0 : trimmed))
                    .isEmpty();
        }
    }

    /** The end of queue 4 in the first file. */
    private static long endOfFirst(BlockFixture fixture) throws IOException {
        BlockFile first = fixture.files.files().get(0);
        long end = 0;
        for (BlockEntry block = first.find(4, 0, new VerifiedPages()).block();
                block != null;
                block = first.find(4, end, new VerifiedPages()).block()) {
            end = block.endOffset();
        }
        return end;
    }
}
