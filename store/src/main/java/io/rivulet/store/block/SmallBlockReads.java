package io.rivulet.store.block;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Small blocks that are all that their file has of what a reader is after, read past the cache: its pages are many times as long,
 * and nobody comes back for the rest of them. But a reader who goes from queue to queue comes to the block right behind: whoever
 * reads there once more gets some of what follows as well, and the next blocks from memory.
 *
 * <p>Owned by: the reader. Memory: 256 KiB at most, file by file as they are met. Files never change and their numbers are never used
 * again, so what is here can't go stale.
 */
final class SmallBlockReads {
    /** Larger ones are worth pages of the cache. */
    static final int MAX_BYTES = 16 << 10;

    /** Power of two. A reader who goes from queue to queue is in one place of each file at a time. */
    private static final int FILES = 16;

    private static final int NEAR_BYTES = 4 << 10;
    private static final long NO_FILE = -1;

    private final long[] fileNumbers = new long[FILES];
    private final long[] starts = new long[FILES];
    private final @Nullable ByteBuffer[] memory = new ByteBuffer[FILES];

    SmallBlockReads() {
        Arrays.fill(fileNumbers, NO_FILE);
    }

    /** So many bytes of the file, from the position of what is answered to its limit; good until the next call. Not verified. */
    ByteBuffer read(BlockFile file, long address, int bytes) throws IOException {
        int slot = slot(file);
        ByteBuffer held = memory[slot];
        if (held == null) {
            held = ByteBuffer.allocateDirect(MAX_BYTES);
            memory[slot] = held;
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
        return held.duplicate().position(from).limit(from + bytes);
    }

    /** A bad spot behind what is needed is somebody else's. */
    private static void load(BlockFile file, long address, int bytes, int wanted, ByteBuffer target)
            throws IOException {
        int most = (int) Math.min(wanted, file.lengthBytes() - address);
        if (most > bytes) {
            try {
                file.readPastCache(address, target.clear().limit(most));
                target.flip();
                return;
            } catch (IOException e) {
                // The block alone, then.
            }
        }
        file.readPastCache(address, target.clear().limit(bytes));
        target.flip();
    }

    /** What came of this file was not what was written: the next read asks the disk again. */
    void forget(BlockFile file) {
        fileNumbers[slot(file)] = NO_FILE;
    }

    private static int slot(BlockFile file) {
        return (int) file.fileNumber() & FILES - 1;
    }
}
