package io.rivulet.store.view;

/** Log and state contradict each other: a bug, or files of two stores mixed. Nothing is served or written after it. */
public final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenInvariantException(String message) {
        super(message);
    }
}
