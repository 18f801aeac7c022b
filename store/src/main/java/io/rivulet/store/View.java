package io.rivulet.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * State of the store's owner that is derived from entries of the log: coordinators, catalogues, producers. It must
 * depend on the entries only: not on a clock, random numbers or the order of a hash table.
 *
 * <p>Threads: all methods except {@link Snapshot#writeTo} are called on the log-writer thread, or before it starts.
 * They must not block. A view that other threads read publishes its state itself.
 */
public interface View {
    /** Ids above it belong to the store. */
    int MAX_ID = Integer.MAX_VALUE - 2;

    /** The store's own view of the files of huge batches. */
    int HUGE_ID = MAX_ID + 1;

    /** The store's own view of the retention limits. */
    int RETENTION_ID = MAX_ID + 2;

    /** Throws unless a view of the store's owner may have this id. */
    static void requireId(int viewId) {
        if (viewId < 0 || viewId > MAX_ID) {
            throw new IllegalArgumentException("view id " + viewId + " is the store's own or none");
        }
    }

    /** Stored in the log with each entry: never reuse it for another view. */
    int id();

    /** Applies an entry that is durable. The bytes from position to limit are lent for the call. */
    void apply(long groupTimestamp, ByteBuffer bytes);

    /** Captures the state as it is now. The state may change while the snapshot is written. */
    Snapshot snapshot();

    /** Replaces the state by that of a snapshot. */
    void load(ReadableByteChannel in) throws IOException;

    /** The state of a view at one moment. */
    interface Snapshot {
        /** Called on a background thread, and again if the disk was full. */
        void writeTo(WritableByteChannel out) throws IOException;
    }
}
