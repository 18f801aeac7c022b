package io.rivulet.store;

/** The store has failed for good: what was acknowledged is safe, but nothing more is taken. The cause is the first failure. */
public final class StoreFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreFailedException(Throwable cause) {
        super("the store has failed: " + cause.getMessage(), cause);
    }
}
