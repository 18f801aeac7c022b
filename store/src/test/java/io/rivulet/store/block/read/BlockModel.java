package io.rivulet.store.block.read;

import io.rivulet.store.stream.StreamRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** A simple model of the content: the records of each queue, and a log for those that are references. */
public final class BlockModel {
    /** One record; {@code lsn} is -1 if it holds its payload. */
    public record Rec(
            int queueId, long baseOffset, int recordCount, long timestampDelta, ByteBuffer payload, long lsn) {
        public long nextOffset() {
            return baseOffset + recordCount;
        }

        /** The same record with its payload in it. */
        public Rec inlined() {
            return new Rec(queueId, baseOffset, recordCount, timestampDelta, payload, -1);
        }

        /** Encoded as in the stream, reference or not. */
        public byte[] encoded() {
            return lsn < 0 ? inline() : reference();
        }

        public byte[] inline() {
            ByteBuffer bytes =
                    ByteBuffer.allocate(StreamRecord.inlineBytes(payload.remaining(), recordCount, timestampDelta));
            StreamRecord.putInline(bytes, 0, recordCount, timestampDelta, payload, 0, payload.remaining());
            return bytes.array();
        }

        private byte[] reference() {
            CRC32C crc = new CRC32C();
            crc.update(payload.duplicate());
            ByteBuffer bytes = ByteBuffer.allocate(StreamRecord.MAX_HEADER_BYTES + StreamRecord.REFERENCE_BYTES);
            int length = StreamRecord.putReference(
                    bytes, 0, recordCount, timestampDelta, lsn, queueId, payload.remaining(), (int) crc.getValue());
            return Arrays.copyOf(bytes.array(), length);
        }
    }

    public final SplittableRandom random;
    public final TreeMap<Integer, List<Rec>> queues = new TreeMap<>();
    public final Map<Long, ByteBuffer> log = new TreeMap<>();
    private long nextLsn = 1000;

    public BlockModel(long seed) {
        this.random = new SplittableRandom(seed);
    }

    public long endOffset(int queueId) {
        List<Rec> recs = queues.getOrDefault(queueId, List.of());
        return recs.isEmpty() ? 0 : recs.get(recs.size() - 1).nextOffset();
    }

    /** A few more records of a queue; some large, some referring to the log. */
    public List<Rec> append(int queueId, int count, int maxPayload) {
        List<Rec> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean isReference = random.nextInt(12) == 0;
            int length = 1 + random.nextInt(random.nextInt(30) == 0 ? 20 * maxPayload : maxPayload);
            Rec rec = new Rec(
                    queueId,
                    endOffset(queueId),
                    1 + random.nextInt(3),
                    random.nextLong(-1000, 100_000),
                    ByteBuffer.wrap(payload(queueId, endOffset(queueId), length)),
                    isReference ? nextLsn++ : -1);
            if (isReference) {
                log.put(rec.lsn(), rec.payload());
            }
            queues.computeIfAbsent(queueId, q -> new ArrayList<>()).add(rec);
            added.add(rec);
        }
        return added;
    }

    /** Bytes that identify their queue and offset. */
    public static byte[] payload(int queueId, long offset, int length) {
        byte[] payload = new byte[length];
        SplittableRandom bytes = new SplittableRandom(31L * queueId + offset);
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) bytes.nextInt();
        }
        return payload;
    }

    public static ByteBuffer stream(List<Rec> recs) {
        int bytes = recs.stream().mapToInt(rec -> rec.encoded().length).sum();
        ByteBuffer stream = ByteBuffer.allocate(bytes);
        recs.forEach(rec -> stream.put(rec.encoded()));
        return stream.flip();
    }

    public void readLog(long lsn, int groupOffset, int lengthBytes, ByteBuffer target) {
        target.put(Objects.requireNonNull(log.get(lsn)).slice(0, lengthBytes));
    }
}
