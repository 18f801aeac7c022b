package io.rivulet.store.writer;

import io.rivulet.store.Outcome;

/**
 * Something for the log, as it travels to the log writer. It may be spread over several groups; each then settles a range of its
 * parts, and when all are settled the command is complete.
 *
 * <p>Owned by: whoever fills it, until it is offered; from then on by the log-writer thread, until it is complete.
 */
public abstract class Command {
    /** Bytes that it keeps in memory while it waits. */
    abstract long heldBytes();

    /** Lays down what is left of it; false when there is no room for all of it yet. */
    abstract boolean appendTo(GroupAssembly assembly);

    /** How many parts have been laid down or turned down so far. */
    abstract int appendedParts();

    /** The group with the parts {@code [from, to)} is written. True when that settles them: nothing more is told of them. */
    boolean written(int from, int to) {
        return false;
    }

    /** The parts {@code [from, to)} have come to their end. A part that was turned down keeps its own outcome. */
    abstract void settle(int from, int to, Outcome outcome);

    /** All parts from this one on come to their end, whether they have been laid down or not. */
    abstract void settleFrom(int from, Outcome outcome);
}
