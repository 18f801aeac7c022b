package io.rivulet.protocol.record;

/** The source of the timestamps of a batch. */
public enum TimestampType {
    /** The producer, for each record. */
    CREATE_TIME,

    /** The broker: all records have the batch's max timestamp. */
    LOG_APPEND_TIME
}
