package io.rivulet.store.block;

/**
 * How large blocks and files get. A block exceeds its target only if a single record does. A file exceeds its target by
 * what is appended after it said that it is full.
 *
 * <p>Immutable.
 *
 * @param targetBlockBytes stream bytes of a block
 * @param targetFileBytes blocks of a file
 * @param maxFileBlocks of a file; each costs some bytes of memory while the file is written, 4 to 32
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
