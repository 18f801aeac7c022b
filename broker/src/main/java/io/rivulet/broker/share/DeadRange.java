package io.rivulet.broker.share;

import io.rivulet.protocol.wire.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * A run whose records need dead letters, as it was when they were begun. Immutable.
 *
 * @param topicId of the topic of the run's queue
 */
record DeadRange(
        Run run,
        int queueId,
        long first,
        long last,
        int deliveries,
        byte cause,
        @Nullable Uuid topicId) {
    static DeadRange of(Run run, @Nullable Uuid topicId) {
        return new DeadRange(run, run.queueId, run.first, run.last, run.deliveries, run.cause, topicId);
    }

    /** Whether these records still wait for their letters. The caller holds the lock of the group. */
    boolean isCurrent(ShareGroup group) {
        return run.isPending() && run.first == first && !group.isClosing() && !group.isClosing(queueId);
    }
}
