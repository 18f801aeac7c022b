package io.rivulet.broker.api;

import io.rivulet.broker.error.ErrorCode;

/** What a client believes of the leader, against {@link BrokerIdentity#LEADER_EPOCH}. Stateless. */
final class LeaderEpochs {
    /** The client doesn't say. */
    static final int NONE = -1;

    private LeaderEpochs() {}

    static ErrorCode check(int epoch) {
        if (epoch == NONE || epoch == BrokerIdentity.LEADER_EPOCH) {
            return ErrorCode.NONE;
        }
        return epoch < BrokerIdentity.LEADER_EPOCH ? ErrorCode.FENCED_LEADER_EPOCH : ErrorCode.UNKNOWN_LEADER_EPOCH;
    }
}
