package io.rivulet.store.block;

import static io.rivulet.store.block.BlockFileLayout.ENTRIES_PER_PAGE;
import static io.rivulet.store.block.BlockFileLayout.PAGE_BYTES;

import java.nio.ByteBuffer;

/**
 * The directory of a file that is being written, laid out as it will stand in the file, and what is made of it: fence,
 * filter and the sums of the footer.
 *
 * <p>Owned by: background thread.
 */
final class DirectoryBuilder {
    private static final ByteBuffer NO_PAGE = ByteBuffer.allocate(0);

    private final BlockWriteBuffers buffers;
    private ByteBuffer page = NO_PAGE;
    private int pageCount;
    private int entriesInPage = ENTRIES_PER_PAGE;

    private long blockCount;
    private long offsetCount;
    private int queueCount;
    private int minQueueId;
    private int maxQueueId = -1;
    private long endOffset;
    private long minTimestampDelta = Long.MAX_VALUE;
    private long maxTimestampDelta = Long.MIN_VALUE;
    private long lowestLsn = BlockFileFooter.NO_REFERENCE;
    private long referencedBytes;

    DirectoryBuilder(BlockWriteBuffers buffers) {
        this.buffers = buffers;
    }

    /** @throws IllegalArgumentException when the block does not come after the last one */
    void add(BlockEntry entry, BlockFacts facts) {
        requireOrder(entry);
        if (entriesInPage == ENTRIES_PER_PAGE) {
            page = buffers.directoryPage(pageCount++);
            entriesInPage = 0;
        }
        BlockFileLayout.putEntry(page, BlockFileLayout.entryAt(entriesInPage++), entry);
        if (blockCount == 0) {
            minQueueId = entry.queueId();
        }
        if (entry.queueId() != maxQueueId) {
            queueCount++;
            maxQueueId = entry.queueId();
        }
        endOffset = entry.endOffset();
        blockCount++;
        offsetCount += entry.offsetCount();
        minTimestampDelta = Math.min(minTimestampDelta, facts.minTimestampDelta());
        maxTimestampDelta = Math.max(maxTimestampDelta, facts.maxTimestampDelta());
        lowestLsn = Math.min(lowestLsn, facts.lowestLsn());
        referencedBytes += facts.referencedBytes();
    }

    private void requireOrder(BlockEntry entry) {
        boolean inOrder = entry.queueId() > maxQueueId
                || (entry.queueId() == maxQueueId && entry.baseOffset() >= endOffset && blockCount > 0);
        if (!inOrder || entry.queueId() < 0 || entry.baseOffset() < 0 || entry.offsetCount() < 1) {
            throw new IllegalArgumentException(entry + " does not come after queue " + maxQueueId + ", " + endOffset);
        }
    }

    long blockCount() {
        return blockCount;
    }

    int pageCount() {
        return pageCount;
    }

    int maxQueueId() {
        return maxQueueId;
    }

    /** A page with its header, ready to be written. */
    ByteBuffer sealedPage(int pageIndex, long fileNumber) {
        ByteBuffer sealed = buffers.directoryPage(pageIndex);
        int entryCount = entryCount(pageIndex);
        for (int at = 0; at < BlockFileLayout.PAGE_HEADER_BYTES; at += Integer.BYTES) {
            sealed.putInt(at, 0);
        }
        for (int at = BlockFileLayout.entryAt(entryCount); at < PAGE_BYTES; at += Integer.BYTES) {
            sealed.putInt(at, 0);
        }
        sealed.putInt(BlockFileLayout.PAGE_ENTRY_COUNT_AT, entryCount);
        sealed.putLong(BlockFileLayout.PAGE_FILE_NUMBER_AT, fileNumber);
        sealed.putInt(BlockFileLayout.PAGE_INDEX_AT, pageIndex);
        sealed.putInt(
                BlockFileLayout.PAGE_CRC_AT,
                BlockFileLayout.crc(sealed, BlockFileLayout.PAGE_ENTRY_COUNT_AT, PAGE_BYTES));
        return sealed;
    }

    private int entryCount(int pageIndex) {
        return pageIndex == pageCount - 1 ? entriesInPage : ENTRIES_PER_PAGE;
    }

    QueueFilter filter() {
        QueueFilter filter = QueueFilter.sizedFor(minQueueId, maxQueueId, queueCount);
        for (int pageIndex = 0; pageIndex < pageCount; pageIndex++) {
            ByteBuffer entries = buffers.directoryPage(pageIndex);
            for (int i = 0; i < entryCount(pageIndex); i++) {
                filter.add(entries.getInt(BlockFileLayout.entryAt(i) + BlockFileLayout.ENTRY_QUEUE_ID_AT));
            }
        }
        return filter;
    }

    byte[] fence() {
        ByteBuffer fence = ByteBuffer.allocate(pageCount * BlockFileLayout.FENCE_ENTRY_BYTES);
        int entryAt = BlockFileLayout.entryAt(0);
        for (int pageIndex = 0; pageIndex < pageCount; pageIndex++) {
            ByteBuffer entries = buffers.directoryPage(pageIndex);
            fence.putInt(entries.getInt(entryAt + BlockFileLayout.ENTRY_QUEUE_ID_AT));
            fence.putLong(entries.getLong(entryAt + BlockFileLayout.ENTRY_BASE_OFFSET_AT));
        }
        return fence.array();
    }

    /** The sums of all blocks, and where things lie: behind blocks that end at {@code blocksEnd}. */
    BlockFileFooter footer(BlockFileOrigin origin, int coverTo, long blocksEnd, int filterBytes, long checksums) {
        long directoryStart = BlockFileLayout.roundUp(blocksEnd, PAGE_BYTES);
        long directoryBytes = (long) pageCount * (PAGE_BYTES + BlockFileLayout.FENCE_ENTRY_BYTES);
        return new BlockFileFooter(
                origin.id().storeId(),
                origin.id().fileNumber(),
                origin.level(),
                origin.firstCycle(),
                origin.lastCycle(),
                origin.coverFrom(),
                coverTo,
                minQueueId,
                maxQueueId,
                queueCount,
                blockCount,
                offsetCount,
                blocksEnd,
                minTimestampDelta,
                maxTimestampDelta,
                lowestLsn,
                pageCount,
                filterBytes,
                checksums,
                directoryStart + directoryBytes + filterBytes + BlockFileFooter.BYTES,
                referencedBytes);
    }
}
