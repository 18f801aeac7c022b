package io.rivulet.it.suites;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.common.test.ClusterInstance;

/**
 * Asks whether the broker keeps the state of share groups. Tests look into Kafka's internal topic for that. Rivulet has
 * no such topic. Stateless.
 */
public final class ShareStates {
    private ShareStates() {}

    /** Fails if no share group has an offset. Called by the code of {@link MethodSeams}. */
    public static void assertKept(ClusterInstance cluster) {
        try (Admin admin = cluster.admin()) {
            Collection<GroupListing> groups =
                    admin.listGroups(ListGroupsOptions.forShareGroups()).all().get();
            Map<String, ListShareGroupOffsetsSpec> all = groups.stream()
                    .collect(Collectors.toMap(GroupListing::groupId, group -> new ListShareGroupOffsetsSpec()));
            boolean kept = admin.listShareGroupOffsets(all).all().get().values().stream()
                    .flatMap(offsets -> offsets.values().stream())
                    .anyMatch(offset -> offset != null && offset.startOffset() >= 0);
            if (!kept) {
                throw new AssertionError("no share group has an offset: " + groups);
            }
        } catch (Exception e) {
            throw new AssertionError("the offsets of share groups can't be described", e);
        }
    }
}
