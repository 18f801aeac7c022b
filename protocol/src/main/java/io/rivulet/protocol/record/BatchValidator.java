package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.CURRENT_MAGIC;
import static io.rivulet.protocol.record.RecordBatchLayout.HEADER_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.LENGTH;
import static io.rivulet.protocol.record.RecordBatchLayout.LENGTH_OVERHEAD_BYTES;
import static io.rivulet.protocol.record.RecordBatchLayout.MAGIC;
import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_BYTES;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.record.InvalidBatchException.Reason;

/**
 * Validates the bytes that a producer sent for one queue, and passes only complete, valid batches. It checks headers
 * and checksums, decompresses nothing and allocates nothing; {@link RecordsCheck} checks the records. Owned by one
 * thread.
 *
 * <pre>
 *   validator.begin(buffer, index, length);
 *   while (validator.next()) {
 *       take(validator.batch());
 *   }
 * </pre>
 *
 * The bytes are valid only when {@code next} has returned false: a later batch may still be refused.
 */
public final class BatchValidator {
    private final BatchLimits limits;
    private final RecordBatch batch = new RecordBatch();
    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int index;
    private int end;
    private int batches;

    public BatchValidator(BatchLimits limits) {
        this.limits = limits;
    }

    /** Starts with new bytes, which the caller keeps until the walk has ended. */
    public void begin(ByteBuf buffer, int index, int length) {
        this.buffer = buffer;
        this.index = index;
        this.end = index + length;
        this.batches = 0;
    }

    /**
     * Validates the next batch and sets {@link #batch} to it.
     *
     * @return false if no bytes are left
     * @throws InvalidBatchException if the next bytes are not a valid batch; the walk must not continue
     */
    public boolean next() {
        if (index == end) {
            return false;
        }
        if (batches == limits.maxBatches()) {
            throw refused(Reason.TOO_MANY_BATCHES, "more than " + limits.maxBatches() + " batches for one partition");
        }
        int size = checkFrame();
        batch.wrap(buffer, index, size);
        checkCrc();
        checkCounts();
        checkAttributes();
        batches++;
        index += size;
        return true;
    }

    /**
     * Validates bytes with one batch. For more batches it fails like {@link #next} with a limit of one.
     *
     * @throws InvalidBatchException if the bytes are not a valid batch
     */
    public RecordBatch only(ByteBuf buffer, int index, int length) {
        begin(buffer, index, length);
        next();
        // A second batch is not allowed, so the flyweight stays on the first.
        next();
        return batch;
    }

    /** The batch that {@link #next} found. A flyweight: the next call moves it. */
    public RecordBatch batch() {
        return batch;
    }

    private int checkFrame() {
        int available = end - index;
        if (available <= MAGIC) {
            throw refused(Reason.CORRUPT, available + " bytes are too few for a batch");
        }
        byte magic = buffer.getByte(index + MAGIC);
        if (magic != CURRENT_MAGIC) {
            throw magic == 0 || magic == 1
                    ? refused(Reason.OLD_MAGIC, "message sets of magic " + magic + " are not supported")
                    : refused(Reason.UNKNOWN_MAGIC, "magic " + magic + " is not supported");
        }
        long size = (long) LENGTH_OVERHEAD_BYTES + buffer.getInt(index + LENGTH);
        if (size < HEADER_BYTES) {
            throw refused(Reason.CORRUPT, "a batch of " + size + " bytes is shorter than its header");
        }
        if (size > limits.maxBatchBytes()) {
            throw refused(
                    Reason.BATCH_TOO_LARGE,
                    "a batch of " + size + " bytes is larger than the limit of " + limits.maxBatchBytes());
        }
        if (size > available) {
            throw refused(Reason.CORRUPT, "a batch of " + size + " bytes is cut off after " + available);
        }
        return (int) size;
    }

    private void checkCrc() {
        if (!batch.isCrcValid()) {
            throw refused(Reason.CORRUPT, "the batch does not match its CRC");
        }
    }

    private void checkCounts() {
        int count = batch.recordCount();
        if (count < 1) {
            throw refused(Reason.INVALID_RECORD, "a batch of " + count + " records");
        }
        if (batch.lastOffsetDelta() != count - 1) {
            throw refused(
                    Reason.INVALID_RECORD, count + " records, but the last offset delta is " + batch.lastOffsetDelta());
        }
        if (!batch.isCompressed() && (long) count * MIN_RECORD_BYTES > batch.recordsSizeInBytes()) {
            throw refused(
                    Reason.INVALID_RECORD, count + " records do not fit into " + batch.recordsSizeInBytes() + " bytes");
        }
    }

    private void checkAttributes() {
        if (batch.codec() == null) {
            throw refused(Reason.UNSUPPORTED_COMPRESSION, "attributes " + batch.attributes() + " name no codec");
        }
        if (batch.isControl()) {
            throw refused(Reason.INVALID_RECORD, "only the broker writes control batches");
        }
        if (batch.timestampType() == TimestampType.LOG_APPEND_TIME) {
            throw refused(Reason.INVALID_TIMESTAMP, "only the broker sets log append time");
        }
        if (batch.hasProducerId()) {
            if (batch.producerId() < 0 || batch.producerEpoch() < 0 || batch.baseSequence() < 0) {
                throw refused(
                        Reason.INVALID_RECORD,
                        "producer id " + batch.producerId() + ", epoch " + batch.producerEpoch() + ", sequence "
                                + batch.baseSequence());
            }
        } else if (batch.isTransactional()) {
            throw refused(Reason.INVALID_RECORD, "a transactional batch without a producer id");
        }
    }

    private InvalidBatchException refused(Reason reason, String what) {
        return new InvalidBatchException(reason, what);
    }
}
