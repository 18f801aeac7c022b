package io.rivulet.broker.producer;

import static io.rivulet.broker.producer.Batches.batch;
import static io.rivulet.broker.producer.Verdicts.ADMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.broker.producer.SequenceGate.Writer;
import io.rivulet.protocol.record.ControlMarker;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A gate, its clock, and batches for it. */
abstract class SequenceGateFixture {
    static final int QUEUE = 3;
    static final long PRODUCER = 77;
    static final int LENGTH = RecordBatchLayout.HEADER_BYTES;
    static final long EXPIRATION_MILLIS = 1000;

    final BitSet deleted = new BitSet();
    final SequenceGate gate = gate();
    long nowMillis = 5000;
    long expiryMillis = nowMillis;

    SequenceGate gate() {
        return gateWith(SequenceGate.IN_FLIGHT);
    }

    SequenceGate gateWith(int mostBatches) {
        SequenceGate opened = new SequenceGate(
                mostBatches, EXPIRATION_MILLIS, Long.MAX_VALUE, TestGates.NO_TRANSACTIONS, () -> expiryMillis);
        opened.opened(queueId -> !deleted.get(queueId));
        return opened;
    }

    void pass(long millis) {
        nowMillis += millis;
        expiryMillis += millis;
    }

    Object check(ByteBuffer batch) {
        return Verdicts.of(gate, QUEUE, batch, Batches.AT, LENGTH, 0);
    }

    Object check(int baseSequence, int recordCount) {
        return check(batch(PRODUCER, 0, baseSequence, recordCount));
    }

    void append(ByteBuffer batch, long baseOffset) {
        assertThat(check(batch)).isEqualTo(ADMIT);
        gate.appended(QUEUE, baseOffset, batch, Batches.AT, LENGTH);
    }

    void apply(ByteBuffer batch, long baseOffset) {
        gate.applied(nowMillis, QUEUE, baseOffset, batch, Batches.AT, LENGTH);
    }

    void store(ByteBuffer batch, long baseOffset) {
        append(batch, baseOffset);
        apply(batch, baseOffset);
    }

    void store(int baseSequence, int recordCount, long baseOffset) {
        store(batch(PRODUCER, 0, baseSequence, recordCount), baseOffset);
    }

    void apply(SequenceGate to, ByteBuffer batch, long baseOffset) {
        to.applied(nowMillis, QUEUE, baseOffset, batch, Batches.AT, LENGTH);
    }

    static Object check(SequenceGate of, ByteBuffer batch) {
        return Verdicts.of(of, QUEUE, batch, Batches.AT, LENGTH, 0);
    }

    static ByteBuffer transactional(ByteBuffer batch) {
        return batch.putShort(Batches.AT + RecordBatchLayout.ATTRIBUTES, (short) RecordBatchLayout.TRANSACTIONAL_BIT);
    }

    static ByteBuffer marker(long producerId) {
        return marker(producerId, 0, 0);
    }

    static ByteBuffer marker(long producerId, int epoch, int coordinatorEpoch) {
        ByteBuf marker = RecordBatchBuilder.marker(
                UnpooledByteBufAllocator.DEFAULT,
                ControlMarker.ABORT,
                0,
                0,
                producerId,
                (short) epoch,
                coordinatorEpoch);
        ByteBuffer batch = ByteBuffer.allocate(Batches.AT + marker.readableBytes())
                .position(Batches.AT)
                .put(marker.nioBuffer())
                .rewind();
        marker.release();
        return batch;
    }

    static List<Writer> writers(SequenceGate of) {
        List<Writer> writers = new ArrayList<>();
        of.forEach(writers::add);
        return writers;
    }

    byte[] written() throws IOException {
        return written(gate);
    }

    static byte[] written(SequenceGate of) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        of.snapshot().writeTo(Channels.newChannel(out));
        return out.toByteArray();
    }

    static void load(SequenceGate gate, byte[] snapshot) throws IOException {
        gate.load(Channels.newChannel(new ByteArrayInputStream(snapshot)));
    }
}
