package io.rivulet.store.shard;

import io.rivulet.store.io.Disk;
import io.rivulet.store.log.LogLocation;
import java.io.IOException;

/** That this process owns the shard, until somebody else claims it. Thread-safe. */
public interface Claim {
    /** Counts the owners. */
    long epoch();

    /**
     * The log of the shard. Opening it stops earlier owners; it decides nothing when this claim is over.
     *
     * @param disk of the store, for what the log does not keep
     */
    LogLocation log(Disk disk) throws IOException;

    /**
     * Whether an answer that no append stands behind may leave: that something is the latest, or does not exist. Asked
     * after the answer was made.
     */
    boolean mayAnswer();

    /** How many ledgers the log has; 0 if it is not open. */
    int ledgers();

    /** How many groups of the log the other machines have not acknowledged yet; 0 if it is not open. */
    int groupsOnTheirWay();

    /**
     * To be called after each piece of work of an opening: without that for a minute, it is left to others.
     *
     * @throws IOException if nobody wants the shard opened any more
     */
    void progress() throws IOException;
}
