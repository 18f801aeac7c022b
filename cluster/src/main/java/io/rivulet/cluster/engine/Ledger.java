package io.rivulet.cluster.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A ledger that this client writes, or one that has ended. Thread-safe, except for {@link #append}. */
public interface Ledger {
    /** The most bytes of an entry: engines have limits above that, and stumble at them in different ways. */
    int MAX_ENTRY_BYTES = 1 << 20;

    long id();

    /** How many entries were acknowledged; of a ledger that has ended, all. */
    long entryCount();

    /** The bytes of these entries. */
    long lengthBytes();

    /**
     * Appends an entry as number {@code entryId}; entries are numbered from 0 without gaps. Does not wait. The bytes
     * must not change until they are {@link Answer#released}, which may be later than the answer.
     */
    void append(long entryId, ByteBuffer entry, Answer answer);

    /**
     * Reads entries in order, at least the first; fewer than asked for if they are large.
     *
     * @param maxEntries at least 1; the last one must be below {@link #entryCount}
     */
    void read(long firstEntryId, int maxEntries, EntryReader reader) throws IOException;

    /**
     * Ends a ledger that this client writes; appends without an answer fail. Lets go of one that has ended. It can
     * still be read. Further calls do nothing.
     */
    void close() throws IOException;

    /** Receives entries; the bytes are valid during the call only. */
    @FunctionalInterface
    interface EntryReader {
        void entry(long entryId, ByteBuffer bytes) throws IOException;
    }
}
