package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockEntry;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.format.DirectoryPage;
import io.rivulet.store.block.format.QueueFilter;
import io.rivulet.store.cache.FileBytes;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.cache.PageClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The sparse index of one file. Filter and fence are always in memory. Directory pages come through the cache and are
 * verified each time.
 *
 * <p>Immutable.
 */
final class BlockDirectory {
    private static final ByteBuffer NO_SCRATCH = ByteBuffer.allocate(0);

    private static final int WARM_BYTES = 256 << 10;

    private final BlockFile file;
    private final BlockFileFooter footer;
    private final QueueFilter filter;
    private final Fence fence;
    private final PageCache cache;

    BlockDirectory(BlockFile file, BlockFileFooter footer, QueueFilter filter, Fence fence, PageCache cache) {
        this.file = file;
        this.footer = footer;
        this.filter = filter;
        this.fence = fence;
        this.cache = cache;
        if (cache.pageBytes() % BlockFileLayout.PAGE_BYTES != 0) {
            throw new IllegalArgumentException("cache pages of " + cache.pageBytes()
                    + " bytes, must be a multiple of a directory page's " + BlockFileLayout.PAGE_BYTES);
        }
    }

    boolean mayHold(int queueId) {
        return footer.blockCount() > 0 && filter.mayHold(queueId);
    }

    /** Finds the first block of the queue that ends after the offset. Reads one page, rarely two. */
    BlockProbe find(int queueId, long offset, VerifiedPages known) throws IOException {
        if (!mayHold(queueId)) {
            return BlockProbe.ABSENT;
        }
        int pageIndex = fence.floor(queueId, offset);
        boolean holdsQueue = false;
        if (pageIndex >= 0) {
            BlockProbe probe = findInPage(pageIndex, queueId, offset, known);
            if (probe.block() != null) {
                return probe;
            }
            holdsQueue = probe.holdsQueue();
        }
        if (fence.floor(queueId, Long.MAX_VALUE) > pageIndex) {
            return findInPage(pageIndex + 1, queueId, offset, known);
        }
        return holdsQueue ? BlockProbe.PAST : BlockProbe.ABSENT;
    }

    private BlockProbe findInPage(int pageIndex, int queueId, long offset, VerifiedPages known) throws IOException {
        DirectoryPage page = page(pageIndex, known);
        int floor = page.floor(queueId, offset);
        boolean holdsQueue = floor >= 0 && page.queueId(floor) == queueId;
        if (holdsQueue && page.entry(floor).endOffset() > offset) {
            return found(page, floor);
        }
        if (floor + 1 < page.entryCount() && page.queueId(floor + 1) == queueId) {
            return found(page, floor + 1);
        }
        return holdsQueue ? BlockProbe.PAST : BlockProbe.ABSENT;
    }

    private DirectoryPage page(int pageIndex, VerifiedPages known) throws IOException {
        DirectoryPage page = known.get(footer.fileNumber(), pageIndex);
        if (page != null) {
            return page;
        }
        try (FileBytes bytes = pageBytes(pageIndex)) {
            return known.put(file, pageIndex, pageAddress(pageIndex), bytes);
        }
    }

    private BlockProbe found(DirectoryPage page, int index) throws IOException {
        BlockEntry block = checked(page.entry(index));
        boolean endsPage = index + 1 == page.entryCount();
        if (endsPage || page.queueId(index + 1) != block.queueId()) {
            return new BlockProbe(true, block, block.endAddress(), !endsPage);
        }
        int last = page.floor(block.queueId(), Long.MAX_VALUE);
        return new BlockProbe(true, block, page.entry(last).endAddress(), false);
    }

    /** The first block of all queues with at least this id; null if there is none. */
    @Nullable
    BlockEntry firstFrom(int queueId) throws IOException {
        int pageIndex = Math.max(0, fence.floor(queueId, -1));
        for (; pageIndex < fence.pageCount(); pageIndex++) {
            try (FileBytes bytes = pageBytes(pageIndex)) {
                DirectoryPage page = verified(bytes, pageIndex);
                int index = page.floor(queueId, -1) + 1;
                if (index < page.entryCount()) {
                    return checked(page.entry(index));
                }
            }
        }
        return null;
    }

