package io.rivulet.protocol.record;

import io.rivulet.protocol.record.InvalidBatchException.Reason;

/**
 * Looks inside a batch that {@link BatchValidator} let through: decompresses it, in a constant amount of memory, and walks
 * over its records. Owned by one thread; made once, used for many batches, and closed in the end.
 */
public final class RecordsCheck implements AutoCloseable {
    private final RecordCursor cursor = new RecordCursor();
    private final PlainRecords plain = new PlainRecords();
    private final int maxDecompressedBytes;
    private long maxTimestamp;
    private long offsetOfMaxTimestamp;
    private long checkedBytes;

    /** @param maxDecompressedBytes what the records of one batch may take when decompressed */
    public RecordsCheck(int maxDecompressedBytes) {
        this.maxDecompressedBytes = maxDecompressedBytes;
    }

    /**
     * Checks that the records are as many as the header says, with offset deltas 0, 1, 2, ...
     *
     * @param keysRequired whether a record without a key is refused: compaction could not tell what it replaces
     * @throws InvalidBatchException when they are not
     */
    public void check(RecordBatch batch, boolean keysRequired) {
        boolean unused = checkUpTo(maxDecompressedBytes, batch, keysRequired);
    }

    /**
     * The same, but gives up where the decompressed records take more than {@code maxBytes}.
     *
     * @return false when it gave up
     * @throws InvalidBatchException when they are not, or take more than a batch's may
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

    /** What the records of the compressed batch that was checked last took, as far as that came. */
    public long checkedBytes() {
        return checkedBytes;
    }

    private void checkAll(int maxBytes, RecordBatch batch, boolean keysRequired) {
        if (batch.timestampType() == TimestampType.CREATE_TIME && plain.areSound(batch, keysRequired)) {
            checkedBytes = batch.recordsSizeInBytes();
            maxTimestamp = plain.maxTimestamp();
            offsetOfMaxTimestamp = batch.baseOffset() + plain.indexOfMax();
            return;
        }
        maxTimestamp = Long.MIN_VALUE;
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

    /** The largest timestamp of the batch checked last; its header should say the same, and can be stamped to. */
    public long maxTimestamp() {
        return maxTimestamp;
    }

    /** The offset of the first record that has it. */
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
            throw new InvalidBatchException(Reason.INVALID_RECORD, "record " + i + " of a compacted topic has no key");
        }
        if (record.timestamp() > maxTimestamp) {
            maxTimestamp = record.timestamp();
            offsetOfMaxTimestamp = record.offset();
        }
    }
}
