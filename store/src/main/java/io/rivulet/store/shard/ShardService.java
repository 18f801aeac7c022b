package io.rivulet.store.shard;

import java.io.IOException;

/** Decides which of several processes has the shard open. Loaded if it is asked for. */
public interface ShardService {
    /**
     * Follows the shard from now on, and owns it by turns. Returns at once; what happens goes to the tenant.
     *
     * @param address of the machines and of the shard, in a form of the service
     * @param self must be alone with its id
     * @param sessionMillis after so much silence of this process others take over
     * @throws IOException if the address is not one, or if the shard can't be shared
     */
    Membership join(String address, Peer self, int sessionMillis, Tenant tenant) throws IOException;

    /**
     * What the other machines say about a shard, without a part in it. Changes nothing. Waits for them for a limited
     * time each.
     *
     * @param address as in {@link #join}
     * @param withOrphans whether to look at all ledgers of the machines, those of other logs included
     * @throws IOException if the address is not one, if there is no such shard, or if the machines don't answer
     */
    ShardStatus status(String address, boolean withOrphans) throws IOException;

    /** The part of this process. Thread-safe. */
    interface Membership extends AutoCloseable {
        /** Gives the shard to others, leaves, and returns when nothing of it runs any more. */
        @Override
        void close() throws IOException;
    }
}
