package io.rivulet.engine;

/** What a check has found to be wrong. */
record Violation(Kind kind, String what) {
    enum Kind {
        /** What was acknowledged, or was read before, is not at its offset. */
        LOST,
        OUT_OF_ORDER,
        ALTERED,
        UNREADABLE,
        /** An answer that was not true any more when it was asked for. */
        STALE,
        /** Another broker owns the log than should, or the brokers don't agree. */
        OWNER,
        /** A broker has ended that must go on, or for another reason than it should. */
        ENDED
    }
}
