package io.rivulet.broker.api.topic;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.quota.CallMeter;

/** Counts partitions that clients create and delete, for their quotas. Stateless. */
final class Mutations {
    private Mutations() {}

    /**
     * @param strictFromVersion the first version whose clients know that a mutation is refused; others wait afterwards
     * @throws RefusedException if the quota is exceeded
     */
    static void count(Call call, int partitions, short strictFromVersion) {
        CallMeter meter = call.meter();
        if (meter != null) {
            meter.mutate(partitions, call.version() >= strictFromVersion);
        }
    }
}
