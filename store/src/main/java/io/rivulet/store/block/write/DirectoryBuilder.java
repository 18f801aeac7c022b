package io.rivulet.store.block.write;

import static io.rivulet.store.block.format.BlockFileLayout.PAGE_BYTES;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.format.DirectoryPage;
import io.rivulet.store.block.format.DirectoryPageBuilder;
import io.rivulet.store.block.format.QueueFilter;
import java.nio.ByteBuffer;

/**
 * The directory of a file that is being written, in its final layout. Creates fence, filter and footer from it.
 *
 * <p>Owned by: background thread.
 */
final class DirectoryBuilder {
    private final BlockWriteBuffers buffers;
    private final long fileNumber;
    private final DirectoryPageBuilder page = new DirectoryPageBuilder();
    /** Number of sealed pages: all of them, after the last block and {@link #sealLast}. */
    private int pageCount;

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

    DirectoryBuilder(BlockWriteBuffers buffers, long fileNumber) {
        this.buffers = buffers;
        this.fileNumber = fileNumber;
    }

    /** @throws IllegalArgumentException if the block does not come after the last one */
    void add(BlockEntry entry, BlockStatistics facts) {
        requireOrder(entry);
        if (!page.add(entry)) {
            seal();
            page.add(entry);
        }
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

    /** Call it after the last block and before the methods below. */
    void sealLast() {
        if (!page.isEmpty()) {
            seal();
        }
    }

    private void seal() {
        page.seal(buffers.directoryPage(pageCount), fileNumber, pageCount);
        pageCount++;
    }

    int pageCount() {
        return pageCount;
    }

    int maxQueueId() {
        return maxQueueId;
    }

    /** A page as it is to be written. */
    ByteBuffer page(int pageIndex) {
        return buffers.directoryPage(pageIndex);
    }

    QueueFilter filter() {
        QueueFilter filter = QueueFilter.sizedFor(minQueueId, maxQueueId, queueCount);
        for (int pageIndex = 0; pageIndex < pageCount; pageIndex++) {
            DirectoryPage sealed = new DirectoryPage(page(pageIndex));
            for (int i = 0; i < sealed.entryCount(); i++) {
                filter.add(sealed.queueId(i));
            }
        }
        return filter;
    }

    byte[] fence() {
        ByteBuffer fence = ByteBuffer.allocate(pageCount * BlockFileLayout.FENCE_ENTRY_BYTES);
        for (int pageIndex = 0; pageIndex < pageCount; pageIndex++) {
            DirectoryPage sealed = new DirectoryPage(page(pageIndex));
            fence.putInt(sealed.queueId(0)).putLong(sealed.baseOffset(0));
        }
        return fence.array();
    }

    /** The footer, for blocks that end at {@code blocksEnd}. */
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
