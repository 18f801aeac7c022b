package io.rivulet.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Batches for any number of queues and entries for views, appended with one call. All of them are in one buffer, which
 * the caller must not change until the request is complete. Reusable: {@link #reset}.
 *
 * <p>A part is a batch or an entry of state. Each part has an {@link Outcome}; a batch that is stored also has a base
 * offset. The request is complete when each part has reached what the request {@link Wait waits} for.
 *
 * <p>Parts are stored in their order and independently, unless the request is {@link #atomic}.
 *
 * <p>Owned by: the caller, until the request is offered; then the log-writer thread, until it is complete.
 */
public final class AppendRequest {
    /** What each part must reach before the request is complete. */
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

    /** In place of the number of records of a batch, which is at least 1. */
    private static final int STATE = 0;

    private static final long NO_OFFSET = -1;
    private static final long[] NONE = {};

    /** To join the checksum of fewer bytes takes longer than to read them. */
    private static final int LEAST_SUMMED_BYTES = 8 << 10;

    private final Wait wait;
    private final Completion completion;
    private ByteBuffer source;
    private boolean atomic;
    private int gateFlags;

    private int count;
    /** Queue ids of batches, view ids of entries. */
    private int[] ids;

    private int[] ats;
    private int[] lengths;
    private int[] recordCounts;
    private long[] maxTimestamps;
    private long[] baseOffsets;
    private Outcome[] outcomes;
    /** Empty until a gate refuses a part. */
    private @Nullable GateRefusal[] refusals = {};
    /** Empty until a batch is in a file. The number of the file, 0 for none. */
    private long[] hugeNumbers = NONE;

    private int[] hugeCrcs = {};
    /** Empty until a checksum is known. How many bytes at the end of the part it covers, 0 for none. */
    private int[] summedBytes = {};

    private int[] sums = {};

    private long heldBytes;
    private int longestBytes;

    public AppendRequest(ByteBuffer source, Wait wait, Completion completion) {
        this(source, wait, completion, INITIAL_PARTS);
    }

    /** @param parts initial capacity; it grows */
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

    /** Removes all parts. New parts are in {@code newSource}. */
    public AppendRequest reset(ByteBuffer newSource) {
        source = newSource;
        atomic = false;
        count = 0;
        gateFlags = 0;
        heldBytes = 0;
        longestBytes = 0;
        hugeNumbers = NONE;
        Arrays.fill(summedBytes, 0);
        return this;
    }

    /**
     * Stores all parts in one group, so after a crash all of them exist or none. If one part is not admitted, all get
     * its outcome. If no group can hold them all, the outcome is {@link Outcome#TOO_LARGE}.
     */
    public AppendRequest atomic() {
        atomic = true;
        return this;
    }

    /** Passed to {@link BatchGate#check} with each batch, and not stored. The gate defines their meaning. */
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
        View.requireId(viewId);
        addPart(viewId, at, length, STATE, 0);
        return this;
    }

    /**
     * The last {@code bytes} bytes of the part that was added last have this CRC-32C, so the store need not read them to
     * compute it. Until the part is stored, they must not change. No effect for few bytes.
     */
    public AppendRequest summed(int bytes, int crc) {
        int last = count - 1;
        Objects.checkIndex(bytes, lengths[last] + 1);
        if (bytes < LEAST_SUMMED_BYTES) {
            return this;
        }
        if (summedBytes.length < ids.length) {
            summedBytes = Arrays.copyOf(summedBytes, ids.length);
            sums = Arrays.copyOf(sums, ids.length);
        }
        summedBytes[last] = bytes;
        sums[last] = crc;
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
        longestBytes = Math.max(longestBytes, length);
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

    /** Number of parts. */
    public int count() {
        return count;
    }

    /** The queue of a part that is a batch. */
    public int queueId(int index) {
        return ids[index];
    }

    public Outcome outcome(int index) {
        return outcomes[index];
    }

    /** The first offset of a batch that is stored, or of the first copy of a {@link Outcome#DUPLICATE}; else -1. */
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

    /** Bytes that the request keeps in memory while it waits. */
    public long heldBytes() {
        return heldBytes;
    }

    /** The buffer that holds all parts. */
    public ByteBuffer source() {
        return source;
    }

    /** Whether the part is an entry for a view. */
    public boolean isState(int index) {
        return recordCounts[index] == STATE;
    }

    /** The view of a part that is an entry. */
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

    /** How many bytes at the end of the part {@link #sum} covers; 0 if it is unknown. */
    public int summedBytes(int index) {
        return index < summedBytes.length ? summedBytes[index] : 0;
    }

    public int sum(int index) {
        return sums[index];
    }

    /** Sets the result of a part. */
    public void outcome(int index, Outcome outcome) {
        outcomes[index] = outcome;
    }

    /** The batch is in the forming group with this offset. A negative offset removes it again. */
    public void baseOffset(int index, long baseOffset) {
        baseOffsets[index] = baseOffset;
    }

    /** The batch is in a file of its own; the log gets a reference to it. */
    public void huge(int index, long fileNumber, int payloadCrc) {
        if (hugeNumbers.length < ids.length) {
            hugeNumbers = Arrays.copyOf(hugeNumbers, ids.length);
            hugeCrcs = Arrays.copyOf(hugeCrcs, ids.length);
        }
        hugeNumbers[index] = fileNumber;
        hugeCrcs[index] = payloadCrc;
        heldBytes -= lengths[index];
    }

    /** Whether any batch is in a file of its own. */
    public boolean hasHuge() {
        return hugeNumbers.length > 0;
    }

    /** The length of the longest part. */
    public int longestBytes() {
        return longestBytes;
    }

    /** Whether the batch is in a file of its own. */
    public boolean isHuge(int index) {
        return index < hugeNumbers.length && hugeNumbers[index] != 0;
    }

    public long hugeNumber(int index) {
        return hugeNumbers[index];
    }

    /** CRC32C of a batch that is in a file. */
    public int hugeCrc(int index) {
        return hugeCrcs[index];
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

    /** All parts have their outcome. */
    public void complete() {
        completion.completed(this);
    }
}
