package io.rivulet.store.block.format;

/**
 * What the directory stores of one block.
 *
 * <p>Immutable.
 *
 * @param startAddress where in its file the block's header begins
 * @param offsetCount how many offsets it covers, beginning with {@code baseOffset}
 * @param streamBytes length of the stream after the header
 * @param maxTimestampDelta the highest timestamp in it, relative to the store's base
 */
public record BlockEntry(
        int queueId, long startAddress, long baseOffset, int offsetCount, int streamBytes, long maxTimestampDelta) {

    /** The offset after the block's last. */
    public long endOffset() {
        return baseOffset + offsetCount;
    }

    /** Header and stream. */
    public int blockBytes() {
        return BlockFileLayout.BLOCK_HEADER_BYTES + streamBytes;
    }

    /** Where in its file the block ends. */
    public long endAddress() {
        return startAddress + blockBytes();
    }
}
