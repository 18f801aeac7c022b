package io.rivulet.engine;

/** What a check has found to be wrong. */
record Violation(Kind kind, String what) {
    enum Kind {
        /** What was acknowledged, or was read before, is not at its offset. */
        LOST,
        OUT_OF_ORDER,
        ALTERED,
        UNREADABLE,
        /** A broker has ended that must go on, or for another reason than it should. */
        ENDED
    }
}
