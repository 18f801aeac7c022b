package io.rivulet.broker.api;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsResponse;
import java.util.Arrays;
import java.util.List;

/** Which APIs this broker serves, in which versions. What is not in here is not advertised and not answered. Immutable. */
public final class ServedApis {
    private ServedApis() {}

    /** Whether {@link Dispatcher} has a handler for it. */
    static boolean serves(ApiKey key) {
        return switch (key) {
            case API_VERSIONS,
                    METADATA,
                    PRODUCE,
                    FETCH,
                    LIST_OFFSETS,
                    OFFSET_FOR_LEADER_EPOCH,
                    INIT_PRODUCER_ID,
                    CREATE_TOPICS,
                    DELETE_TOPICS,
                    DESCRIBE_CLUSTER,
                    ALTER_CONFIGS,
                    CREATE_PARTITIONS,
                    DELETE_RECORDS,
                    DESCRIBE_LOG_DIRS,
                    DESCRIBE_CONFIGS,
                    INCREMENTAL_ALTER_CONFIGS,
                    DESCRIBE_TOPIC_PARTITIONS,
                    LIST_PARTITION_REASSIGNMENTS,
                    FIND_COORDINATOR,
                    JOIN_GROUP,
                    SYNC_GROUP,
                    HEARTBEAT,
                    LEAVE_GROUP,
                    DESCRIBE_GROUPS,
                    LIST_GROUPS,
                    DELETE_GROUPS,
                    OFFSET_COMMIT,
                    OFFSET_FETCH,
                    OFFSET_DELETE,
                    CONSUMER_GROUP_HEARTBEAT,
                    CONSUMER_GROUP_DESCRIBE,
                    ADD_PARTITIONS_TO_TXN,
                    ADD_OFFSETS_TO_TXN,
                    TXN_OFFSET_COMMIT,
                    END_TXN,
                    WRITE_TXN_MARKERS,
                    LIST_TRANSACTIONS,
                    DESCRIBE_TRANSACTIONS,
                    DESCRIBE_PRODUCERS,
                    DESCRIBE_ACLS,
                    CREATE_ACLS,
                    DELETE_ACLS -> true;
            default -> false;
        };
    }

    public static boolean serves(ApiKey key, short version) {
        return serves(key) && key.lowestVersion() <= version && version <= highest(key);
    }

    private static final class Advertised {
        static final List<ApiVersionsResponse.ApiVersion> ALL = advertise();
    }

    static List<ApiVersionsResponse.ApiVersion> advertised() {
        return Advertised.ALL;
    }

    private static List<ApiVersionsResponse.ApiVersion> advertise() {
        return Arrays.stream(ApiKey.values())
                .filter(ServedApis::serves)
                .map(key -> new ApiVersionsResponse.ApiVersion()
                        .apiKey(key.id())
                        .minVersion(lowestAdvertised(key))
                        .maxVersion(highest(key)))
                .toList();
    }

    private static short highest(ApiKey key) {
        return key.latestVersionUnstable() ? (short) (key.highestVersion() - 1) : key.highestVersion();
    }

    /**
     * librdkafka up to 2.8 sends compressed batches only to brokers that offer Produce from version 0; it then uses the newest.
     * Kafka 4 pretends the same (KAFKA-18659).
     */
    private static short lowestAdvertised(ApiKey key) {
        return key == ApiKey.PRODUCE ? 0 : key.lowestVersion();
    }
}
