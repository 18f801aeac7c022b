package io.rivulet.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Batches for any number of queues and entries for views, appended with one call. They lie in one buffer, which the caller must
 * leave alone until the request is complete. Reusable: {@link #reset}.
 *
 * <p>Each part, a batch or an entry of state, has an {@link Outcome} and, if it is a batch that is stored, a base offset. A
 * request is complete when each of its parts has come as far as the request {@link Wait waits} for.
 *
 * <p>Parts are stored in their order, each for itself, unless the request is {@link #atomic}.
 *
 * <p>Owned by: whoever fills it, until it is offered; from then on by the log-writer thread, until it is complete.
 */
public final class AppendRequest {
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
    private int gateFlags;

    private int count;
    /** Of a queue, or of a view. */
    private int[] ids;

    private int[] ats;
    private int[] lengths;
    private int[] recordCounts;
    private long[] maxTimestamps;
    private long[] baseOffsets;
    private Outcome[] outcomes;
    /** Empty until a gate refuses a part. */
    private @Nullable GateRefusal[] refusals = {};

    private long heldBytes;

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
        gateFlags = 0;
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

    /** Passed to {@link BatchGate#check} with each batch, and not stored. What they mean is up to the gate. */
    public AppendRequest gateFlags(int flags) {
        gateFlags = flags;
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

    /** The first offset of a batch that is stored, now or, if it is a {@link Outcome#DUPLICATE}, before; else -1. */
    public long baseOffset(int index) {
        return baseOffsets[index];
    }

    /** Why the gate refused a batch that is {@link Outcome#REFUSED_BY_GATE}. */
    public GateRefusal refusal(int index) {
        return Objects.requireNonNull(refusals[index]);
    }

    // ---- for the store, from offer to completion ----

    /** Whether the request is complete when its parts are written, or when they are durable. */
    public Wait waitsFor() {
        return wait;
    }

    public boolean isAtomic() {
        return atomic;
    }

    public int gateFlags() {
        return gateFlags;
    }

    /** Bytes that it keeps in memory while it waits. */
    public long heldBytes() {
        return heldBytes;
    }

    /** What all parts lie in. */
    public ByteBuffer source() {
        return source;
    }

    /** Whether the part is an entry for a view, and no batch. */
    public boolean isState(int index) {
        return recordCounts[index] == STATE;
    }

    /** Of a part that is an entry for a view. */
    public int viewId(int index) {
        return ids[index];
    }

    public int at(int index) {
        return ats[index];
    }

    public int length(int index) {
        return lengths[index];
    }

    public int recordCount(int index) {
        return recordCounts[index];
    }

    public long maxTimestamp(int index) {
        return maxTimestamps[index];
    }

    /** The part has come to an end. */
    public void outcome(int index, Outcome outcome) {
        outcomes[index] = outcome;
    }

    /** The batch is in the forming group with this offset; a negative one takes that back. */
    public void baseOffset(int index, long baseOffset) {
        baseOffsets[index] = baseOffset;
    }

    /** The gate did not admit the batch. */
    public void turnedDown(int index, GateVerdict verdict) {
        GateRefusal refusal = verdict.refusal();
        outcomes[index] = refusal == null ? Outcome.DUPLICATE : Outcome.REFUSED_BY_GATE;
        baseOffsets[index] = verdict.baseOffset();
        if (refusal != null) {
            if (refusals.length < ids.length) {
                refusals = Arrays.copyOf(refusals, ids.length);
            }
            refusals[index] = refusal;
        }
    }

    /** All parts have come to their end. */
    public void complete() {
        completion.completed(this);
    }
}
