package io.rivulet.broker.share;

import org.jspecify.annotations.Nullable;

/**
 * Records of one queue, side by side, in the same state.
 *
 * <p>A <i>pending</i> run is acquired, and an entry on its way to the log will end the delivery.
 *
 * <p>Guarded by the lock of its group.
 */
final class Run {
    /** The heap of a run and its place in a list. */
    static final int HEAP_BYTES = 80;

    int queueId;
    long first;
    long last;
    byte state;
    /** The state that the entry will give it; {@link RecordState#NONE} if it is not pending. */
    byte pending = RecordState.NONE;
    /** A {@link DeadCause}: why the entry will archive it. */
    byte cause = DeadCause.NONE;

    /** The deliveries, with the one under way. 0 for records that were never delivered. */
    int deliveries;
    /** How many records were acquired together with these the last time; 0 if that is forgotten. */
    int together;
    /** The member that has it. */
    @Nullable
    String owner;

    long deadlineNanos;
    /** In the list of locks; null outside of it. */
    @Nullable
    Run earlier;

    @Nullable
    Run later;
    /** In the list of its owner's locks. */
    @Nullable
    Run previousOfOwner;

    @Nullable
    Run nextOfOwner;

    Run(int queueId, long first, long last, byte state, int deliveries) {
        begin(queueId, first, last, state, deliveries);
    }

    /** Begins again, if it was used before: its delivery has ended, so it is in no list. */
    void begin(int ofQueue, long from, long to, byte inState, int delivered) {
        queueId = ofQueue;
        first = from;
        last = to;
        state = inState;
        deliveries = delivered;
        together = 0;
    }

    long count() {
        return last - first + 1;
    }

    boolean isPending() {
        return pending != RecordState.NONE;
    }

    boolean isFinal() {
        return RecordState.isFinal(state);
    }

    boolean isAvailable() {
        return state == RecordState.AVAILABLE;
    }

    boolean isHeldBy(String member) {
        return state == RecordState.ACQUIRED && !isPending() && member.equals(owner);
    }

    /** Whether there are no records that could be delivered at its offsets: a hole, a marker, or aborted records. */
    boolean isHole() {
        return state == RecordState.ARCHIVED && deliveries == 0;
    }

    /** What the log knows: an acquired run as it was before its delivery. */
    byte durableState() {
        return state == RecordState.ACQUIRED ? RecordState.AVAILABLE : state;
    }

    int durableDeliveries() {
        return state == RecordState.ACQUIRED ? deliveries - 1 : deliveries;
    }
}
