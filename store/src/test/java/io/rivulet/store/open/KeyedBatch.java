package io.rivulet.store.open;

import io.rivulet.store.BatchFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Batches of small numbers for tests of compaction: kind, producer, horizon, offsets, and for each record delta, key
 * and value.
 */
record KeyedBatch(BatchFormat.Kind kind, long producerId, long horizon, int offsets, int padding, List<Keyed> records) {
    static final int NO_KEY = -1;
    static final int TOMBSTONE = -1;
    static final int TOO_MANY_ABORTED = 20;
    private static final long NO_HORIZON = -1;
    private static final long SPREADING = 0x9E3779B97F4A7C15L;

    record Keyed(int delta, int key, int value) {}

    KeyedBatch(BatchFormat.Kind kind, long producerId, int padding, List<Keyed> records) {
        this(kind, producerId, NO_HORIZON, Math.max(1, records.size()), padding, records);
    }

    @SuppressWarnings("EnumOrdinal") // read by the same code
    byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(29 + 12 * records.size() + padding);
        out.put((byte) kind.ordinal()).putLong(producerId).putLong(horizon).putInt(offsets);
        out.putInt(records.size()).putInt(padding);
        records.forEach(r -> out.putInt(r.delta).putInt(r.key).putInt(r.value));
        return out.array();
    }

    @SuppressWarnings("EnumOrdinal") // written by the same code
    static KeyedBatch parse(ByteBuffer batch) {
        ByteBuffer in = batch.duplicate();
        BatchFormat.Kind kind = BatchFormat.Kind.values()[in.get()];
        long producerId = in.getLong();
        long horizon = in.getLong();
        int offsets = in.getInt();
        int count = in.getInt();
        int padding = in.getInt();
        List<Keyed> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(new Keyed(in.getInt(), in.getInt(), in.getInt()));
        }
        if (in.remaining() != padding) {
            throw new IllegalStateException("not a batch: " + in.remaining() + " bytes of padding, not " + padding);
        }
        return new KeyedBatch(kind, producerId, horizon, offsets, padding, records);
    }

    /** The format of these batches, for compaction. */
    static final class Format implements BatchFormat {
        volatile long openFrom = Long.MAX_VALUE;
        int maxReadBytes = Integer.MAX_VALUE;
        /** For each queue, the markers of transactions that are listed as aborted. */
        final Map<Integer, NavigableSet<Long>> aborted = new ConcurrentHashMap<>();

        @Override
        public int maxReadBytes() {
            return maxReadBytes;
        }

        @Override
        @SuppressWarnings("EnumOrdinal") // written by the same code
        public Kind kind(ByteBuffer batch) {
            return Kind.values()[batch.get(batch.position())];
        }

        @Override
        public long producerId(ByteBuffer batch) {
            return batch.getLong(batch.position() + 1);
        }

        @Override
        public void forEachKey(ByteBuffer batch, KeyVisitor visitor) {
            for (Keyed record : parse(batch).records()) {
                if (record.key() != NO_KEY) {
                    // Many keys have the same second hash, so that they collide in the table.
                    visitor.key(record.delta(), (long) record.key() << Integer.SIZE, record.key() % 7 * SPREADING);
                }
            }
        }

        @Override
        public @Nullable ByteBuffer reduce(ByteBuffer batch, Choice choice, long nowMillis, long deleteRetention) {
            KeyedBatch all = parse(batch);
            List<Keyed> left = all.records().stream()
                    .filter(r -> r.key() != NO_KEY && choice.keeps(r.delta()))
                    .filter(r -> r.value() != TOMBSTONE || all.horizon() == NO_HORIZON || nowMillis <= all.horizon())
                    .toList();
            boolean tombstones = left.stream().anyMatch(r -> r.value() == TOMBSTONE);
            long horizon = tombstones && all.horizon() == NO_HORIZON ? nowMillis + deleteRetention : all.horizon();
            if (left.isEmpty()) {
                return null;
            }
            KeyedBatch reduced =
                    new KeyedBatch(all.kind(), all.producerId(), horizon, all.offsets(), all.padding(), left);
            return reduced.equals(all) ? batch : ByteBuffer.wrap(reduced.bytes());
        }

        @Override
        public @Nullable ByteBuffer reduceMarker(
                int queueId, long offset, ByteBuffer batch, long nowMillis, long deleteRetention) {
            KeyedBatch marker = parse(batch);
            if (aborted.getOrDefault(queueId, new TreeSet<>()).contains(offset)) {
                return batch;
            }
            if (marker.horizon() == NO_HORIZON) {
                long horizon = nowMillis + deleteRetention;
                return ByteBuffer.wrap(
                        new KeyedBatch(marker.kind(), marker.producerId(), horizon, 1, marker.padding(), List.of())
                                .bytes());
            }
            return nowMillis > marker.horizon() ? null : batch;
        }

        @Override
        public boolean listsAborted(int queueId) {
            return aborted.containsKey(queueId);
        }

        @Override
        public boolean listsTooManyAborted(int queueId) {
            return aborted.getOrDefault(queueId, new TreeSet<>()).size() >= TOO_MANY_ABORTED;
        }

        @Override
        public void abortedRecordsRemoved(int queueId, long beforeOffset) {
            aborted.getOrDefault(queueId, new TreeSet<>()).headSet(beforeOffset).clear();
        }

        @Override
        public long maxTimestamp(ByteBuffer batch) {
            return 1_000_000;
        }

        @Override
        public long compactableBefore(int queueId) {
            return openFrom;
        }
    }
}
