package io.rivulet.cluster.shard;

import java.util.concurrent.TimeUnit;

/**
 * How long things take. Immutable.
 *
 * @param leaseNanos how long an owner may answer from state after it has asked the registry
 * @param waitNanos how long the next owner waits after its claim, by its own clock; longer than the lease by more than
 *     the rates of two clocks differ
 * @param turnNanos how long the second candidate leaves a shard to the first one, the third to the second
 * @param retryNanos before the next attempt after a failure
 * @param stuckNanos after which an opening without progress is left to others
 */
public record ShardTimes(long leaseNanos, long waitNanos, long turnNanos, long retryNanos, long stuckNanos) {
    public static final ShardTimes DEFAULT = new ShardTimes(
            TimeUnit.MILLISECONDS.toNanos(2000),
            TimeUnit.MILLISECONDS.toNanos(2500),
            TimeUnit.MILLISECONDS.toNanos(1000),
            TimeUnit.MILLISECONDS.toNanos(3000),
            TimeUnit.SECONDS.toNanos(60));

    /** How often an owner asks the registry, and others look at it. */
    long stepNanos() {
        return leaseNanos / 3;
    }
}
