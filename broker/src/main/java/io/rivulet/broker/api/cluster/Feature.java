package io.rivulet.broker.api.cluster;

import io.rivulet.protocol.message.ApiVersionsResponse.FinalizedFeatureKey;
import io.rivulet.protocol.message.ApiVersionsResponse.SupportedFeatureKey;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The features of Kafka 4.3, with the level that this broker serves. A level never changes while the broker runs. Level
 * 0 means that the feature is off.
 */
enum Feature {
    /** The format of Kafka's metadata log. Clients read it as the release that a cluster conforms to: here 4.3. */
    METADATA("metadata.version", 7, 30),
    /** Changes of the set of voters. */
    KRAFT("kraft.version", 0, 0),
    /** The consumer protocol of groups (KIP-848). */
    GROUP("group.version", 0, 1),
    /** The second protocol of transactions (KIP-890). */
    TRANSACTION("transaction.version", 0, 2),
    /** Share groups (KIP-932). */
    SHARE("share.version", 0, 1),
    /** The streams protocol of groups (KIP-1071). */
    STREAMS("streams.version", 0, 1),
    ELIGIBLE_LEADER_REPLICAS("eligible.leader.replicas.version", 0, 0);

    private final String featureName;
    private final short lowest;
    private final short level;

    Feature(String featureName, int lowest, int level) {
        this.featureName = featureName;
        this.lowest = (short) lowest;
        this.level = (short) level;
    }

    static @Nullable Feature named(String name) {
        return Stream.of(values())
                .filter(feature -> feature.featureName.equals(name))
                .findFirst()
                .orElse(null);
    }

    short lowest() {
        return lowest;
    }

    short level() {
        return level;
    }

    /** @param lowestLevel a lower bound that the client can read */
    static List<SupportedFeatureKey> supported(int lowestLevel) {
        return Stream.of(values())
                .filter(feature -> feature.level >= lowestLevel)
                .map(feature -> new SupportedFeatureKey()
                        .name(feature.featureName)
                        .minVersion((short) Math.max(lowestLevel, feature.lowest))
                        .maxVersion(feature.level))
                .toList();
    }

    /** Without the features that are off. */
    static List<FinalizedFeatureKey> on() {
        return Stream.of(values())
                .filter(feature -> feature.level > 0)
                .map(feature -> new FinalizedFeatureKey()
                        .name(feature.featureName)
                        .minVersionLevel(feature.level)
                        .maxVersionLevel(feature.level))
                .toList();
    }
}
