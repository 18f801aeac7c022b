package io.rivulet.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * State of the store's owner that is made from entries of the log: coordinators, catalogues, producers. It must depend on the
 * entries alone: on no clock, no random numbers, no order of a hash table.
 *
 * <p>Threads: all methods except {@link Snapshot#writeTo} are called on the log-writer thread, or before it starts; they must not
 * block. A view that other threads read publishes its state itself.
 */
public interface View {
    /** Greater ids belong to the store. */
    int MAX_ID = Integer.MAX_VALUE - 1;

    /** The store's own view of the limits of retention. */
    int RETENTION_ID = MAX_ID + 1;

    /** Is in the log with each entry: never use it for anything else. */
    int id();

    /** Applies an entry that is durable. The bytes from position to limit are lent for the call. */
    void apply(long groupTimestamp, ByteBuffer bytes);

    /** Captures the state as it is now. The state may change while the snapshot is written. */
    Snapshot snapshot();

    /** Replaces the state by that of a snapshot. */
    void load(ReadableByteChannel in) throws IOException;

    /** A view's state at one moment. */
    interface Snapshot {
        /** Called on a background thread, and again if the disk was full. */
        void writeTo(WritableByteChannel out) throws IOException;
    }
}
