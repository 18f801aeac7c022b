package io.rivulet.store.log;

/** The result of an append. */
public enum AppendOutcome {
    /** Written, not yet durable. */
    PENDING,
    /** In the log, durable. */
    DURABLE,
    /** Not in the log, now or later. */
    FAILED,
    /** Unknown until the log is opened again. */
    UNKNOWN
}
