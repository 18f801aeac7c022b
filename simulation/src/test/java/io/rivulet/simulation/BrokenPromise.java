package io.rivulet.simulation;

import org.jspecify.annotations.Nullable;

/** A promise is broken. */
final class BrokenPromise extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Promise promise;

    BrokenPromise(Promise promise, String what, @Nullable Throwable cause) {
        super(promise + ": " + what, cause);
        this.promise = promise;
    }

    private BrokenPromise(String where, BrokenPromise what) {
        super(where + ": " + what.getMessage(), what);
        this.promise = what.promise;
    }

    /** The same, with the place where it was found and how to repeat it. */
    BrokenPromise at(String where) {
        return new BrokenPromise(where, this);
    }

    Promise promise() {
        return promise;
    }
}
