package io.rivulet.store.block;

import io.rivulet.store.stream.StreamCursor;

/**
 * What a block's directory entry and its file's footer tell of the records in it; summed up record by record.
 *
 * <p>Owned by: whoever created it. Reused for one block after another.
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

    /** As of a block with no record. */
    public void clear() {
        offsetCount = 0;
        minTimestampDelta = Long.MAX_VALUE;
        maxTimestampDelta = Long.MIN_VALUE;
        lowestLsn = BlockFileFooter.NO_REFERENCE;
        referencedBytes = 0;
    }

    /** Adds the record at which the cursor stands. */
    public void add(StreamCursor record) {
        if (record.isHole()) {
            addHole(record.recordCount());
            return;
        }
        add(record.recordCount(), record.timestampDelta());
        if (record.isReference()) {
            lowestLsn = Math.min(lowestLsn, record.referenceLsn());
            referencedBytes += record.payloadLength();
        }
    }

    /** Adds a record that holds its payload. */
    public void add(int recordCount, long timestampDelta) {
        offsetCount = Math.addExact(offsetCount, recordCount);
        minTimestampDelta = Math.min(minTimestampDelta, timestampDelta);
        maxTimestampDelta = Math.max(maxTimestampDelta, timestampDelta);
    }

    /** Adds offsets that have no batch any more; they have no time. */
    public void addHole(int recordCount) {
        offsetCount = Math.addExact(offsetCount, recordCount);
    }

    /** Whether a block would still count its offsets in an int with this record in it. */
    boolean hasRoomFor(int recordCount) {
        return offsetCount <= Integer.MAX_VALUE - recordCount;
    }

    public int offsetCount() {
        return offsetCount;
    }

    /** Of a block with nothing but holes 0, the store's first moment: it is old enough for any limit of age. */
    public long minTimestampDelta() {
        return minTimestampDelta == Long.MAX_VALUE ? 0 : minTimestampDelta;
    }

    public long maxTimestampDelta() {
        return maxTimestampDelta == Long.MIN_VALUE ? 0 : maxTimestampDelta;
    }

    /** Length of all payloads that are references only. */
    long referencedBytes() {
        return referencedBytes;
    }

    /** The lowest lsn of all references; {@link BlockFileFooter#NO_REFERENCE} if there are none. */
    public long lowestLsn() {
        return lowestLsn;
    }
}
