package io.rivulet.broker.share;

/**
 * What has happened to a record, in the numbers of Kafka's protocol. The log has all but {@link #ACQUIRED}.
 *
 * <pre>
 * AVAILABLE -- acquire --> ACQUIRED -- accept -----------------------> ACKNOWLEDGED
 *     ^                       |-- reject, or the last delivery ends --> ARCHIVED
 *     +-- release, expiry ----+
 * AVAILABLE -- there is no such record to deliver -------------------> ARCHIVED
 * </pre>
 */
final class RecordState {
    static final byte AVAILABLE = 0;
    static final byte ACQUIRED = 1;
    static final byte ACKNOWLEDGED = 2;
    static final byte ARCHIVED = 4;
    /** Instead of a state. */
    static final byte NONE = -1;

    private RecordState() {}

    /** Whether nothing more happens to the record. */
    static boolean isFinal(byte state) {
        return state == ACKNOWLEDGED || state == ARCHIVED;
    }
}
