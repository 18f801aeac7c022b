package io.rivulet.store.writer;

import io.rivulet.store.Outcome;
import io.rivulet.store.log.LogGroup;
import java.util.ArrayList;
import java.util.List;

/** A group that is not durable yet, with the parts of commands that it carries. Owned by: log-writer thread. */
final class PendingGroup {
    /** The parts {@code [from, to)} of a command. */
    private record Part(Command command, int from, int to) {}

    private final LogGroup group;
    private final List<Part> parts = new ArrayList<>();
    private int reservedChunks;
    private boolean written;
    private boolean acknowledgedEarly;

    PendingGroup(LogGroup group) {
        this.group = group;
    }

    LogGroup group() {
        return group;
    }

    void reserved(int chunks) {
        reservedChunks += chunks;
    }

    void reservedOnly(int chunks) {
        reservedChunks = chunks;
    }

    /** Chunks of the tail that are reserved for the entries of this group. */
    int reservedChunks() {
        return reservedChunks;
    }

    void add(Command command, int from, int to) {
        parts.add(new Part(command, from, to));
        acknowledgedEarly |= command.endsWhenWritten();
    }

    boolean isWritten() {
        return written;
    }

    /** Whether {@link #written} acknowledges parts before they are durable. */
    boolean isAcknowledgedEarly() {
        return acknowledgedEarly;
    }

    void written() {
        written = true;
        if (acknowledgedEarly) {
            parts.removeIf(PendingGroup::endAsWritten);
        }
    }

    private static boolean endAsWritten(Part part) {
        if (!part.command.endsWhenWritten()) {
            return false;
        }
        part.command.written(part.from, part.to);
        return true;
    }

    /**
     * Settles all parts. If one of them throws, the others are still settled, and the exception is thrown at the end.
     */
    void settle(Outcome outcome) {
        Throwable failure = null;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            try {
                part.command.settle(part.from, part.to, outcome);
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        parts.clear();
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
