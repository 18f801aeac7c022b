package io.rivulet.broker.api.topic;

import io.rivulet.broker.config.ReplicationFactors;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;

/** Refuses replication factors that one broker can't serve. Stateless. */
final class Replication {
    private static final int DEFAULT = -1;

    private Replication() {}

    /** @param wanted -1 for the default */
    static void require(ReplicationFactors allowed, int wanted) {
        int factor = wanted == DEFAULT ? allowed.byDefault() : wanted;
        if (allowed.allow(factor)) {
            return;
        }
        throw new RefusedException(
                ErrorCode.INVALID_REPLICATION_FACTOR,
                factor < 1
                        ? "the replication factor must be 1, or -1 for the default"
                        : "the replication factor is " + factor + ", but there is only 1 broker; with "
                                + "rivulet.replication.factor.max=accept, the topic gets one replica");
    }
}