    void warm() throws IOException {
        long end = pageAddress(fence.pageCount());
        for (long address = pageAddress(0); address < end; address += WARM_BYTES) {
            cache.read(file, address, (int) Math.min(WARM_BYTES, end - address), 0, PageClass.TAIL)
                    .close();
        }
    }

    /** Visits all blocks in order. */
    void forEach(EntryVisitor visitor) throws IOException {
        allMatch(block -> {
            visitor.block(block);
            return true;
        });
    }

    /** Whether all blocks match. Tests them in order and stops at the first that does not. */
    boolean allMatch(EntryCondition condition) throws IOException {
        for (int pageIndex = 0; pageIndex < fence.pageCount(); pageIndex++) {
            try (FileBytes bytes = pageBytes(pageIndex)) {
                DirectoryPage page = verified(bytes, pageIndex);
                for (int i = 0; i < page.entryCount(); i++) {
                    if (!condition.test(page.entry(i))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    interface EntryCondition {
        boolean test(BlockEntry block) throws IOException;
    }

    /** Receives blocks. */
    interface EntryVisitor {
        void block(BlockEntry block) throws IOException;
    }

    /**
     * Visits the blocks of some queues, whose ids ascend. Reads only the pages that have such blocks, and each only
     * once.
     */
    void forEachBlockOf(int[] queueIds, int from, int to, EntryVisitor visitor) throws IOException {
        int pageIndex = 0;
        int next = from;
        while (next < to) {
            if (!mayHold(queueIds[next])) {
                next++;
                continue;
            }
            pageIndex = Math.max(pageIndex, fence.floor(queueIds[next], -1));
            try (FileBytes bytes = pageBytes(pageIndex)) {
                next = forEachBlockInPage(verified(bytes, pageIndex), pageIndex, queueIds, next, to, visitor);
            }
            pageIndex++;
        }
    }

    /** Returns the index of the first queue that needs the next page: it continues or begins there. */
    private int forEachBlockInPage(
            DirectoryPage page, int pageIndex, int[] queueIds, int from, int to, EntryVisitor visitor)
            throws IOException {
        for (int i = from; i < to; i++) {
            int index = page.floor(queueIds[i], -1) + 1;
            for (; index < page.entryCount() && page.queueId(index) == queueIds[i]; index++) {
                visitor.block(checked(page.entry(index)));
            }
            if (index == page.entryCount() && fence.reaches(pageIndex + 1, queueIds[i])) {
                return i;
            }
        }
        return to;
    }

    private FileBytes pageBytes(int pageIndex) throws IOException {
        return cache.read(file, pageAddress(pageIndex), BlockFileLayout.PAGE_BYTES, 0, PageClass.TAIL);
    }

    private DirectoryPage verified(FileBytes bytes, int pageIndex) throws BlockReadException {
        ByteBuffer page =
                bytes.contiguous(0, BlockFileLayout.PAGE_BYTES, NO_SCRATCH).slice();
        String fault = DirectoryPage.faultIn(page, footer.fileNumber(), pageIndex);
        if (!fault.isEmpty()) {
            throw BlockReadException.corrupt(file.name(), pageAddress(pageIndex), fault);
        }
        return new DirectoryPage(page);
    }

    private BlockEntry checked(BlockEntry entry) throws BlockReadException {
        boolean inBlocks = entry.startAddress() >= BlockFileLayout.HEADER_BYTES
                && entry.streamBytes() >= 1
                && entry.streamBytes() <= BlockFileLayout.MAX_BLOCK_STREAM_BYTES
                && entry.endAddress() <= footer.directoryStart();
        if (!inBlocks || entry.offsetCount() < 1) {
            throw BlockReadException.corrupt(file.name(), entry.startAddress(), "directory entry " + entry);
        }
        return entry;
    }

    private long pageAddress(int pageIndex) {
        return footer.directoryStart() + (long) pageIndex * BlockFileLayout.PAGE_BYTES;
    }

    int residentBytes() {
        return filter.residentBytes() + fence.residentBytes();
    }
}
