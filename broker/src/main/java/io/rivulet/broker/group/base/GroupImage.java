package io.rivulet.broker.group.base;

import java.nio.ByteBuffer;

/**
 * The state of a group in the log, as bytes. Each kind of group has its own. Snapshots are written from it, and after a
 * restart the group is restored from it.
 *
 * <p>Owned by: the coordinator thread; during the replay, the thread that opens the store.
 */
public interface GroupImage {
    /** Applies the body of an entry, from position to limit. The buffer is not kept. */
    void apply(ByteBuffer body);

    /** The body of an entry that holds the whole state, flipped. */
    ByteBuffer bytes();

    /** Approximate. */
    long heapBytes();
}
