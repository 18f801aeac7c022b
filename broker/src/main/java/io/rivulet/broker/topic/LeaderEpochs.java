package io.rivulet.broker.topic;

import io.rivulet.broker.error.ErrorCode;

/** Checks the leader epoch that a client expects. There is one leader, so its epoch never changes. Stateless. */
public final class LeaderEpochs {
    public static final int CURRENT = 0;
    /** The client does not name one. */
    private static final int NONE = -1;

    private LeaderEpochs() {}

    public static ErrorCode check(int epoch) {
        if (epoch == NONE || epoch == CURRENT) {
            return ErrorCode.NONE;
        }
        return epoch < CURRENT ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH;
    }
}
