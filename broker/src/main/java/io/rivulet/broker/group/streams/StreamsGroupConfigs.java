package io.rivulet.broker.group.streams;

import io.rivulet.broker.config.StreamsGroupSettings;

/**
 * The configs of each streams group. Asked on the coordinator thread at each heartbeat, so a change takes effect with
 * the next one. An implementation must not block.
 */
public interface StreamsGroupConfigs {
    /** A member that sends no heartbeat for so long is removed. */
    int sessionTimeoutMillis(String groupId);

    /** How often members send heartbeats. */
    int heartbeatIntervalMillis(String groupId);

    /** The least time from one assignment to the next. */
    int assignmentIntervalMillis(String groupId);

    /** How long the first member of a group waits for others. */
    int initialRebalanceDelayMillis(String groupId);

    /** How many copies of each state there are beside the one of the active task. */
    int standbyReplicas(String groupId);

    /** All groups have the values of the broker. */
    static StreamsGroupConfigs of(StreamsGroupSettings settings) {
        return new StreamsGroupConfigs() {
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

            @Override
            public int initialRebalanceDelayMillis(String groupId) {
                return settings.initialRebalanceDelayMillis();
            }

            @Override
            public int standbyReplicas(String groupId) {
                return settings.standbyReplicas();
            }
        };
    }
}
