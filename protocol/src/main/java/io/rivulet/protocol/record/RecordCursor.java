package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_BODY_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_HEADER_BYTES;

import io.rivulet.protocol.record.InvalidBatchException.Reason;
import io.rivulet.protocol.record.codec.Codec;

/**
 * Iterates over the records of batches. It checks each length before it uses it, and a record must end exactly where
 * its length says. Owned by one thread; made once, used for many batches, and closed in the end.
 *
 * <pre>
 *   cursor.begin(batch, maxDecompressedBytes);
 *   while (cursor.next()) {
 *       use(cursor.record());
 *   }
 * </pre>
 *
 * <p>Memory: none for an uncompressed batch. For a compressed batch, that of its codec and the longest record, which
 * the limit bounds. Between batches it keeps at most 64 KiB of heap for records, and the memory of codecs that were
 * used.
 *
 * <p>Buffers: the batch's buffer is borrowed until {@link #next} returns false or throws, {@link #end}, {@link #begin}
 * or {@link #close}.
 */
public final class RecordCursor implements AutoCloseable {
    private final RecordInput input = new RecordInput();
    private final RecordView record = new RecordView();
    private boolean keeping;
    private int recordsLeft;
    private long baseOffset;
    private long baseTimestamp;
    private long logAppendTimestamp;
    private boolean logAppendTime;

    /** Fields of the current record, as distances from its first byte, because the window may move. */
    private long startPosition;

    private int keyDistance;
    private int valueDistance;
    private int headersDistance;
    private long readBytes;

    /**
     * Starts with a batch that has a valid header.
     *
     * @param maxDecompressedBytes the limit of decompression, beyond which the batch is refused
     */
    public void begin(RecordBatch batch, int maxDecompressedBytes) {
        start(batch, maxDecompressedBytes, true);
    }

    /** Like {@link #begin}, but skips keys, values and headers, so they take no memory. */
    public void beginSkimming(RecordBatch batch, int maxDecompressedBytes) {
        start(batch, maxDecompressedBytes, false);
    }

    private void start(RecordBatch batch, int maxDecompressedBytes, boolean keeping) {
        Codec codec = batch.codec();
        if (codec == null) {
            throw new InvalidBatchException(
                    Reason.UNSUPPORTED_COMPRESSION, "attributes " + batch.attributes() + " name no codec");
        }
        this.keeping = keeping;
        readBytes = 0;
        recordsLeft = batch.recordCount();
        baseOffset = batch.baseOffset();
        baseTimestamp = batch.baseTimestamp();
        logAppendTime = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
        logAppendTimestamp = batch.maxTimestamp();
        try {
            input.begin(batch, codec, maxDecompressedBytes);
        } catch (InvalidBatchException e) {
            end();
            throw e;
        }
    }

    /**
     * Moves to the next record.
     *
     * @return false if the batch had exactly as many records as its header says
     * @throws InvalidBatchException if the next bytes are not a record
     */
    public boolean next() {
        try {
            if (recordsLeft > 0) {
                recordsLeft--;
                readRecord();
                return true;
            }
            input.drop();
            if (!input.isExhausted()) {
                throw invalid("the batch has bytes after its last record");
            }
        } catch (InvalidBatchException e) {
            end();
            throw e;
        }
        end();
        return false;
    }

    /** The record that {@link #next} found. A flyweight: the next call moves it. */
    public RecordView record() {
        return record;
    }

    /** Whether Kafka's consumers can read the batch: they lack one variant of LZ4. */
    public boolean isReadableByKafka() {
        return input.isReadableByKafka();
    }

    /** Ends the batch early. */
    public void end() {
        recordsLeft = 0;
        readBytes = Math.max(readBytes, input.position());
        input.end();
    }

    /** The bytes that were decompressed of the compressed batch that was ended last. */
    long readBytes() {
        return readBytes;
    }

    /** Frees all that the codecs hold. */
    @Override
    public void close() {
        end();
        input.close();
    }

    private void readRecord() {
        if (keeping) {
            input.keep();
        }
        startPosition = input.position();
        int length = input.readVarint();
        if (length < MIN_RECORD_BODY_BYTES) {
            throw invalid("a record of " + length + " bytes");
        }
        if (length > input.maxLeft()) {
            throw input.tooLong(length);
        }
        long endPosition = input.position() + length;
        readFields(endPosition);
        if (input.position() != endPosition) {
            throw invalid("a record does not end where its length says");
        }
        placeFields();
    }

    private void readFields(long endPosition) {
        input.readByte(); // attributes: none is defined
        record.timestampDelta = input.readVarlong();
        record.timestamp = logAppendTime ? logAppendTimestamp : baseTimestamp + record.timestampDelta;
        record.offsetDelta = input.readVarint();
        record.offset = baseOffset + record.offsetDelta;
        record.keyLength = readLength(endPosition);
        keyDistance = distance();
        input.skip(Math.max(record.keyLength, 0));
        record.valueLength = readLength(endPosition);
        valueDistance = distance();
        input.skip(Math.max(record.valueLength, 0));
        record.headerCount = readHeaderCount(endPosition);
        headersDistance = distance();
        for (int i = 0; i < record.headerCount; i++) {
            skipHeader(endPosition);
        }
    }

    private int readHeaderCount(long endPosition) {
        int count = input.readVarint();
        if (count < 0 || (long) count * MIN_RECORD_HEADER_BYTES > endPosition - input.position()) {
            throw invalid("a record with " + count + " headers");
        }
        return count;
    }

    private void skipHeader(long endPosition) {
        int keyLength = readLength(endPosition);
        if (keyLength == RecordView.NULL_LENGTH) {
            throw invalid("a header without a key");
        }
        input.skip(keyLength);
        input.skip(Math.max(readLength(endPosition), 0));
    }

    private int readLength(long endPosition) {
        int length = input.readVarint();
        if (length < RecordView.NULL_LENGTH || length > endPosition - input.position()) {
            throw invalid("a length of " + length + " within a record");
        }
        return length;
    }

    private int distance() {
        return (int) (input.position() - startPosition);
    }

    private void placeFields() {
        if (!keeping) {
            return;
        }
        int start = input.keptIndex();
        record.buffer = input.window();
        record.keyIndex = start + keyDistance;
        record.valueIndex = start + valueDistance;
        record.headersIndex = start + headersDistance;
        record.endIndex = input.index();
    }

    private static InvalidBatchException invalid(String what) {
        return new InvalidBatchException(Reason.INVALID_RECORD, what);
    }
}
