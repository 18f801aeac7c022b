package io.rivulet.store.block.write;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.stream.StreamCursor;

/**
 * Statistics of the records in a block, for its directory entry and the file's footer.
 *
 * <p>Owned by: its creator. Reused for one block after another.
 */
public final class BlockStatistics {
    private int offsetCount;
    private long minTimestampDelta;
    private long maxTimestampDelta;
    private long lowestLsn;
    private long referencedBytes;

    public BlockStatistics() {
        clear();
    }

    /** Resets it to a block without records. */
    public void clear() {
        offsetCount = 0;
        minTimestampDelta = Long.MAX_VALUE;
        maxTimestampDelta = Long.MIN_VALUE;
        lowestLsn = BlockFileFooter.NO_REFERENCE;
        referencedBytes = 0;
    }

    /** Adds the record at the cursor. */
    public void add(StreamCursor record) {
        if (record.isHole()) {
            addHole(record.recordCount());
            return;
        }
        add(record.recordCount(), record.timestampDelta());
        if (record.isReference()) {
            lowestLsn = Math.min(lowestLsn, record.referenceLsn());
            referencedBytes += record.isHuge() ? 0 : record.payloadLength();
        }
    }

    /** Adds a record that holds its payload. */
    public void add(int recordCount, long timestampDelta) {
        offsetCount = Math.addExact(offsetCount, recordCount);
        minTimestampDelta = Math.min(minTimestampDelta, timestampDelta);
        maxTimestampDelta = Math.max(maxTimestampDelta, timestampDelta);
    }

    /** Adds offsets without a batch; they have no time. */
    public void addHole(int recordCount) {
        offsetCount = Math.addExact(offsetCount, recordCount);
    }

    /** Whether the number of offsets still fits an int after this record. */
    public boolean hasRoomFor(int recordCount) {
        return offsetCount <= Integer.MAX_VALUE - recordCount;
    }

    public int offsetCount() {
        return offsetCount;
    }

    /** 0 if the block has nothing but holes. That is the store's first moment, old enough for any limit of age. */
    public long minTimestampDelta() {
        return minTimestampDelta == Long.MAX_VALUE ? 0 : minTimestampDelta;
    }

    public long maxTimestampDelta() {
        return maxTimestampDelta == Long.MIN_VALUE ? 0 : maxTimestampDelta;
    }

    /** Length of all referenced payloads in the log. */
    long referencedBytes() {
        return referencedBytes;
    }

    /** The lowest lsn of all references; {@link BlockFileFooter#NO_REFERENCE} if there are none. */
    public long lowestLsn() {
        return lowestLsn;
    }
}
