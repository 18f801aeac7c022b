package io.rivulet.simulation;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.RecordBatchBuilder;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Records that a producer has sent together, and what it knows of them. Each record has a number of its own. */
final class SentBatch {
    enum State {
        /** No answer yet, or none that says whether they were stored. */
        UNKNOWN,
        ACKNOWLEDGED,
        REFUSED
    }

    static final long NO_OFFSET = -1;

    final String producer;
    final String topic;
    final int partition;
    final long firstNumber;
    final int count;
    final int valueBytes;
    /** Of an idempotent producer. */
    final long producerId;

    final short epoch;
    final int sequence;
    final boolean keyed;
    /** Null without a transaction. */
    final @Nullable SentTransaction transaction;

    State state = State.UNKNOWN;
    /** Which connection of a producer without an id has sent it: there is no order between connections. */
    int connection;
    /** The highest time that it was sent with. */
    long latestMillis = Long.MIN_VALUE;
    /** Of an acknowledged batch; {@link #NO_OFFSET} if the answer did not say it. */
    long offset = NO_OFFSET;

    SentBatch(
            String producer,
            String topic,
            int partition,
            long firstNumber,
            int count,
            int valueBytes,
            Identity identity,
            boolean keyed,
            @Nullable SentTransaction transaction) {
        this.producer = producer;
        this.topic = topic;
        this.partition = partition;
        this.firstNumber = firstNumber;
        this.count = count;
        this.valueBytes = valueBytes;
        this.producerId = identity.producerId();
        this.epoch = identity.epoch();
        this.sequence = identity.sequence();
        this.keyed = keyed;
        this.transaction = transaction;
    }

    /** How the broker tells one batch of a producer from another. */
    record Identity(long producerId, short epoch, int sequence) {
        static final Identity NONE = new Identity(-1, (short) -1, -1);
    }

    /** The bytes of the batch, the same each time. */
    ByteBuf records(long timestamp) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.producer(producerId, epoch, sequence);
            if (transaction != null) {
                builder.transactional();
            }
            for (int i = 0; i < count; i++) {
                long number = firstNumber + i;
                builder.append(timestamp, keyed ? bytes(key(number)) : null, value(producer, number, valueBytes));
            }
            ByteBuf built = builder.build();
            ByteBuf copy = Unpooled.copiedBuffer(built);
            built.release();
            return copy;
        }
    }

    /** A few keys for all producers. */
    static String key(long number) {
        return "key-" + Math.floorMod((number * 0x9E3779B97F4A7C15L) >>> 33, 7);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A value says who has sent it; the rest follows from that. */
    static byte[] value(String producer, long number, int bytes) {
        byte[] head = bytes(producer + "/" + number + "/" + bytes + "/");
        byte[] value = new byte[head.length + bytes];
        System.arraycopy(head, 0, value, 0, head.length);
        SplittableRandom random = new SplittableRandom(number * 31 + producer.hashCode());
        for (int i = head.length; i < value.length; i++) {
            value[i] = (byte) random.nextInt();
        }
        return value;
    }

    @Override
    public String toString() {
        return producer + "/" + firstNumber + "+" + count + " " + state + " in " + topic + "-" + partition + " at "
                + offset + (producerId >= 0 ? " id " + producerId + "." + epoch + "." + sequence : "")
                + (transaction == null ? "" : " " + transaction);
    }
}
