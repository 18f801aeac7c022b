package io.rivulet.broker.group.consumer;

import io.rivulet.broker.config.ConsumerGroupSettings;

/**
 * The timeouts of each group of the consumer protocol. Asked on the coordinator thread at each heartbeat, so a change
 * takes effect with the next one. An implementation must not block.
 */
public interface ConsumerGroupTimeouts {
    /** A member that sends no heartbeat for so long is removed. */
    int sessionTimeoutMillis(String groupId);

    /** How often members send heartbeats. */
    int heartbeatIntervalMillis(String groupId);

    /** The least time from one assignment to the next. */
    int assignmentIntervalMillis(String groupId);

    /** All groups have the values of the broker. */
    static ConsumerGroupTimeouts of(ConsumerGroupSettings settings) {
        return new ConsumerGroupTimeouts() {
            @Override
            public int sessionTimeoutMillis(String groupId) {
                return settings.sessionTimeoutMillis();
            }

            @Override
            public int heartbeatIntervalMillis(String groupId) {
                return settings.heartbeatIntervalMillis();
            }

            @Override
            public int assignmentIntervalMillis(String groupId) {
                return settings.assignmentIntervalMillis();
            }
        };
    }
}
