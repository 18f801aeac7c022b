package io.rivulet.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rivulet.protocol.record.RecordBatch;
import io.rivulet.protocol.record.RecordBatchBuilder;
import io.rivulet.protocol.record.RecordBatchLayout;
import io.rivulet.protocol.record.RecordCursor;
import io.rivulet.protocol.record.Slimmer;
import io.rivulet.protocol.record.codec.Codec;
import io.rivulet.protocol.wire.Records;
import io.rivulet.store.BatchSink;
import io.rivulet.store.ReadStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * In whatever form batches are stored, an answer has each record once, in order, in valid batches, and within its
 * limit.
 */
final class FetchBufferTest {
    private static final int LEADER_EPOCH = 5;
    private static final int MIB = 1 << 20;
    private static final int QUEUE = 1;
    private static final long ALL = Long.MAX_VALUE;

    /** The batches of a queue in the store. */
    private record Kept(long offset, int records, long timestamp, ByteBuffer bytes) {
        int length() {
            return bytes.capacity();
        }
    }

    private record Read(long offset, long timestamp, int value) {}

    private final FetchBuffer buffer = new FetchBuffer(PooledByteBufAllocator.DEFAULT, LEADER_EPOCH);
    private final RecordCursor cursor = new RecordCursor();
    private final List<Kept> queue = new ArrayList<>();
    private final List<Read> expected = new ArrayList<>();
    private final List<Integer> batchSizes = new ArrayList<>();

    @AfterEach
    void release() {
        buffer.release();
        cursor.close();
    }

    private long endOffset() {
        return queue.isEmpty() ? 0 : queue.get(queue.size() - 1).offset + queue.get(queue.size() - 1).records;
    }

