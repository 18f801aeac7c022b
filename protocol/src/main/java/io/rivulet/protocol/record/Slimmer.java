package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_HEADER_BYTES;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Rewrites a batch to its slim form in place. The fields of a {@link SlimBatch} before the record's body fit into the
 * end of the old header, so nothing is copied. Owned by one thread.
 *
 * <p>These batches have no slim form: batches of several records; with any attribute (a transaction, compression, log
 * append time); with a timestamp that differs from the batch's; with inconsistent lengths; and tombstones, because
 * compaction writes the time until which a tombstone is kept into the batch's header.
 */
public final class Slimmer {
    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int next;
    private int end;
    private boolean sound;

    /**
     * Makes a batch slim if it has that form. {@link BatchValidator} must have passed it. Then the header's fields
     * after the max timestamp are overwritten.
     *
     * @return the new start of the batch; its end does not change
     */
    public int slim(RecordBatch batch) {
        int bytes = batch.sizeInBytes();
        if (bytes > SlimBatch.MAX_BATCH_BYTES
                || batch.recordCount() != 1
                || batch.attributes() != 0
                || batch.baseTimestamp() != batch.maxTimestamp()) {
            return batch.index();
        }
        buffer = batch.buffer();
        next = batch.recordsIndex();
        end = batch.index() + bytes;
        sound = true;
        int bodyAt = findBody();
        int at = sound ? writePrefix(batch, bodyAt) : batch.index();
        buffer = Unpooled.EMPTY_BUFFER;
        return at;
    }

    /** The start of the record's body, if the whole record is valid. */
    private int findBody() {
        int length = varint();
        sound &= length == end - next && length >= RecordBatchLayout.MIN_RECORD_BODY_BYTES;
        // Attributes, timestamp delta, offset delta.
        sound = sound && buffer.getMedium(next) == 0;
        next += 3;
        int bodyAt = next;
        skip(varint(), RecordView.NULL_LENGTH);
        skip(varint(), 0);
        int headers = varint();
        sound &= headers >= 0 && (long) headers * MIN_RECORD_HEADER_BYTES <= end - next;
        for (int i = 0; sound && i < headers; i++) {
            skip(varint(), 0);
            skip(varint(), RecordView.NULL_LENGTH);
        }
        sound &= next == end;
        return bodyAt;
    }

    private void skip(int length, int least) {
        sound &= length >= least && length <= end - next;
        next += sound ? Math.max(length, 0) : 0;
    }

    /** At most two bytes: no length in a slim batch takes more. */
    private int varint() {
        if (!sound || next >= end) {
            sound = false;
            return 0;
        }
        int raw = buffer.getByte(next++);
        if (raw < 0) {
            sound = next < end && buffer.getByte(next) >= 0;
            raw = sound ? (raw & 0x7f) | (buffer.getByte(next++) << 7) : 0;
        }
        return Varints.unzigzag(raw);
    }

    private int writePrefix(RecordBatch batch, int bodyAt) {
        long producerId = batch.producerId();
        if (producerId == RecordBatchLayout.NO_PRODUCER_ID) {
            buffer.setByte(bodyAt - 1, SlimBatch.MARKER);
            return bodyAt - 1;
        }
        // All fields are read before the first write, which may overwrite them.
        int epoch = batch.producerEpoch();
        int sequence = batch.baseSequence();
        int at = bodyAt
                - 1
                - Varints.sizeOfUnsigned(producerId)
                - Varints.sizeOfUnsigned(epoch)
                - Varints.sizeOfUnsigned(sequence);
        buffer.setByte(at, SlimBatch.MARKER | SlimBatch.PRODUCER_FLAG);
        int epochAt = Varints.setUnsigned(buffer, at + 1, producerId);
        int sequenceAt = Varints.setUnsigned(buffer, epochAt, epoch);
        Varints.setUnsigned(buffer, sequenceAt, sequence);
        return at;
    }
}
