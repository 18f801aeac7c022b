package io.rivulet.protocol.record;

/** Who set the timestamps of a batch. */
public enum TimestampType {
    /** The producer, for each record. */
    CREATE_TIME,

    /** The broker: the batch's max timestamp holds for every record. */
    LOG_APPEND_TIME
}
