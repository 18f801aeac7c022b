package io.rivulet.store.simulation;

import org.jspecify.annotations.Nullable;

/** An invariant is broken. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Invariant invariant;

    Violation(Invariant invariant, String what, @Nullable Throwable cause) {
        super(invariant + ": " + what, cause);
        this.invariant = invariant;
    }

    private Violation(String where, Violation what) {
        super(where + ": " + what.getMessage(), what);
        this.invariant = what.invariant;
    }

    /** The same, with the place where it was found and how to repeat it. */
    public Violation at(String where) {
        return new Violation(where, this);
    }

    public Invariant invariant() {
        return invariant;
    }
}
