package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.BatchFormat.Kind;
import io.rivulet.store.open.KeyedBatch.Keyed;
import io.rivulet.store.open.StoreDriver.Batch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What was written to queues, and what compaction may leave of it. */
final class CompactionModel {
    /** A record that was written at this offset. */
    record Written(long offset, Kind kind, long producerId, Keyed record) {}

    private final Map<Integer, TreeMap<Long, Written>> queues = new HashMap<>();

    void append(StoreDriver driver, int queueId, KeyedBatch batch, long timestamp) throws Exception {
        long base = driver.append(queueId, batch.offsets(), timestamp, batch.bytes());
        TreeMap<Long, Written> queue = queues.computeIfAbsent(queueId, id -> new TreeMap<>());
        batch.records()
                .forEach(r -> queue.put(
                        base + r.delta(), new Written(base + r.delta(), batch.kind(), batch.producerId(), r)));
        if (batch.records().isEmpty()) {
            queue.put(base, new Written(base, batch.kind(), batch.producerId(), new Keyed(0, -2, 0)));
        }
    }

    /** Lists the markers of all aborted transactions of each queue. */
    void listAborted(Map<Integer, NavigableSet<Long>> aborted) {
        queues.forEach((queueId, written) -> {
            TreeSet<Long> markers = new TreeSet<>();
            Set<Long> open = new HashSet<>();
            for (Written one : written.values()) {
                switch (one.kind()) {
                    case TRANSACTION_RECORDS -> open.add(one.producerId());
                    case COMMIT -> open.remove(one.producerId());
                    case ABORT -> {
                        if (open.remove(one.producerId())) {
                            markers.add(one.offset());
                        }
                    }
                    default -> {}
                }
            }
            if (!markers.isEmpty()) {
                aborted.put(queueId, markers);
            }
        });
    }

    /** Checks the result of a read_committed reader that knows the beginning of each listed transaction. */
    void checkReadCommitted(StoreDriver driver, int queueId, Set<Long> listedMarkers) throws IOException {
        TreeMap<Long, Written> written = Objects.requireNonNull(queues.get(queueId));
        Map<Long, NavigableSet<Long>> abortedFrom = firstOffsets(written, listedMarkers);
        Set<Long> skipped = new HashSet<>();
        Map<Integer, Integer> seen = new TreeMap<>();
        for (Written one : read(driver, queueId, 0, 5000)) {
            long producerId = one.producerId();
            Set<Long> begun =
                    abortedFrom.getOrDefault(producerId, new TreeSet<>()).headSet(one.offset(), true);
            if (!begun.isEmpty()) {
                begun.clear();
                skipped.add(producerId);
            }
            if (one.kind() == Kind.ABORT) {
                skipped.remove(producerId);
            } else if (one.kind() == Kind.RECORDS
                    || (one.kind() == Kind.TRANSACTION_RECORDS && !skipped.contains(producerId))) {
                keep(seen, one);
            }
        }
        Map<Integer, Integer> wanted = new TreeMap<>();
        Set<Long> committed = committed(written);
        for (Written one : written.values()) {
            if (committed.contains(one.offset())) {
                keep(wanted, one);
            }
        }
        assertThat(seen).as("queue %s", queueId).isEqualTo(wanted);
    }

    private static void keep(Map<Integer, Integer> folded, Written one) {
        if (one.record().value() == KeyedBatch.TOMBSTONE) {
            folded.remove(one.record().key());
        } else if (one.record().key() != KeyedBatch.NO_KEY) {
            folded.put(one.record().key(), one.record().value());
        }
    }

    /** For each producer, where the transactions begin that these markers end. */
    private static Map<Long, NavigableSet<Long>> firstOffsets(Map<Long, Written> written, Set<Long> markers) {
        Map<Long, NavigableSet<Long>> first = new HashMap<>();
        Map<Long, Long> open = new HashMap<>();
        for (Written one : written.values()) {
            if (one.kind() == Kind.TRANSACTION_RECORDS) {
                open.putIfAbsent(one.producerId(), one.offset());
            } else if (one.kind() == Kind.COMMIT || one.kind() == Kind.ABORT) {
                Long from = open.remove(one.producerId());
                if (from != null && markers.contains(one.offset())) {
                    first.computeIfAbsent(one.producerId(), id -> new TreeSet<>())
                            .add(from);
                }
            }
        }
        return first;
    }

