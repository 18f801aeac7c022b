package io.rivulet.store.block.write;

import io.rivulet.store.block.format.BlockFileLayout;

/**
 * Sizes of blocks and files. Only a block of a single record exceeds the target size. A file exceeds its target by what
 * is appended after {@code isFull}.
 *
 * <p>Immutable.
 *
 * @param targetBlockBytes stream bytes of a block
 * @param targetFileBytes bytes of all blocks of a file
 * @param maxFileBlocks blocks of a file; each needs 4 to 32 bytes of memory while the file is written
 */
public record BlockFileLimits(int targetBlockBytes, long targetFileBytes, int maxFileBlocks) {
    /** For files of the sweep. */
    public static final BlockFileLimits SWEEP = new BlockFileLimits(64 << 10, 128L << 20, 1 << 18);

    /** For merged files. */
    public static final BlockFileLimits MERGE = new BlockFileLimits(64 << 10, 512L << 20, 1 << 18);

    public BlockFileLimits {
        boolean blockFits = targetBlockBytes >= 1 && targetBlockBytes <= BlockFileLayout.MAX_BLOCK_STREAM_BYTES;
        boolean fileFits = targetFileBytes >= 1 && targetFileBytes <= BlockFileLayout.MAX_FILE_BYTES / 2;
        if (!blockFits || !fileFits || maxFileBlocks < 1) {
            throw new IllegalArgumentException("blocks of " + targetBlockBytes + " bytes, must be 1.."
                    + BlockFileLayout.MAX_BLOCK_STREAM_BYTES + "; files of " + targetFileBytes + " bytes, must be 1.."
                    + BlockFileLayout.MAX_FILE_BYTES / 2 + "; " + maxFileBlocks
                    + " blocks in a file, must be 1 or more");
        }
    }

    public BlockFileLimits withTargetFileBytes(long bytes) {
        return new BlockFileLimits(targetBlockBytes, bytes, maxFileBlocks);
    }
}
