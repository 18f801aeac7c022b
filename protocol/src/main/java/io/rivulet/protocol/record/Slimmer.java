package io.rivulet.protocol.record;

import static io.rivulet.protocol.record.RecordBatchLayout.MIN_RECORD_HEADER_BYTES;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Writes the slim form of a batch into the batch: what a {@link SlimBatch} has in front of the record's body finds room in front of it,
 * in the header's end. Nothing is copied. Owned by one thread.
 *
 * <p>What has no slim form: a batch of several records; one with an attribute, so of a transaction, compressed, or timed by the broker;
 * a record whose time is not that of its batch, or whose lengths do not add up; and a tombstone, for compaction needs its
 * batch's header to write the time into until which it stays.
 */
public final class Slimmer {
    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private int next;
    private int end;
    private boolean sound;

    /**
     * Makes a batch that {@link BatchValidator} let through slim, if it has that form. Of its header, what is behind the max
     * timestamp means nothing then.
     *
     * @return where it begins now; its end stays
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

    /** Where the record's body begins, if all of the record is as it should be. */
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

    /** At most two bytes, as no length within a slim batch has more. */
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
        // All is read before anything is written, for it may lie where that goes.
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
