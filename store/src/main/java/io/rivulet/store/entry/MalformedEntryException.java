package io.rivulet.store.entry;

/**
 * A group with a correct checksum contains bytes that are no entry: another version wrote it, or a bug did. A crash
 * never causes this.
 */
public final class MalformedEntryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedEntryException(String message) {
        super(message);
    }
}
