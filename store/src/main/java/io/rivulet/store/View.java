package io.rivulet.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * State outside the store that lives in its log: coordinators, catalogues, producers. What a view holds after an entry must
 * depend on the entries alone: no clock, no random numbers, no order of a hash.
 *
 * <p>Threads: all methods but {@link Snapshot#writeTo} are called by the log-writer thread, or before it starts; they must not
 * block. A view that is read by other threads sees to its own publication.
 */
public interface View {
    /** Greater ids are the store's own. */
    int MAX_ID = Integer.MAX_VALUE - 1;

    /** The store's own view of the limits of retention. */
    int RETENTION_ID = MAX_ID + 1;

    /** Stands in the log with each entry: never reuse one for something else. */
    int id();

    /** One entry, durable. The bytes from position to limit are lent for the call. */
    void apply(long groupTimestamp, ByteBuffer bytes);

    /** Takes what is needed to write the state as it is now; the state may move on while the snapshot is written. */
    Snapshot snapshot();

    /** Replaces the state with that of a snapshot. */
    void load(ReadableByteChannel in) throws IOException;

    /** A view's state at one moment. */
    interface Snapshot {
        /** Called on a background thread; once more when there was no space for what it wrote. */
        void writeTo(WritableByteChannel out) throws IOException;
    }
}
