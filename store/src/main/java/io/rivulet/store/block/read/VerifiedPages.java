package io.rivulet.store.block.read;

import io.rivulet.store.block.format.BlockFileLayout;
import io.rivulet.store.block.format.DirectoryPage;
import io.rivulet.store.cache.FileBytes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Verified copies of the directory pages that a reader used last. The next queues are often in the same pages, which
 * then need neither the cache nor a checksum.
 *
 * <p>Owned by: the reader. Memory: at most 128 KiB, allocated page by page.
 */
final class VerifiedPages {
    /** Power of two. A reader that goes from queue to queue uses one page of each generation at a time. */
    private static final int COUNT = 32;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final ByteBuffer NO_SCRATCH = ByteBuffer.allocate(0);

    private final long[] fileNumbers = new long[COUNT];
    private final int[] pageIndexes = new int[COUNT];
    private final @Nullable DirectoryPage[] pages = new DirectoryPage[COUNT];
    private final @Nullable ByteBuffer[] memory = new ByteBuffer[COUNT];

    /** Null if it must be {@link #put} first. Valid until the next put. */
    @Nullable
    DirectoryPage get(long fileNumber, int pageIndex) {
        int slot = slot(fileNumber, pageIndex);
        return fileNumbers[slot] == fileNumber && pageIndexes[slot] == pageIndex ? pages[slot] : null;
    }

    /** @throws BlockReadException if it is damaged; then it is not kept */
    DirectoryPage put(BlockFile file, int pageIndex, long address, FileBytes bytes) throws BlockReadException {
        int slot = slot(file.fileNumber(), pageIndex);
        pages[slot] = null;
        ByteBuffer copy = memory[slot];
        if (copy == null) {
            copy = ByteBuffer.allocateDirect(BlockFileLayout.PAGE_BYTES);
            memory[slot] = copy;
        }
        copy.clear()
                .put(bytes.contiguous(0, BlockFileLayout.PAGE_BYTES, NO_SCRATCH))
                .flip();
        String fault = DirectoryPage.faultIn(copy, file.fileNumber(), pageIndex);
        if (!fault.isEmpty()) {
            throw BlockReadException.corrupt(file.name(), address, fault);
        }
        DirectoryPage page = new DirectoryPage(copy);
        fileNumbers[slot] = file.fileNumber();
        pageIndexes[slot] = pageIndex;
        pages[slot] = page;
        return page;
    }

    private static int slot(long fileNumber, int pageIndex) {
        return (int) ((fileNumber * MIX + pageIndex * (MIX >>> 3)) >>> 59);
    }
}
