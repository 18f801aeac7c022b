package io.rivulet.store.writer;

import io.rivulet.store.BatchGate;
import io.rivulet.store.Outcome;
import io.rivulet.store.View;
import io.rivulet.store.entry.EntryLayout;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.view.Applier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Batches for any number of queues and state for views, which travel as one. They lie in one buffer, which the caller must leave
 * alone until the request is complete. Reusable: {@link #reset}.
 *
 * <p>Each part, a batch or an entry of state, has an {@link Outcome} and, if it is a batch that is stored, a base offset. A
 * request is complete when each of its parts has come as far as the request {@link Wait waits} for.
 *
 * <p>Parts are stored in their order, each for itself, unless the request is {@link #atomic}.
 */
public final class AppendRequest extends Command {
    /** How far a part must have come before the request is complete. */
    public enum Wait {
        /** It has reached the operating system. */
        WRITTEN,
        /** It is as durable as the store's durability says. */
        DURABLE
    }

    /** Called once for each offer of the request, on the log-writer thread; must not block or throw. */
    @FunctionalInterface
    public interface Completion {
        void completed(AppendRequest request);
    }

    private static final int INITIAL_PARTS = 8;

    /** Instead of the number of records, which a batch has at least one of. */
    private static final int STATE = 0;

    private static final long NO_OFFSET = -1;

    private final Wait wait;
    private final Completion completion;
    private ByteBuffer source;
    private boolean atomic;

    private int count;
    /** Of a queue, or of a view. */
    private int[] ids;

    private int[] ats;
    private int[] lengths;
    private int[] recordCounts;
    private long[] maxTimestamps;
    private long[] baseOffsets;
    private Outcome[] outcomes;
    private long heldBytes;

    private int laid;
    private int settled;

    public AppendRequest(ByteBuffer source, Wait wait, Completion completion) {
        this(source, wait, completion, INITIAL_PARTS);
    }

    /** @param parts room for so many; it grows */
    public AppendRequest(ByteBuffer source, Wait wait, Completion completion, int parts) {
        this.source = source;
        this.wait = wait;
        this.completion = completion;
        this.ids = new int[parts];
        this.ats = new int[parts];
        this.lengths = new int[parts];
        this.recordCounts = new int[parts];
        this.maxTimestamps = new long[parts];
        this.baseOffsets = new long[parts];
        this.outcomes = new Outcome[parts];
    }

    /** Empties the request for parts that lie in {@code newSource}. */
    public AppendRequest reset(ByteBuffer newSource) {
        source = newSource;
        atomic = false;
        count = 0;
        laid = 0;
        settled = 0;
        heldBytes = 0;
        return this;
    }

    /**
     * All parts are stored in one group, so that whatever happens all of them are there or none. When one of them is turned down,
     * all are, with its outcome; {@link Outcome#TOO_LARGE} when no group can hold them all.
     */
    public AppendRequest atomic() {
        atomic = true;
        return this;
    }

    /** Adds the batch of {@code length} bytes at {@code at} of the source. */
    public AppendRequest add(int queueId, int at, int length, int recordCount, long maxTimestamp) {
        if (length < 1 || recordCount < 1) {
            throw new IllegalArgumentException(
                    "a batch has at least one byte and one record, not " + length + " and " + recordCount);
        }
        addPart(queueId, at, length, recordCount, maxTimestamp);
        return this;
    }

    /** Adds an entry for a view, of {@code length} bytes at {@code at} of the source. */
    public AppendRequest addState(int viewId, int at, int length) {
        if (viewId < 0 || viewId > View.MAX_ID) {
            throw new IllegalArgumentException("view id " + viewId + " is the store's own or none");
        }
        addPart(viewId, at, length, STATE, 0);
        return this;
    }

    private void addPart(int id, int at, int length, int recordCount, long maxTimestamp) {
        Objects.checkFromIndexSize(at, length, source.limit());
        if (count == ids.length) {
            grow();
        }
        ids[count] = id;
        ats[count] = at;
        lengths[count] = length;
        recordCounts[count] = recordCount;
        maxTimestamps[count] = maxTimestamp;
        baseOffsets[count] = NO_OFFSET;
        outcomes[count] = Outcome.PENDING;
        heldBytes += length;
        count++;
    }

    private void grow() {
        int size = Math.max(INITIAL_PARTS, 2 * count);
        ids = Arrays.copyOf(ids, size);
        ats = Arrays.copyOf(ats, size);
        lengths = Arrays.copyOf(lengths, size);
        recordCounts = Arrays.copyOf(recordCounts, size);
        maxTimestamps = Arrays.copyOf(maxTimestamps, size);
        baseOffsets = Arrays.copyOf(baseOffsets, size);
        outcomes = Arrays.copyOf(outcomes, size);
    }

    /** How many parts. */
    public int count() {
        return count;
    }

    /** Of a part that is a batch. */
    public int queueId(int index) {
        return ids[index];
    }

    public Outcome outcome(int index) {
        return outcomes[index];
    }

    /**
     * The first offset of a batch that is stored, also when as a {@link Outcome#DUPLICATE}; of one that was {@link
     * Outcome#REFUSED_BY_GATE} what {@link BatchGate#check} answered.
     */
    public long baseOffset(int index) {
        return baseOffsets[index];
    }

    @Override
    long heldBytes() {
        return heldBytes;
    }

    @Override
    int laidParts() {
        return laid;
    }

    // ---- laying ----

    @Override
    boolean layInto(GroupAssembly assembly) {
        if (atomic) {
            return layWhole(assembly);
        }
        while (laid < count) {
            if (!layPart(assembly, laid)) {
                return false;
            }
            laid++;
        }
        return true;
    }

    private boolean layWhole(GroupAssembly assembly) {
        long bytes = 0;
        long chunks = 0;
        for (int i = 0; i < count; i++) {
            bytes += EntryLayout.MAX_OVERHEAD_BYTES + lengths[i];
            chunks += recordCounts[i] == STATE ? 0 : Tail.chunksFor(Applier.tailBytes(lengths[i]));
        }
        if (!assembly.canHold(bytes, chunks)) {
            turnDownAll(Outcome.TOO_LARGE);
        } else if (!assembly.hasRoom((int) bytes, (int) chunks)) {
            return false;
        } else {
            layAllOrNone(assembly);
        }
        laid = count;
        return true;
    }

    private void layAllOrNone(GroupAssembly assembly) {
        assembly.mark();
        for (int i = 0; i < count; i++) {
            if (!layPart(assembly, i)) {
                throw new IllegalStateException("no room for part " + i + ", though there was room for all");
            }
            if (outcomes[i] != Outcome.PENDING) {
                assembly.backToMark();
                turnDownAll(outcomes[i]);
                return;
            }
        }
    }

    private void turnDownAll(Outcome outcome) {
        for (int i = 0; i < count; i++) {
            baseOffsets[i] = outcomes[i] == Outcome.PENDING ? NO_OFFSET : baseOffsets[i];
            outcomes[i] = outcome;
        }
    }

    /** Lays the part down or turns it down; false when there is no room for it. */
    private boolean layPart(GroupAssembly assembly, int i) {
        if (lengths[i] > assembly.maxPayloadBytes()) {
            outcomes[i] = Outcome.TOO_LARGE;
            return true;
        }
        return recordCounts[i] == STATE ? layState(assembly, i) : layBatch(assembly, i);
    }

    private boolean layState(GroupAssembly assembly, int i) {
        return assembly.lay(
                EntryLayout.MAX_OVERHEAD_BYTES + lengths[i],
                (body, at) -> EntryLayout.putState(body, at, ids[i], source, ats[i], lengths[i]));
    }

    private boolean layBatch(GroupAssembly assembly, int i) {
        if (!assembly.exists(ids[i])) {
            outcomes[i] = Outcome.NO_QUEUE;
            return true;
        }
        long verdict = assembly.check(ids[i], source, ats[i], lengths[i]);
        if (verdict != BatchGate.ADMIT) {
            outcomes[i] = verdict > BatchGate.ADMIT ? Outcome.DUPLICATE : Outcome.REFUSED_BY_GATE;
            baseOffsets[i] = verdict;
            return true;
        }
        long baseOffset = assembly.layBatch(ids[i], recordCounts[i], maxTimestamps[i], source, ats[i], lengths[i]);
        if (baseOffset == GroupAssembly.NO_ROOM) {
            return false;
        }
        baseOffsets[i] = baseOffset;
        return true;
    }

    // ---- settling ----

    @Override
    boolean written(int from, int to) {
        if (wait == Wait.DURABLE) {
            return false;
        }
        settle(from, to, Outcome.WRITTEN);
        return true;
    }

    /** What the gate found does not count when the group fails, for that may hold what it was compared with. */
    @Override
    void settle(int from, int to, Outcome outcome) {
        for (int i = from; i < to; i++) {
            if (outcomes[i] == Outcome.PENDING || (outcomes[i].isVerdict() && !outcome.isStored())) {
                outcomes[i] = outcome;
            }
        }
        settled += to - from;
        if (settled == count) {
            completion.completed(this);
        }
    }

    @Override
    void settleFrom(int from, Outcome outcome) {
        laid = count;
        settle(from, count, outcome);
    }
}
