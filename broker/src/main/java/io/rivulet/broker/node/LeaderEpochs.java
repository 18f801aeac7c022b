package io.rivulet.broker.node;

import io.rivulet.broker.error.ErrorCode;

/**
 * The epoch of this broker as the leader of each partition, and what requests may say of it. Immutable.
 *
 * @param current at least 0; greater than those of all leaders before it
 */
public record LeaderEpochs(int current) {
    /** The client does not name one. */
    private static final int NONE = -1;

    /** @param epoch the one that the client expects */
    public ErrorCode check(int epoch) {
        if (epoch == NONE || epoch == current) {
            return ErrorCode.NONE;
        }
        return epoch < current ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH;
    }

    /** Whether this broker or one before it led in this epoch, so that it has everything that was durable then. */
    public boolean isKnown(int epoch) {
        return epoch >= 0 && epoch <= current;
    }
}
