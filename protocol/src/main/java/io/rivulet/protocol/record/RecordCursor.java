package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_BODY_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_HEADER_BYTES;

import io.rivulet.protocol.record.InvalidBatchException.Reason;
import io.rivulet.protocol.record.codec.Codec;

/**
 * Walks over the records of one batch after another. Every length is checked before it is used, and a record must be used
 * up exactly. Owned by one thread; made once, used for many batches, and closed in the end.
 *
 * <pre>
 *   cursor.begin(batch, maxDecompressedBytes);
 *   while (cursor.next()) {
 *       use(cursor.record());
 *   }
 * </pre>
 *
 * <p>Memory: nothing for an uncompressed batch. For a compressed one, what its codec says and the longest record, which
 * the limit bounds. At rest at most 64 KiB of heap for records, and what the codecs used so far keep.
 *
 * <p>Buffers: the batch's is borrowed until {@link #next} answers false or throws, {@link #end}, {@link #begin} or {@link #close}.
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

    /** Fields of the record that is being read, as distances from its first byte: the window may move meanwhile. */
    private long startPosition;

    private int keyDistance;
    private int valueDistance;
    private int headersDistance;
    private long readBytes;

    /**
     * Starts over on a batch whose header is sound.
     *
     * @param maxDecompressedBytes where decompression stops and the batch is refused
     */
    public void begin(RecordBatch batch, int maxDecompressedBytes) {
        start(batch, maxDecompressedBytes, true);
    }

    /** Like {@link #begin}, but keys, values and headers are passed over and cannot be looked at: costs no memory for them. */
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
     * @return false when the batch held as many as its header says, and nothing else
     * @throws InvalidBatchException when what comes next is no record
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
                throw invalid("the batch holds more than its records");
            }
        } catch (InvalidBatchException e) {
            end();
            throw e;
        }
        end();
        return false;
    }

    /** The record that {@link #next} found: one flyweight, moved on by the next call. */
    public RecordView record() {
        return record;
    }

    /** Whether Kafka's own consumers could read the batch: they know one flavour of LZ4 less. */
    public boolean isReadableByKafka() {
        return input.isReadableByKafka();
    }

    /** Lets go of the batch before its end. */
    public void end() {
        recordsLeft = 0;
        readBytes = Math.max(readBytes, input.position());
        input.end();
    }

    /** What has come out of the decompressor, of the compressed batch that was ended last. */
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
