package io.rivulet.store.inspect;

/** Gets what an inspection finds. Called on the thread that inspects. */
@FunctionalInterface
public interface InspectionSink {
    /** A line of text. By default, damage and remedies are lines too. */
    void line(String text);

    default void problem(String where, String what) {
        line("  DAMAGED " + where + ": " + what);
    }

    /** What a repair would do about the preceding problem. */
    default void remedy(String what) {
        line("    --repair " + what);
    }

    /**
     * Called often.
     *
     * @param step what is being read
     * @param done of {@code total}: bytes of the log, or block files
     */
    default void progress(String step, long done, long total) {
        // Not everybody wants it.
    }
}
