package io.rivulet.store.block;

import io.rivulet.store.cache.FileBytes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Directory pages that a reader used lately, copied and verified: the queues beside the one it has read are in the same pages, and
 * neither the cache nor a checksum has to be asked for them again.
 *
 * <p>Owned by: the reader. Memory: 128 KiB at most, page by page as they are used.
 */
final class VerifiedPages {
    /** Power of two. A reader who goes from queue to queue uses one page of each generation at a time. */
    private static final int COUNT = 32;

    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final ByteBuffer NO_SCRATCH = ByteBuffer.allocate(0);

    private final long[] fileNumbers = new long[COUNT];
    private final int[] pageIndexes = new int[COUNT];
    private final @Nullable DirectoryPage[] pages = new DirectoryPage[COUNT];
    private final @Nullable ByteBuffer[] memory = new ByteBuffer[COUNT];

    /** Null when it has to be {@link #put} first. Good until the next put. */
    @Nullable
    DirectoryPage get(long fileNumber, int pageIndex) {
        int slot = slot(fileNumber, pageIndex);
        return fileNumbers[slot] == fileNumber && pageIndexes[slot] == pageIndex ? pages[slot] : null;
    }

    /** @throws BlockReadException when it is damaged; it is then not kept */
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