    /** Appends a batch whose records have values of so many bytes; slim if possible. */
    private void append(long offset, int records, Codec codec, long timestamp, int valueBytes) {
        try (RecordBatchBuilder builder = new RecordBatchBuilder(UnpooledByteBufAllocator.DEFAULT)) {
            builder.compression(codec).producer(9, (short) 0, (int) offset);
            long max = 0;
            for (int i = 0; i < records; i++) {
                byte[] value = new byte[valueBytes];
                ByteBuffer.wrap(value).putInt((int) offset + i);
                builder.append(timestamp - i, null, value);
                expected.add(new Read(offset + i, timestamp - i, (int) offset + i));
                max = Math.max(max, timestamp - i);
            }
            ByteBuf batch = builder.build();
            int at = new Slimmer().slim(new RecordBatch().wrap(batch, 0, batch.readableBytes()));
            byte[] payload = new byte[batch.readableBytes() - at];
            batch.getBytes(at, payload).release();
            queue.add(new Kept(offset, records, max, ByteBuffer.wrap(payload)));
        }
    }

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            append(endOffset(), 1, Codec.NONE, 1_000 + i, 20);
        }
    }

    /** Reads as the store does: a part at a time, and without the first batch that is too long. */
    private ReadStatus source(long offset, int maxBytes, BatchSink sink, int atOnce) {
        int handedOn = 0;
        int bytes = 0;
        for (Kept kept : queue) {
            if (kept.offset + kept.records <= offset) {
                continue;
            }
            boolean fits = handedOn == 0 || (bytes + kept.length() <= maxBytes && handedOn < atOnce);
            ByteBuffer around =
                    ByteBuffer.allocate(3 + kept.length()).position(3).put(kept.bytes.duplicate());
            if (!fits || !sink.batch(kept.offset, kept.records, kept.timestamp, around.clear(), 3, kept.length())) {
                return ReadStatus.BATCHES;
            }
            handedOn++;
            bytes += kept.length();
        }
        return handedOn > 0 ? ReadStatus.BATCHES : ReadStatus.AT_END;
    }

    private @Nullable Records read(long offset, long untilOffset, int limit, boolean anyFirst, int atOnce)
            throws IOException {
        buffer.read(
                (queueId, from, maxBytes, sink) -> source(from, maxBytes, sink, atOnce),
                QUEUE,
                offset,
                untilOffset,
                limit,
                anyFirst);
        buffer.keep();
        return buffer.records();
    }

    /** The records of an answer. Each batch must be valid. */
    private List<Read> records(@Nullable Records records) {
        List<Read> found = new ArrayList<>();
        batchSizes.clear();
        if (records == null) {
            return found;
        }
        RecordBatch batch = new RecordBatch();
        int end = records.index() + records.sizeInBytes();
        for (int at = records.index(); at < end; at += batch.sizeInBytes()) {
            batch.wrap(records.buffer(), at, end - at);
            assertThat(batch.isCrcValid()).isTrue();
            assertThat(batch.partitionLeaderEpoch()).isEqualTo(LEADER_EPOCH);
            assertThat(batch.sizeInBytes()).isLessThanOrEqualTo(end - at);
            cursor.begin(batch, MIB);
            while (cursor.next()) {
                found.add(new Read(
                        cursor.record().offset(),
                        cursor.record().timestamp(),
                        cursor.record().buffer().getInt(cursor.record().valueIndex())));
            }
            batchSizes.add(batch.recordCount());
        }
        return found;
    }

    @Test
    void anyQueueIsReadCompletelyInAnswersWithinTheLimit() throws IOException {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            queue.clear();
            expected.clear();
            for (int i = 1 + random.nextInt(60); i > 0; i--) {
                long hole = random.nextInt(10) == 0 ? random.nextInt(5) : 0;
                int records = random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1;
                Codec codec = random.nextInt(6) == 0 ? Codec.LZ4 : Codec.NONE;
                append(
                        endOffset() + hole,
                        records,
                        codec,
                        5 + random.nextInt(100_000),
                        4 + random.nextInt(random.nextInt(20) == 0 ? 5_000 : 200));
            }
            long until = random.nextBoolean() ? ALL : expected.get(random.nextInt(expected.size())).offset;
            List<Read> all = new ArrayList<>();
            long offset = 0;
            while (true) {
                int limit = random.nextInt(random.nextBoolean() ? 3_000 : 300);
                List<Read> answer = records(read(offset, until, limit, true, 1 + random.nextInt(20)));
                if (answer.isEmpty()) {
                    break;
                }
                assertThat(buffer.total() <= limit || batchSizes.size() == 1)
                        .as("seed %d, round %d", seed, round)
                        .isTrue();
                all.addAll(answer);
                offset = all.get(all.size() - 1).offset + 1;
                buffer.release();
            }
            assertThat(all).as("seed %d, round %d", seed, round).isEqualTo(upTo(until));
        }
    }

    private List<Read> upTo(long until) {
        List<Read> below = new ArrayList<>();
        for (Kept kept : queue) {
            if (kept.offset >= until) {
                break;
            }
            expected.stream()
                    .filter(read -> read.offset >= kept.offset && read.offset < kept.offset + kept.records)
                    .forEach(below::add);
        }
        return below;
    }

    @Test
    void adjacentSlimBatchesBecomeOneBatch() throws IOException {
        append(10);
        append(10, 3, Codec.NONE, 1_000, 20);
        append(5);
        append(endOffset() + 1, 1, Codec.NONE, 1_000, 20);

        List<Read> answer = records(read(0, ALL, MIB, false, 4));

        assertThat(answer).isEqualTo(expected);
        assertThat(batchSizes).containsExactly(10, 3, 5, 1);
        assertThat(records(read(7, ALL, MIB, false, 100)).get(0).offset).isEqualTo(7);
    }

    @Test
    void theLimitCountsTheBytesThatAreSent() throws IOException {
        append(10);
        int one = RecordBatchLayout.HEADER_BYTES + 20 + 7;

        assertThat(records(read(0, ALL, one - 1, false, 10))).isEmpty();
        assertThat(records(read(0, ALL, one - 1, true, 10))).hasSize(1);
        assertThat(records(read(0, ALL, one, false, 10))).hasSize(1);
        assertThat(records(read(0, ALL, one + 26, false, 10))).hasSize(1);
        assertThat(records(read(0, ALL, one + 27, false, 10))).hasSize(2);
    }

    @Test
    void queuesShareBuffersAndAGrowingQueueStaysInOnePiece() throws IOException {
        append(100);
        List<Records> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Records records = read(0, ALL, 4_000 * (1 + i), true, 100);
            if (records != null) {
                answers.add(records);
            }
        }
        append(2_000);
        answers.add(Objects.requireNonNull(read(0, ALL, MIB, true, 100)));

        for (int i = 0; i < 50; i++) {
            assertThat(records(answers.get(i))).isEqualTo(expected.subList(0, Math.min(100, batchSizes.get(0))));
        }
        assertThat(records(answers.get(50))).isEqualTo(expected);
    }

    @Test
    void theBatchesOfAFailedReadAreDropped() throws IOException {
        append(3);
        FetchBuffer.Source failing = (queueId, offset, maxBytes, sink) -> {
            source(offset, maxBytes, sink, 2);
            throw new IOException("torn");
        };

        assertThatThrownBy(() -> buffer.read(failing, QUEUE, 0, ALL, MIB, true)).isInstanceOf(IOException.class);
        buffer.undo();

        assertThat(buffer.records()).isNull();
        assertThat(records(read(0, ALL, MIB, true, 100))).isEqualTo(expected);
    }
}
