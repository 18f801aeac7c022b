package io.rivulet.broker;

import io.rivulet.broker.metrics.ClusterFacts;
import io.rivulet.broker.metrics.ClusterFacts.Steps;
import io.rivulet.store.shard.Claim;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts how often this process has taken over the shard and lost it. Thread-safe. */
final class Takeovers {
    // Guarded by this.
    private long begun;
    private long completed;
    private long lost;
    private @Nullable Steps last;
    /** The last one; null after its end. */
    private @Nullable Claim claim;

    private long epoch;

    synchronized void begun(Claim of) {
        begun++;
        claim = of;
        epoch = of.epoch();
    }

    synchronized void completed(Steps steps) {
        completed++;
        last = steps;
    }

    /** @param served whether clients were */
    synchronized void ended(Claim of, boolean served) {
        lost += served ? 1 : 0;
        if (claim == of) {
            claim = null;
        }
    }

    /** Of the last claim. */
    synchronized long epoch() {
        return epoch;
    }

    synchronized boolean isOpening() {
        return claim != null;
    }

    synchronized ClusterFacts.Takeovers counts() {
        return new ClusterFacts.Takeovers(begun, completed, lost, last);
    }

    ClusterFacts.Log log() {
        Claim open = claim();
        return open == null
                ? new ClusterFacts.Log(0, 0)
                : new ClusterFacts.Log(open.ledgers(), open.groupsOnTheirWay());
    }

    private synchronized @Nullable Claim claim() {
        return claim;
    }

    /** For a line of the log. */
    static String text(Steps steps) {
        return millis(steps.nanos()) + " ms after it had no owner: claim "
                + millis(steps.before().claimNanos())
                + ", fence " + millis(steps.before().fenceNanos())
                + ", load " + millis(steps.before().loadNanos())
                + ", wait " + millis(steps.before().waitNanos())
                + ", serve " + millis(steps.serveNanos());
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
