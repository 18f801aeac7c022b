package io.rivulet.store.block.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.cache.FileBytes;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.io.DiskFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A damaged byte anywhere in a file is detected by the reads that need it, and only by them. No altered byte is
 * returned.
 */
class BlockFileDamageTest {
    private static final BlockFileId ID = new BlockFileId(BlockFixture.STORE_ID, 1);

    /** Reads all records of a queue in a file, in one of several ways. */
    private interface QueueBytes {
        byte[] of(BlockFile file, int queueId) throws IOException;
    }

    private final BlockFixture fixture = new BlockFixture();
    private final BlockModel model = new BlockModel(11);
    private BlockFileFooter footer;

    @BeforeEach
    void oneFileWithAFewQueues() throws IOException {
        Map<Integer, List<BlockModel.Rec>> added = new TreeMap<>();
        for (int q = 0; q < 8; q++) {
            added.put(3 * q, model.append(3 * q, 12, 200));
        }
        fixture.sweep(1, added);
        footer = fixture.files.files().get(0).footer();
        fixture.files.close();
        fixture.files = new BlockFiles();
    }

    @Test
    void everyBitOfTheFooterIsGuarded() {
        for (long address = footer.totalBytes() - BlockFileFooter.BYTES; address < footer.totalBytes(); address++) {
            requireEachFlippedBitIsDetectedAtTheOpening(address);
        }
    }

    @Test
    void aFlippedBitInHeaderFilterOrFenceChangesNoRead() throws IOException {
        for (long address = 0; address < BlockFileLayout.HEADER_BYTES; address++) {
            requireEachFlippedBitIsRebuilt(address);
        }
        for (long address = footer.filterStart(); address < footer.filterStart() + indexBytes(); address++) {
            requireEachFlippedBitIsRebuilt(address);
        }
    }

    private int indexBytes() {
        return footer.filterBytes() + footer.fenceBytes();
    }

    @Test
    void anIndexThatCantBeReadIsMadeAgain() throws IOException {
        fixture.disk.failReads(ID.name(), footer.filterStart(), footer.filterStart() + indexBytes());
        requireMendedAndWhole("unreadable");
    }

