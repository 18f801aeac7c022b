package io.rivulet.store.log;

/** What became of an append. */
public enum AppendOutcome {
    /** Written, not yet durable. */
    PENDING,
    /** In the log for good. */
    DURABLE,
    /** Not in the log, now or later. */
    FAILED,
    /** In the log or not: only opening it again tells. */
    UNKNOWN
}
