package io.rivulet.store.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The expected content of a store: plain lists in memory, a function of the applied entries. */
public final class Model {
    /** All batches of a queue, including those before its start. */
    public static final class Queue {
        private final List<Batch> batches = new ArrayList<>();
        private final List<Long> baseOffsets = new ArrayList<>();
        private final Map<Integer, Sequences> producers = new TreeMap<>();
        private long startOffset;
        private long endOffset;

        private final int retentionClass;

        private Queue(int retentionClass) {
            this.retentionClass = retentionClass;
        }

        private Queue copy() {
            Queue copy = new Queue(retentionClass);
            copy.batches.addAll(batches);
            copy.baseOffsets.addAll(baseOffsets);
            producers.forEach((producer, sequences) -> copy.producers.put(producer, sequences.copy()));
            copy.startOffset = startOffset;
            copy.endOffset = endOffset;
            return copy;
        }

        public int retentionClass() {
            return retentionClass;
        }

        /** The batches with at least one offset in the range. */
        public List<Batch> batches(long fromOffset, long toOffset) {
            List<Batch> within = new ArrayList<>();
            for (int i = 0; i < batches.size(); i++) {
                long baseOffset = baseOffsets.get(i);
                if (baseOffset < toOffset && baseOffset + batches.get(i).recordCount() > fromOffset) {
                    within.add(batches.get(i));
                }
            }
            return within;
        }

        public long startOffset() {
            return startOffset;
        }

        public long endOffset() {
            return endOffset;
        }

        /** The offset that the batch gets or already has; negative if the gate refuses it. */
        public long offsetOf(Batch batch) {
            Stamp stamp = batch.stamp();
            long verdict = stamp == null
                    ? Sequences.ADMIT
                    : sequences(stamp.producer()).verdict(stamp.sequence());
            return verdict == Sequences.ADMIT ? endOffset : verdict;
        }

        /** The next sequence of the producer. */
        public int nextSequence(int producer) {
            return sequences(producer).next();
        }

        private Sequences sequences(int producer) {
            return producers.getOrDefault(producer, new Sequences());
        }

        private void append(Batch batch) {
            if (offsetOf(batch) != endOffset) {
                return;
            }
            Stamp stamp = batch.stamp();
            if (stamp != null) {
                producers
                        .computeIfAbsent(stamp.producer(), p -> new Sequences())
                        .add(stamp.sequence(), endOffset);
            }
            baseOffsets.add(endOffset);
            batches.add(batch);
            endOffset += batch.recordCount();
        }

        /** The batch that begins at the offset; null if there is none. */
        public @Nullable Batch batchAt(long baseOffset) {
            int low = 0;
            int high = baseOffsets.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                long there = baseOffsets.get(middle);
                if (there == baseOffset) {
                    return batches.get(middle);
                }
                low = there < baseOffset ? middle + 1 : low;
                high = there < baseOffset ? high : middle - 1;
            }
            return null;
        }

        @Override
        public String toString() {
            return "[" + startOffset + ", " + endOffset + ")";
        }
    }

    private final TreeMap<Integer, Queue> queues = new TreeMap<>();
    private final TreeMap<Integer, String> views = new TreeMap<>();
    private int idLimit;

    public Model copy() {
        Model copy = new Model();
        queues.forEach((id, queue) -> copy.queues.put(id, queue.copy()));
        copy.views.putAll(views);
        copy.idLimit = idLimit;
        return copy;
    }

    void append(int queueId, Batch batch) {
        Queue queue = queues.get(queueId);
        if (queue != null) {
            queue.append(batch);
        }
    }

    void create(int firstQueueId, int count, int retentionClass) {
        for (int id = firstQueueId; id < firstQueueId + count; id++) {
            queues.put(id, new Queue(retentionClass));
        }
        idLimit = Math.max(idLimit, firstQueueId + count);
    }

    void delete(int firstQueueId, int count) {
        for (int id = firstQueueId; id < firstQueueId + count; id++) {
            queues.remove(id);
        }
    }

    void trim(int queueId, long startOffset) {
        Queue queue = queues.get(queueId);
        if (queue != null) {
            queue.startOffset = Math.max(queue.startOffset, Math.min(startOffset, queue.endOffset));
        }
    }

    public void state(int viewId, byte[] bytes) {
        FoldingView view = new FoldingView(viewId, views.getOrDefault(viewId, FoldingView.EMPTY));
        view.apply(0, ByteBuffer.wrap(bytes));
        views.put(viewId, view.state());
    }

    public @Nullable Queue queue(int queueId) {
        return queues.get(queueId);
    }

    public Map<Integer, Queue> queues() {
        return queues;
    }

    public int idLimit() {
        return idLimit;
    }

    public String view(int viewId) {
        return views.getOrDefault(viewId, FoldingView.EMPTY);
    }

    /** Everything except the batches themselves. */
    public String summary() {
        return "ids " + idLimit + " queues " + queues + " views " + views + " gate " + gate();
    }

    private Map<String, Sequences> gate() {
        TreeMap<String, Sequences> states = new TreeMap<>();
        queues.forEach((id, queue) -> queue.producers.forEach(
                (producer, sequences) -> states.put(SimulatedGate.key(id, producer), sequences)));
        return states;
    }
}
