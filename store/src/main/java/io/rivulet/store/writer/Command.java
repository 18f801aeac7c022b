package io.rivulet.store.writer;

import io.rivulet.store.Outcome;

/**
 * A request to the log writer. Its parts may be spread over several groups. Each group settles a range of them, and the
 * command is complete when all are settled.
 *
 * <p>Owned by: the caller, until it is offered; then the log-writer thread, until it is complete.
 */
public abstract class Command {
    /** Bytes that the command keeps in memory while it waits. */
    abstract long heldBytes();

    /** Appends the parts that are left; false if there is no room yet for all of them. */
    abstract boolean appendTo(GroupAssembly assembly);

    /** How many parts are appended or turned down so far. */
    abstract int appendedParts();

    /** Whether {@link #written} settles its parts, and {@link #settle} is not called for them. */
    boolean endsWhenWritten() {
        return false;
    }

    /** The group with the parts {@code [from, to)} is written. */
    void written(int from, int to) {}

    /** Settles the parts {@code [from, to)}. A part that was turned down keeps its own outcome. */
    abstract void settle(int from, int to, Outcome outcome);

    /** Settles all parts from this one on, appended or not. */
    abstract void settleFrom(int from, Outcome outcome);
}
