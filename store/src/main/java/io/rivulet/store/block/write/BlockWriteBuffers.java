package io.rivulet.store.block.write;

import io.rivulet.store.block.format.BlockFileLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a {@link BlockFileWriter}: what it gathers for one write, and directory pages until the end of the
 * file. Allocated for the first file and reused by the next ones. One writer at a time.
 *
 * <p>Memory: {@link #WRITE_BYTES} and the directory of the largest file so far, in steps of 256 KiB. A directory of
 * 262,144 blocks needs 1 MiB if the blocks are alike, 8 MiB at most.
 *
 * <p>Owned by: background thread.
 */
public final class BlockWriteBuffers {
    static final int WRITE_BYTES = 1 << 20;
    private static final int ALIGNMENT_BYTES = 4096;
    private static final int PAGES_PER_CHUNK = 64;

    private @Nullable ByteBuffer gathered;
    private final List<ByteBuffer> directoryChunks = new ArrayList<>();

    /** Aligned for direct I/O. */
    ByteBuffer gathered() {
        ByteBuffer there = gathered;
        if (there == null) {
            there = ByteBuffer.allocateDirect(WRITE_BYTES + ALIGNMENT_BYTES)
                    .alignedSlice(ALIGNMENT_BYTES)
                    .slice(0, WRITE_BYTES);
            gathered = there;
        }
        return there;
    }

    /** The memory of a directory page, with its previous content. */
    ByteBuffer directoryPage(int pageIndex) {
        int chunk = pageIndex / PAGES_PER_CHUNK;
        if (chunk == directoryChunks.size()) {
            directoryChunks.add(ByteBuffer.allocateDirect(PAGES_PER_CHUNK * BlockFileLayout.PAGE_BYTES));
        }
        int at = pageIndex % PAGES_PER_CHUNK * BlockFileLayout.PAGE_BYTES;
        return directoryChunks.get(chunk).slice(at, BlockFileLayout.PAGE_BYTES);
    }
}
