package io.rivulet.broker.config;

/**
 * The configuration of one share group, as it is now. Immutable.
 *
 * @param sessionTimeoutMillis a member that sends no heartbeat for so long is removed
 * @param heartbeatIntervalMillis how often members send heartbeats
 * @param assignmentIntervalMillis the least time from one assignment to the next
 * @param recordLockMillis how long a member may keep a record that it has acquired
 * @param deliveryCountLimit how often a record is delivered
 * @param maxRecordLocks the limit of records in flight in a queue
 * @param offsetReset where the group begins in a queue
 * @param readCommitted whether members get records of transactions only when they are committed
 * @param renewEnabled whether members may extend the time for a record
 * @param deadLetters where records go that are not delivered again without being accepted
 */
public record ShareGroupConfig(
        int sessionTimeoutMillis,
        int heartbeatIntervalMillis,
        int assignmentIntervalMillis,
        int recordLockMillis,
        int deliveryCountLimit,
        int maxRecordLocks,
        ShareOffsetReset offsetReset,
        boolean readCommitted,
        boolean renewEnabled,
        DeadLetterConfig deadLetters) {
    public static final ShareGroupConfig DEFAULT = new ShareGroupConfig(
            45_000, 5_000, 0, 30_000, 5, 2000, ShareOffsetReset.LATEST, false, true, DeadLetterConfig.NONE);

    /** The values of the keys of groups. */
    public interface Values {
        /** The value, within its bounds. */
        int number(GroupKey key);

        /** An allowed value. */
        String text(GroupKey key);

        /** An allowed value of the broker. */
        String ofBroker(BrokerKey key);
    }

    public static ShareGroupConfig of(Values values) {
        return new ShareGroupConfig(
                values.number(GroupKey.SHARE_SESSION_TIMEOUT_MS),
                values.number(GroupKey.SHARE_HEARTBEAT_INTERVAL_MS),
                values.number(GroupKey.SHARE_ASSIGNMENT_INTERVAL_MS),
                values.number(GroupKey.SHARE_RECORD_LOCK_DURATION_MS),
                values.number(GroupKey.SHARE_DELIVERY_COUNT_LIMIT),
                values.number(GroupKey.SHARE_PARTITION_MAX_RECORD_LOCKS),
                ShareOffsetReset.parse(values.text(GroupKey.SHARE_AUTO_OFFSET_RESET)),
                values.text(GroupKey.SHARE_ISOLATION_LEVEL).equals("read_committed"),
                Boolean.parseBoolean(values.text(GroupKey.SHARE_RENEW_ACKNOWLEDGE_ENABLE)),
                DeadLetterConfig.of(values));
    }
}
