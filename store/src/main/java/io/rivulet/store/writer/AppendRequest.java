package io.rivulet.store.writer;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Batches for any number of queues, which travel as one. They lie in one buffer, which the caller must leave alone until the
 * request is complete. Reusable: {@link #reset}.
 *
 * <p>Each batch has an {@link Outcome} and, when stored, a base offset. A request is complete when each of its batches has come
 * as far as the request {@link Wait waits} for.
 */
public final class AppendRequest extends Command {
    /** How far a batch must have come before the request is complete. */
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

    private static final int INITIAL_BATCHES = 8;

    private final Wait wait;
    private final Completion completion;
    private ByteBuffer source;

    private int count;
    private int[] queueIds = new int[INITIAL_BATCHES];
    private int[] payloadAts = new int[INITIAL_BATCHES];
    private int[] payloadLengths = new int[INITIAL_BATCHES];
    private int[] recordCounts = new int[INITIAL_BATCHES];
    private long[] maxTimestamps = new long[INITIAL_BATCHES];
    private long[] baseOffsets = new long[INITIAL_BATCHES];
    private Outcome[] outcomes = new Outcome[INITIAL_BATCHES];
    private long payloadBytes;

    private int laid;
    private int settled;

    public AppendRequest(ByteBuffer source, Wait wait, Completion completion) {
        this.source = source;
        this.wait = wait;
        this.completion = completion;
    }

    /** Empties the request for batches that lie in {@code newSource}. */
    public AppendRequest reset(ByteBuffer newSource) {
        source = newSource;
        count = 0;
        laid = 0;
        settled = 0;
        payloadBytes = 0;
        return this;
    }

    /** Adds the batch of {@code payloadLength} bytes at {@code payloadAt} of the source. */
    public AppendRequest add(int queueId, int payloadAt, int payloadLength, int recordCount, long maxTimestamp) {
        if (payloadLength < 1 || recordCount < 1) {
            throw new IllegalArgumentException(
                    "a batch has at least one byte and one record, not " + payloadLength + " and " + recordCount);
        }
        if (count == queueIds.length) {
            grow();
        }
        queueIds[count] = queueId;
        payloadAts[count] = payloadAt;
        payloadLengths[count] = payloadLength;
        recordCounts[count] = recordCount;
        maxTimestamps[count] = maxTimestamp;
        outcomes[count] = Outcome.PENDING;
        payloadBytes += payloadLength;
        count++;
        return this;
    }

    private void grow() {
        int size = 2 * count;
        queueIds = Arrays.copyOf(queueIds, size);
        payloadAts = Arrays.copyOf(payloadAts, size);
        payloadLengths = Arrays.copyOf(payloadLengths, size);
        recordCounts = Arrays.copyOf(recordCounts, size);
        maxTimestamps = Arrays.copyOf(maxTimestamps, size);
        baseOffsets = Arrays.copyOf(baseOffsets, size);
        outcomes = Arrays.copyOf(outcomes, size);
    }

    /** How many batches. */
    public int count() {
        return count;
    }

    public int queueId(int index) {
        return queueIds[index];
    }

    public Outcome outcome(int index) {
        return outcomes[index];
    }

    /** The batch's first offset; only when it is stored. */
    public long baseOffset(int index) {
        return baseOffsets[index];
    }

    @Override
    long heldBytes() {
        return payloadBytes;
    }

    @Override
    int laidParts() {
        return laid;
    }

    @Override
    boolean layInto(GroupAssembly assembly) {
        for (; laid < count; laid++) {
            int i = laid;
            if (!assembly.exists(queueIds[i])) {
                outcomes[i] = Outcome.NO_QUEUE;
            } else if (payloadLengths[i] > assembly.maxPayloadBytes()) {
                outcomes[i] = Outcome.TOO_LARGE;
            } else {
                long baseOffset = assembly.layBatch(
                        queueIds[i], recordCounts[i], maxTimestamps[i], source, payloadAts[i], payloadLengths[i]);
                if (baseOffset == GroupAssembly.NO_ROOM) {
                    return false;
                }
                baseOffsets[i] = baseOffset;
            }
        }
        return true;
    }

    @Override
    boolean written(int from, int to) {
        if (wait == Wait.DURABLE) {
            return false;
        }
        settle(from, to, Outcome.WRITTEN);
        return true;
    }

    @Override
    void settle(int from, int to, Outcome outcome) {
        for (int i = from; i < to; i++) {
            if (outcomes[i] == Outcome.PENDING) {
                outcomes[i] = outcome;
            }
        }
        settled += to - from;
        if (settled == count) {
            completion.completed(this);
        }
    }

    @Override
    void settleRest(Outcome outcome) {
        int from = laid;
        laid = count;
        settle(from, count, outcome);
    }
}
