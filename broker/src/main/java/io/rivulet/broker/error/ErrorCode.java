package io.rivulet.broker.error;

/** The codes of Kafka's protocol that this broker answers. The numbers and names are the protocol's. */
public enum ErrorCode {
    UNKNOWN_SERVER_ERROR(-1),
    NONE(0),
    OFFSET_OUT_OF_RANGE(1),
    CORRUPT_MESSAGE(2),
    UNKNOWN_TOPIC_OR_PARTITION(3),
    LEADER_NOT_AVAILABLE(5),
    REQUEST_TIMED_OUT(7),
    MESSAGE_TOO_LARGE(10),
    OFFSET_METADATA_TOO_LARGE(12),
    COORDINATOR_LOAD_IN_PROGRESS(14),
    COORDINATOR_NOT_AVAILABLE(15),
    INVALID_TOPIC_EXCEPTION(17),
    INVALID_REQUIRED_ACKS(21),
    ILLEGAL_GENERATION(22),
    INCONSISTENT_GROUP_PROTOCOL(23),
    INVALID_GROUP_ID(24),
    UNKNOWN_MEMBER_ID(25),
    INVALID_SESSION_TIMEOUT(26),
    REBALANCE_IN_PROGRESS(27),
    INVALID_COMMIT_OFFSET_SIZE(28),
    INVALID_TIMESTAMP(32),
    UNSUPPORTED_VERSION(35),
    TOPIC_ALREADY_EXISTS(36),
    INVALID_PARTITIONS(37),
    INVALID_REPLICATION_FACTOR(38),
    INVALID_REPLICA_ASSIGNMENT(39),
    INVALID_CONFIG(40),
    INVALID_REQUEST(42),
    UNSUPPORTED_FOR_MESSAGE_FORMAT(43),
    POLICY_VIOLATION(44),
    OUT_OF_ORDER_SEQUENCE_NUMBER(45),
    INVALID_PRODUCER_EPOCH(47),
    INVALID_TXN_STATE(48),
    KAFKA_STORAGE_ERROR(56),
    NON_EMPTY_GROUP(68),
    GROUP_ID_NOT_FOUND(69),
    TOPIC_DELETION_DISABLED(73),
    FETCH_SESSION_ID_NOT_FOUND(70),
    INVALID_FETCH_SESSION_EPOCH(71),
    FENCED_LEADER_EPOCH(74),
    UNKNOWN_LEADER_EPOCH(75),
    UNSUPPORTED_COMPRESSION_TYPE(76),
    MEMBER_ID_REQUIRED(79),
    GROUP_MAX_SIZE_REACHED(81),
    FENCED_INSTANCE_ID(82),
    GROUP_SUBSCRIBED_TO_TOPIC(86),
    INVALID_RECORD(87),
    THROTTLING_QUOTA_EXCEEDED(89),
    UNKNOWN_TOPIC_ID(100),
    FETCH_SESSION_TOPIC_ID_ERROR(106),
    MISMATCHED_ENDPOINT_TYPE(114),
    UNSUPPORTED_ENDPOINT_TYPE(115),
    REBOOTSTRAP_REQUIRED(129);

    private final short code;

    ErrorCode(int code) {
        this.code = (short) code;
    }

    /** The one with this number, which must be one of these. */
    public static ErrorCode forCode(int code) {
        for (ErrorCode known : values()) {
            if (known.code == code) {
                return known;
            }
        }
        throw new IllegalArgumentException("no error code of this broker: " + code);
    }

    public short code() {
        return code;
    }
}