    private void requireEachFlippedBitIsRebuilt(long address) throws IOException {
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            fixture.crashDisk.flipBit(ID.name(), address, bit);
            requireMendedAndWhole("bit " + bit + " of byte " + address);
            fixture.crashDisk.flipBit(ID.name(), address, bit);
        }
    }

    private void requireMendedAndWhole(String what) throws IOException {
        BlockFile file = BlockFile.open(fixture.disk, ID, fixture.cache);
        assertThat(file.isMended()).as(what).isTrue();
        for (int queueId = 0; queueId < 30; queueId++) {
            assertThat(file.mayHold(queueId)).as(what).isEqualTo(model.queues.containsKey(queueId));
            assertThat(read(file, queueId)).as(what).isEqualTo(expected(queueId));
        }
        file.retire(false);
    }

    private void requireEachFlippedBitIsDetectedAtTheOpening(long address) {
        for (int bit = 0; bit < Byte.SIZE; bit++) {
            fixture.crashDisk.flipBit(ID.name(), address, bit);
            assertThatThrownBy(() -> BlockFile.open(fixture.disk, ID, fixture.cache))
                    .as("bit %s of byte %s", bit, address)
                    .isInstanceOf(BlockReadException.class)
                    .hasMessageContaining(ID.name());
            fixture.crashDisk.flipBit(ID.name(), address, bit);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aFlippedBitInBlocksOrDirectoryIsNeverServed(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 1500; i++) {
            long address = random.nextLong(BlockFileLayout.HEADER_BYTES, footer.filterStart());
            int bit = random.nextInt(Byte.SIZE);
            assertThat(alteredQueues(address, bit, BlockFileDamageTest::read))
                    .as("seed %s: queues altered by bit %s of byte %s", seed, bit, address)
                    .isZero();
        }
    }

    /** Tests the checker: it detects a reader that does not verify. */
    @Test
    void theCheckerFindsAReaderThatDoesNotVerify() throws IOException {
        int altered = 0;
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 50; i++) {
            long address = random.nextLong(BlockFileLayout.HEADER_BYTES, footer.blocksEnd());
            altered += alteredQueues(address, 2, this::readWithoutVerifying);
        }
        assertThat(altered).isGreaterThan(10);
    }

    @Test
    void damageToOneBlockLeavesTheOthersReadable() throws IOException {
        int failed = 0;
        fixture.crashDisk.flipBit(ID.name(), 300, 0);
        BlockFile file = BlockFile.open(fixture.disk, ID, fixture.cache);
        for (int queueId : model.queues.keySet()) {
            try {
                assertThat(read(file, queueId)).isEqualTo(expected(queueId));
            } catch (BlockReadException e) {
                assertThat(e.kind()).isEqualTo(BlockReadException.Kind.CORRUPT);
                assertThat(e).hasMessageContaining(ID.name()).hasMessageContaining("at address " + e.address());
                failed++;
            }
        }
        assertThat(failed).isEqualTo(1);
        file.retire(false);
    }

    @Test
    void aReadErrorHitsOnlyThoseWhoNeedThatPlace() throws IOException {
        BlockFile file = BlockFile.open(fixture.disk, ID, fixture.cache);
        fixture.disk.failReads(ID.name(), 0, BlockFixture.PAGE_BYTES);
        int failed = 0;
        for (int queueId : model.queues.keySet()) {
            try {
                assertThat(read(file, queueId)).isEqualTo(expected(queueId));
            } catch (BlockReadException e) {
                assertThat(e.kind()).isEqualTo(BlockReadException.Kind.UNREADABLE);
                failed++;
            }
        }
        assertThat(failed).isBetween(1, model.queues.size() - 1);
        file.retire(false);
        fixture.requireBalanced();
    }

    @Test
    void aTruncatedFileIsRefused() throws IOException {
        DiskFile disk = fixture.crashDisk.open(ID.name());
        for (long length = footer.totalBytes() - 1; length >= 0; length -= 1 + length / 50) {
            disk.truncate(length);
            assertThatThrownBy(() -> BlockFile.open(fixture.disk, ID, fixture.cache))
                    .isInstanceOf(BlockReadException.class);
        }
    }

    @Test
    void aFileWithTheNameOfAnotherIsRefused() throws IOException {
        BlockFileId other = new BlockFileId(BlockFixture.STORE_ID, 2);
        fixture.crashDisk.rename(ID.name(), other.name());
        assertThatThrownBy(() -> BlockFile.open(fixture.disk, other, fixture.cache))
                .isInstanceOf(BlockReadException.class);
        BlockFileId otherStore = new BlockFileId(BlockFixture.STORE_ID + 1, 1);
        fixture.crashDisk.rename(other.name(), otherStore.name());
        assertThatThrownBy(() -> BlockFile.open(fixture.disk, otherStore, fixture.cache))
                .isInstanceOf(BlockReadException.class);
    }

    /** The number of queues that read differently from what was written, with this bit flipped. */
    private int alteredQueues(long address, int bit, QueueBytes reading) throws IOException {
        fixture.crashDisk.flipBit(ID.name(), address, bit);
        int altered = 0;
        BlockFile file = BlockFile.open(fixture.disk, ID, fixture.cache);
        for (int queueId : model.queues.keySet()) {
            try {
                altered += Arrays.equals(reading.of(file, queueId), expected(queueId)) ? 0 : 1;
            } catch (BlockReadException e) {
                assertThat(e.address()).isBetween(0L, footer.totalBytes());
            }
        }
        file.retire(false);
        fixture.requireBalanced();
        fixture.crashDisk.flipBit(ID.name(), address, bit);
        return altered;
    }

    private byte[] expected(int queueId) {
        return BlockModel.stream(model.queues.getOrDefault(queueId, List.of())).array();
    }

    private static byte[] read(BlockFile file, int queueId) throws IOException {
        return blocks(file, queueId, block -> file.readBlock(block, 0, PageClass.TAIL));
    }

    private byte[] readWithoutVerifying(BlockFile file, int queueId) throws IOException {
        return blocks(
                file,
                queueId,
                block -> fixture.cache.read(file, block.startAddress(), block.blockBytes(), 0, PageClass.TAIL));
    }

    private interface BlockBytes {
        FileBytes of(BlockEntry block) throws IOException;
    }

    private static byte[] blocks(BlockFile file, int queueId, BlockBytes reading) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (BlockEntry block = file.find(queueId, 0, new VerifiedPages()).block(); block != null; ) {
            try (FileBytes bytes = reading.of(block)) {
                ByteBuffer stream = ByteBuffer.allocate(block.streamBytes());
                bytes.copyTo(BlockFileLayout.BLOCK_HEADER_BYTES, block.streamBytes(), stream);
                all.write(stream.array());
            }
            block = file.find(queueId, block.endOffset(), new VerifiedPages()).block();
        }
        return all.toByteArray();
    }
}
