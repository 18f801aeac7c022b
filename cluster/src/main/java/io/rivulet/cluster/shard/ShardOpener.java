package io.rivulet.cluster.shard;

import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;

/** Opens the shard that this broker has claimed. */
public interface ShardOpener {
    /** Whom an opener tells that it goes on. */
    interface Progress {
        /**
         * To be called after each piece of work. An opener that doesn't for {@link ShardTimes#stuckNanos} is stuck.
         *
         * @throws IOException if nobody wants the shard any more
         */
        void made() throws IOException;

        /** No earlier owner appends any more. */
        void fenced();
    }

    /**
     * Fences the log, so that no earlier owner appends, and loads what it has. May take long. Runs on a thread of its
     * own; if it was given up, it still ends before the next one begins.
     *
     * @param claim the node after the claim. Each decision of the log must be a swap of this node, and fail when it has
     *     another epoch or owner
     * @param lease whether an answer from state may leave
     * @throws IOException also if another broker has claimed the shard meanwhile
     */
    Tenure open(ShardNode claim, Lease lease, Progress progress) throws IOException;
}
