package io.rivulet.store.simulation;

/** Invariants of a store in every state and after every power cut. */
public enum Invariant {
    /** Everything that was acknowledged before the cut is there. */
    NO_ACKNOWLEDGED_ENTRY_LOST("NoAcknowledgedEntryLost"),
    /** The content is the result of a beginning of the log, complete and in order, without a trace of later entries. */
    A_BEGINNING_OF_THE_LOG("ABeginningOfTheLog"),
    /** A queue is read from its start to its end without a gap and without a duplicate. */
    OFFSETS_CONTIGUOUS("OffsetsContiguous"),
    /** Every byte that is returned was appended there. */
    BYTES_UNALTERED("BytesUnaltered"),
    /** Queue table and views are the same after another replay. */
    VIEWS_EQUAL_AFTER_REPLAY("ViewsEqualAfterReplay"),
    /** After everything is deleted or swept, no chunk of the tail is in use; after a close, no page of the cache. */
    PAGES_BALANCED("PagesBalanced"),
    /** A power cut alone never makes a store refuse to open, or fail later. */
    OPENS_AND_WORKS("OpensAndWorks"),
    /** The store itself trims only what the limits of the class allow. */
    NOTHING_TRIMMED_EARLY("NothingTrimmedEarly"),
    /** The output of a merge has no block that was unreadable when the merge began. */
    MERGES_DROP_THE_DEAD("MergesDropTheDead"),
    /** Every request gets a result. */
    NOTHING_FORGOTTEN("NothingForgotten");

    private final String title;

    Invariant(String title) {
        this.title = title;
    }

    @Override
    public String toString() {
        return title;
    }

    public Violation violated(String what) {
        return new Violation(this, what, null);
    }

    public Violation violated(String what, Throwable cause) {
        return new Violation(this, what, cause);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not on the class path
    public void require(boolean holds, String what, Object... arguments) {
        if (!holds) {
            throw violated(String.format(what, arguments));
        }
    }
}
