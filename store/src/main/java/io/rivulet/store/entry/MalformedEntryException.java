package io.rivulet.store.entry;

/**
 * A group whose checksum holds contains something that is no entry: it was written by another version, or by a bug.
 * Never the work of a crash.
 */
public final class MalformedEntryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedEntryException(String message) {
        super(message);
    }
}
