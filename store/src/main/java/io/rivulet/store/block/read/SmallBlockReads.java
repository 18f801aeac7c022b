package io.rivulet.store.block.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads small blocks without the cache, if a file has no other block that the reader needs. Pages of the cache are many
 * times longer, and the rest of them would not be used. A reader that goes from queue to queue needs the next block
 * soon. So a second read close to the first one also reads some of what follows, and the next blocks come from this
 * memory.
 *
 * <p>Owned by: the reader. Memory: at most 256 KiB, allocated for each file when it is first read. Files never change
 * and their numbers are never reused, so the content never becomes stale.
 */
final class SmallBlockReads {
    /** Larger blocks are worth pages of the cache. */
    static final int MAX_BYTES = 16 << 10;

    /** Power of two. A reader that goes from queue to queue is at one place of each file at a time. */
    private static final int FILES = 16;

    private static final int NEAR_BYTES = 4 << 10;
    private static final long NO_FILE = -1;

    private final long[] fileNumbers = new long[FILES];
    private final long[] starts = new long[FILES];
    private final @Nullable ByteBuffer[] memory = new ByteBuffer[FILES];
    /** Of the same memory, for the result of a read. */
    private final @Nullable ByteBuffer[] results = new ByteBuffer[FILES];

    SmallBlockReads() {
        Arrays.fill(fileNumbers, NO_FILE);
    }

    /**
     * Returns {@code bytes} of the file, from position to limit of the result. Valid until the next call. Not verified.
     */
    ByteBuffer read(BlockFile file, long address, int bytes) throws IOException {
        int slot = slot(file);
        ByteBuffer held = memory[slot];
        ByteBuffer result = results[slot];
        if (held == null || result == null) {
            held = ByteBuffer.allocateDirect(MAX_BYTES);
            result = held.duplicate();
            memory[slot] = held;
            results[slot] = result;
        }
        boolean same = fileNumbers[slot] == file.fileNumber() && address >= starts[slot];
        long behind = address - starts[slot] - (same ? held.limit() : 0);
        if (!same || behind + bytes > 0) {
            boolean goesOn = same && behind <= NEAR_BYTES;
            fileNumbers[slot] = NO_FILE;
            load(file, address, bytes, goesOn ? MAX_BYTES : bytes, held);
            fileNumbers[slot] = file.fileNumber();
            starts[slot] = address;
        }
        int from = (int) (address - starts[slot]);
        return result.limit(from + bytes).position(from);
    }

    /** If the disk can't read beyond the needed bytes, reads only those. */
    private static void load(BlockFile file, long address, int bytes, int wanted, ByteBuffer target)
            throws IOException {
        int most = (int) Math.min(wanted, file.lengthBytes() - address);
        if (most > bytes) {
            try {
                file.readPastCache(address, target.clear().limit(most));
                target.flip();
                return;
            } catch (IOException e) {
                // Reads the block alone.
            }
        }
        file.readPastCache(address, target.clear().limit(bytes));
        target.flip();
    }

    /** The bytes of this file were damaged: the next read uses the disk again. */
    void forget(BlockFile file) {
        fileNumbers[slot(file)] = NO_FILE;
    }

    private static int slot(BlockFile file) {
        return (int) file.fileNumber() & FILES - 1;
    }
}
