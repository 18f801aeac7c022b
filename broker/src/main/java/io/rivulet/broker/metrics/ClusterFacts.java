package io.rivulet.broker.metrics;

import io.rivulet.store.shard.Takeover;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The part of this broker in a cluster, as it sees that. Immutable.
 *
 * @param ownerId {@link io.rivulet.store.shard.Overview#NOBODY} if nobody alive owns the shard
 * @param epoch counts the owners
 * @param brokers that are alive, this one included
 * @param ownersConsole the address of the owner's console; empty if it is not known
 */
public record ClusterFacts(
        Role role,
        int ownerId,
        long epoch,
        int brokers,
        String ownersConsole,
        Takeovers takeovers,
        Log log,
        Relayed relayed) {

    /** What a broker does with the shard. */
    public enum Role {
        /** It relays clients to the owner. */
        FOLLOWER,
        /** It has claimed the shard, and does not serve clients yet. */
        OPENING,
        OWNER;

        /** The name for pages. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Counted since the start of the process.
     *
     * @param begun claims, also those that failed
     * @param completed those after which clients were served
     * @param lost how often the shard was given up after that, for whatever reason
     * @param last of those that were completed; null if there is none
     */
    public record Takeovers(
            long begun, long completed, long lost, @Nullable Steps last) {}

    /** The steps of a takeover. */
    public record Steps(Takeover before, long serveNanos) {
        public long nanos() {
            return before.claimNanos() + before.fenceNanos() + before.loadNanos() + before.waitNanos() + serveNanos;
        }
    }

    /** Of the owner; 0 elsewhere. */
    public record Log(int ledgers, int groupsOnTheirWay) {}

    /** Connections of clients: open to an owner, waiting for one, and all that were passed on since the start. */
    public record Relayed(long open, long waiting, long total) {}
}
