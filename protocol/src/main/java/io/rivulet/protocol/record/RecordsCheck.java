package io.rivulet.protocol.record;

import io.rivulet.protocol.record.InvalidBatchException.Reason;

/**
 * Checks the records of a batch that {@link BatchValidator} passed: decompresses it in a constant amount of memory.
 * Owned by one thread; made once, used for many batches, and closed in the end.
 */
public final class RecordsCheck implements AutoCloseable {
    private final RecordCursor cursor = new RecordCursor();
    private final PlainRecords plain = new PlainRecords();
    private final int maxDecompressedBytes;
    private long maxTimestamp;
    private long minTimestamp;
    private long offsetOfMaxTimestamp;
    private long checkedBytes;

    /** @param maxDecompressedBytes the limit of the decompressed records of a batch */
    public RecordsCheck(int maxDecompressedBytes) {
        this.maxDecompressedBytes = maxDecompressedBytes;
    }

    /**
     * Checks that there are as many records as the header says, with offset deltas 0, 1, 2, ...
     *
     * @param keysRequired whether each record must have a key, as compaction needs it
     * @throws InvalidBatchException if they are invalid
     */
    public void check(RecordBatch batch, boolean keysRequired) {
        boolean unused = checkUpTo(maxDecompressedBytes, batch, keysRequired);
    }

    /**
     * The same, but stops when the decompressed records take more than {@code maxBytes}.
     *
     * @return false if it stopped
     * @throws InvalidBatchException if they are invalid, or take more than the limit of a batch
     */
    public boolean checkUpTo(int maxBytes, RecordBatch batch, boolean keysRequired) {
        try {
            checkAll(Math.min(maxBytes, maxDecompressedBytes), batch, keysRequired);
            return true;
        } catch (InvalidBatchException e) {
            if (e.reason() == Reason.BATCH_TOO_LARGE && maxBytes < maxDecompressedBytes) {
                return false;
            }
            throw e;
        }
    }

    /** The decompressed bytes of the last compressed batch, as far as they were read. */
    public long checkedBytes() {
        return checkedBytes;
    }

    private void checkAll(int maxBytes, RecordBatch batch, boolean keysRequired) {
        if (batch.timestampType() == TimestampType.CREATE_TIME && plain.areSound(batch, keysRequired)) {
            checkedBytes = batch.recordsSizeInBytes();
            maxTimestamp = plain.maxTimestamp();
            minTimestamp = plain.minTimestamp();
            offsetOfMaxTimestamp = batch.baseOffset() + plain.indexOfMax();
            return;
        }
        maxTimestamp = Long.MIN_VALUE;
        minTimestamp = Long.MAX_VALUE;
        try {
            cursor.beginSkimming(batch, maxBytes);
            if (!cursor.isReadableByKafka()) {
                throw new InvalidBatchException(
                        Reason.UNSUPPORTED_COMPRESSION, "LZ4 with linked blocks: Kafka's consumers cannot read it");
            }
            for (int i = 0; cursor.next(); i++) {
                checkRecord(cursor.record(), i, keysRequired);
            }
        } finally {
            cursor.end();
            checkedBytes = cursor.readBytes();
        }
    }

    /** The largest timestamp of the last batch. Its header should have the same. */
    public long maxTimestamp() {
        return maxTimestamp;
    }

    /** The smallest timestamp of the last batch. */
    public long minTimestamp() {
        return minTimestamp;
    }

    /** The offset of the first record with the largest timestamp. */
    public long offsetOfMaxTimestamp() {
        return offsetOfMaxTimestamp;
    }

    @Override
    public void close() {
        cursor.close();
    }

    private void checkRecord(RecordView record, int i, boolean keysRequired) {
        if (record.offsetDelta() != i) {
            throw new InvalidBatchException(
                    Reason.INVALID_RECORD, "record " + i + " has offset delta " + record.offsetDelta());
        }
        if (keysRequired && !record.hasKey()) {
            throw new InvalidBatchException(Reason.NO_KEY, "record " + i + " of a compacted topic has no key");
        }
        if (record.timestamp() > maxTimestamp) {
            maxTimestamp = record.timestamp();
            offsetOfMaxTimestamp = record.offset();
        }
        minTimestamp = Math.min(minTimestamp, record.timestamp());
    }
}
