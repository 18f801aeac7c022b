package io.rivulet.store;

/** What an acknowledged group survives. */
public enum Durability {
    /** A power cut: the group has been forced to the disk. */
    FSYNC,
    /**
     * The death of the process. The disk is forced when a segment is full, when the log is asked to force, and at
     * close.
     */
    OS,
    /** The death of the process; the disk is never forced. After a power cut the log may refuse to open. */
    NONE
}