    /** Offsets of records that count for a read_committed reader. Open transactions count as committed here. */
    private static Set<Long> committed(Map<Long, Written> written) {
        Set<Long> committed = new HashSet<>();
        Map<Long, List<Long>> open = new HashMap<>();
        for (Written one : written.values()) {
            switch (one.kind()) {
                case RECORDS -> committed.add(one.offset());
                case TRANSACTION_RECORDS -> {
                    committed.add(one.offset());
                    open.computeIfAbsent(one.producerId(), id -> new ArrayList<>())
                            .add(one.offset());
                }
                case ABORT -> open.getOrDefault(one.producerId(), List.of()).forEach(committed::remove);
                default -> {}
            }
            if (one.kind() == Kind.COMMIT || one.kind() == Kind.ABORT) {
                open.remove(one.producerId());
            }
        }
        return committed;
    }

    Set<Integer> queueIds() {
        return queues.keySet();
    }

    static List<Written> read(StoreDriver driver, int queueId, long from, int maxBytes) throws IOException {
        List<Written> read = new ArrayList<>();
        long next = from;
        for (Batch stored : driver.readAll(queueId, from, maxBytes)) {
            KeyedBatch batch = KeyedBatch.parse(ByteBuffer.wrap(stored.bytes()));
            assertThat(stored.baseOffset() + stored.recordCount()).isGreaterThan(next);
            assertThat(stored.recordCount()).isEqualTo(batch.offsets());
            next = stored.baseOffset() + stored.recordCount();
            batch.records()
                    .forEach(r -> read.add(
                            new Written(stored.baseOffset() + r.delta(), batch.kind(), batch.producerId(), r)));
            if (batch.records().isEmpty()) {
                read.add(new Written(stored.baseOffset(), batch.kind(), batch.producerId(), new Keyed(0, -2, 0)));
            }
        }
        return read;
    }

    /** The last record of each key that counts; a tombstone removes the key. */
    static Map<Integer, Integer> fold(Iterable<Written> records) {
        Map<Integer, Integer> folded = new TreeMap<>();
        Map<Long, List<Written>> open = new HashMap<>();
        TreeMap<Long, Written> counts = new TreeMap<>();
        for (Written written : records) {
            switch (written.kind()) {
                case RECORDS -> counts.put(written.offset(), written);
                case TRANSACTION_RECORDS ->
                    open.computeIfAbsent(written.producerId(), id -> new ArrayList<>())
                            .add(written);
                case COMMIT ->
                    open.getOrDefault(written.producerId(), new ArrayList<>()).forEach(w -> counts.put(w.offset(), w));
                default -> {}
            }
            if (written.kind() == Kind.COMMIT || written.kind() == Kind.ABORT) {
                open.remove(written.producerId());
            }
        }
        counts.values().forEach(w -> {
            if (w.record().value() == KeyedBatch.TOMBSTONE) {
                folded.remove(w.record().key());
            } else if (w.record().key() != KeyedBatch.NO_KEY) {
                folded.put(w.record().key(), w.record().value());
            }
        });
        return folded;
    }

    /** Every remaining record was written at its offset, and all of them together fold to the same values. */
    void check(StoreDriver driver, int maxBytes) throws IOException {
        for (Map.Entry<Integer, TreeMap<Long, Written>> queue : queues.entrySet()) {
            List<Written> left = read(driver, queue.getKey(), 0, maxBytes);
            for (Written written : left) {
                assertThat(queue.getValue().get(written.offset()))
                        .as("queue %s", queue.getKey())
                        .isEqualTo(written);
            }
            assertThat(fold(left))
                    .as("queue %s", queue.getKey())
                    .isEqualTo(fold(queue.getValue().values()));
        }
    }

    void checkWhole(StoreDriver driver, int queueId) throws IOException {
        assertThat(read(driver, queueId, 0, 5000))
                .containsExactlyElementsOf(
                        queues.getOrDefault(queueId, new TreeMap<>()).values());
    }

    /** Reads that begin in a hole continue after it. */
    void checkFromEverywhere(StoreDriver driver, int queueId, int step) throws IOException {
        List<Written> all = read(driver, queueId, 0, 5000);
        long end = Objects.requireNonNull(queues.get(queueId)).lastKey();
        for (long from = 0; from <= end; from += step) {
            long offset = from;
            Set<Written> wanted =
                    new HashSet<>(all.stream().filter(w -> w.offset() >= offset).toList());
            assertThat(read(driver, queueId, from, 700)).containsAll(wanted);
        }
    }

    int written(int queueId) {
        return Objects.requireNonNull(queues.get(queueId)).size();
    }
}
