package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.wire.Uuid;
import org.jspecify.annotations.Nullable;

/** Why the voters of the quorum can't change: this broker is the only one. Stateless. */
final class StaticQuorum {
    private StaticQuorum() {}

    /** @param clusterId the cluster that the client means; null for any */
    static RefusedException refusal(ApiParts parts, @Nullable String clusterId, int voterId, Uuid directoryId) {
        if (clusterId != null && !clusterId.equals(parts.clusterId())) {
            return new RefusedException(
                    ErrorCode.INCONSISTENT_CLUSTER_ID,
                    "the cluster's id is " + parts.clusterId() + ", not " + clusterId);
        }
        if (voterId < 0 || directoryId.equals(Uuid.ZERO)) {
            return new RefusedException(ErrorCode.INVALID_REQUEST, "a voter has an id and a directory id");
        }
        return new RefusedException(
                ErrorCode.UNSUPPORTED_VERSION, "voters can't be added or removed, because kraft.version is 0");
    }
}
