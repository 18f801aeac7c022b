package io.rivulet.store;

/** A state change was not stored, or it is unknown whether it was. */
public final class NotStoredException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Outcome outcome;

    public NotStoredException(Outcome outcome) {
        super("not stored: " + outcome);
        this.outcome = outcome;
    }

    public Outcome outcome() {
        return outcome;
    }
}
