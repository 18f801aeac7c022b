package io.rivulet.store.view;

/** Log and state contradict each other: a bug, or mixed files of two stores. The store stops reading and writing. */
public final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenInvariantException(String message) {
        super(message);
    }
}
