package io.rivulet.cluster.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps ledgers and records on several machines. Thread-safe. Every call may wait for other machines, except {@link
 * Ledger#append}.
 *
 * <p><b>A ledger</b> is a sequence of entries with one writer. It ends when its writer closes it, or when another
 * client {@link #recover recovers} it. From then on no append of the writer is acknowledged: it is fenced. Every entry
 * that was acknowledged is there, in order and unaltered.
 */
public interface Engine extends AutoCloseable {
    /** Of a swap that was not made. */
    int NO_VERSION = -1;

    /** A record, and the version that it has. */
    record Versioned(int version, ByteBuffer bytes) {}

    /** The id of a ledger that was never made. Nobody else gets it. */
    long reserve() throws IOException;

    /**
     * Creates a ledger; the caller is its writer. A repetition makes it again: the answer of the first call was lost.
     *
     * @param id reserved by the caller
     * @throws io.rivulet.store.io.ShortageException if too few machines take new entries
     */
    Ledger create(long id) throws IOException;

    /** Opens a ledger that gets no more entries: it is closed, or this call fences and closes it. Can be repeated. */
    Ledger recover(long id) throws IOException;

    /** Deletes a ledger; no effect if there is none. */
    void delete(long id) throws IOException;

    /** The record of this name, as it was at some moment between call and return; null if there is none. */
    @Nullable
    Versioned load(String name) throws IOException;

    /**
     * Replaces a record if this is its state. The version alone is not enough: a record that was deleted and made again
     * has the versions of the one before.
     *
     * @param state null creates the record
     * @return the new version; {@link #NO_VERSION} if the record has another state
     * @throws IOException if it is unknown whether the record was replaced
     */
    int swap(String name, @Nullable Versioned state, ByteBuffer bytes) throws IOException;

    /**
     * Waits until the condition holds, which answers bring about.
     *
     * @param monitor notified after each answer
     * @param progress changes as long as answers come
     * @param limited whether the wait has a limit from now on; the monitor is notified when that changes
     * @throws IOException if the wait has a limit, and no answer has come for a long time
     */
    void await(Object monitor, BooleanSupplier done, LongSupplier progress, BooleanSupplier limited) throws IOException;

    /** Lets go of the other machines. Nothing is asked of it afterwards. */
    @Override
    default void close() throws IOException {}
}
