package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.ShareGroupAdmin;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "share-groups",
        description = "List, describe, reset or delete share groups, as kafka-share-groups.sh does.")
public final class ShareGroupsTool extends DataTool {
    private static final Output.Table NAMES = new Output.Table("%s%n", "", "group");
    private static final Output.Table NAMES_AND_STATES = new Output.Table("%s\t%s%n", "", "group,state");
    private static final Output.Table STATES = new Output.Table("%-20s %-20s %d%n", "", "group,state,members");
    private static final Output.Table MEMBERS = new Output.Table(
            "%-20s %-50s %-20s %-20s %-15d %s%n", "", "group,memberId,host,clientId,partitions,topics");
    private static final Output.Table OFFSETS =
            new Output.Table("%-20s %-30s %-10s %-15s %s%n", "-", "group,topic,partition,startOffset,lag");
    private static final Output.Table DELETED =
            new Output.Table("Deletion of requested share groups ('%s') was successful.%n", "", "deleted");
    private static final Output.Table DELETED_OFFSETS = new Output.Table("%-30s %s%n", "", "topic,status");
    private static final Output.Table NEW_OFFSETS =
            new Output.Table("%-30s %-30s %-10d %d%n", "", "group,topic,partition,newOffset");

    /** Picocli makes sure that exactly one is given, so the last one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Action {
        @Option(names = "--list", description = "print the names of all share groups")
        private boolean list;

        @Option(names = "--describe", description = "print offsets, members or states of groups")
        private boolean describe;

        @Option(names = "--delete", description = "delete groups without members")
        private boolean delete;

        @Option(names = "--delete-offsets", description = "forget topics of a group without members")
        private boolean deleteOffsets;

        @Option(names = "--reset-offsets", description = "set the start offsets of a group without members")
        private boolean reset;
    }

    /** Picocli makes sure that at most one is given, so one of them is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Place {
        @Option(names = "--to-earliest", description = "to the first record")
        private boolean earliest;

        @Option(names = "--to-latest", description = "to the end")
        private boolean latest;
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @ArgGroup
    private @Nullable Place place;

    @Option(names = "--group", paramLabel = "name", description = "a group; may be repeated")
    private List<String> groups = new ArrayList<>();

    @Option(names = "--all-groups", description = "all share groups")
    private boolean allGroups;

    @Option(names = "--topic", paramLabel = "name", description = "a topic to reset or forget; may be repeated")
    private List<String> topics = new ArrayList<>();

    @Option(names = "--all-topics", description = "with --reset-offsets: all topics that the group has used")
    private boolean allTopics;

    @Option(names = "--state", description = "print states")
    private boolean state;

    @Option(names = "--members", description = "print members")
    private boolean members;

    @Option(names = "--offsets", description = "print offsets (the default of --describe)")
    private boolean unusedOffsets;

    @Option(names = "--verbose", hidden = true, description = "ignored")
    private boolean unusedVerbose;

    @Option(names = "--timeout", hidden = true, description = "ignored")
    private @Nullable String unusedTimeout;

    @Option(names = "--execute", description = "do the reset; without it, print the new offsets only")
    private boolean execute;

    @Option(names = "--dry-run", description = "print the new offsets only")
    private boolean dryRun;

    @Override
    void run(BrokerConnection broker, Output out) {
        if (action.list) {
            ListedGroups.of(broker, "share").forEach(group -> {
                if (state) {
                    out.row(NAMES_AND_STATES, group.groupId(), group.groupState());
                } else {
                    out.row(NAMES, group.groupId());
                }
            });
        } else if (action.delete) {
            delete(broker, out);
        } else {
            for (String group : chosen(broker)) {
                ShareGroupAdmin admin = new ShareGroupAdmin(broker, group);
                if (action.describe) {
                    describe(admin, out);
                } else if (action.deleteOffsets) {
                    deleteOffsets(admin, out);
                } else {
                    reset(admin, out);
                }
            }
        }
    }

    private List<String> chosen(BrokerConnection broker) {
        if (allGroups) {
            return ListedGroups.of(broker, "share").stream()
                    .map(ListedGroup::groupId)
                    .toList();
        }
        if (groups.isEmpty()) {
            throw misused("Missing required option: '--group' or '--all-groups'");
        }
        return groups;
    }

    // ---- describe ----

    private void describe(ShareGroupAdmin admin, Output out) {
        DescribedGroup described = admin.describe();
        String group = admin.group();
        if (state) {
            out.printf("%n%-20s %-20s %s%n", "GROUP", "STATE", "#MEMBERS");
            out.row(STATES, group, described.groupState(), described.members().size());
        } else if (members) {
            out.printf(
                    "%n%-20s %-50s %-20s %-20s %-15s %s%n",
                    "GROUP", "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS", "TOPICS");
            described.members().forEach(member -> member(group, member, out));
        } else {
            if (described.members().isEmpty()) {
                out.printf("%nShare group '%s' has no active members.%n", group);
            }
            out.printf("%n" + OFFSETS.format(), "GROUP", "TOPIC", "PARTITION", "START-OFFSET", "LAG");
            admin.offsets()
                    .forEach((topic, positions) -> positions.forEach((partition, position) -> out.row(
                            OFFSETS,
                            group,
                            topic,
                            partition,
                            position.startOffset() < 0 ? null : position.startOffset(),
                            position.lag() < 0 ? null : position.lag())));
        }
    }

    private static void member(String group, Member member, Output out) {
        int partitions = member.assignment().topicPartitions().stream()
                .mapToInt(topic -> topic.partitions().length)
                .sum();
        out.row(
                MEMBERS,
                group,
                member.memberId(),
                member.clientHost(),
                member.clientId(),
                partitions,
                String.join(",", member.subscribedTopicNames()));
    }

    // ---- change ----

    private void delete(BrokerConnection broker, Output out) {
        List<String> shareGroups = ListedGroups.of(broker, "share").stream()
                .map(ListedGroup::groupId)
                .toList();
        for (String group : chosen(broker)) {
            if (!shareGroups.contains(group)) {
                throw new ClientException("Group '" + group + "' is not a share group.");
            }
        }
        broker.ask(
                        ApiKey.DELETE_GROUPS,
                        new DeleteGroupsRequest().groupsNames(chosen(broker)),
                        DeleteGroupsResponse.class)
                .results()
                .forEach(result -> {
                    ClientException.require(result.errorCode(), null, "deleting group " + result.groupId());
                    out.row(DELETED, result.groupId());
                });
    }

    private void deleteOffsets(ShareGroupAdmin admin, Output out) {
        requireTopics("'--topic'");
        admin.delete(topics);
        out.printf("%n" + DELETED_OFFSETS.format(), "TOPIC", "STATUS");
        topics.forEach(topic -> out.row(DELETED_OFFSETS, topic, "Successful"));
    }

    private void reset(ShareGroupAdmin admin, Output out) {
        if (!allTopics) {
            requireTopics("'--topic' or '--all-topics'");
        }
        if (place == null) {
            throw misused("Missing required option: '--to-earliest' or '--to-latest'");
        }
        long wanted = place.earliest ? TopicQueries.EARLIEST : TopicQueries.LATEST;
        TopicQueries known = new TopicQueries(admin.broker());
        out.printf("%n%-30s %-30s %-10s %s%n", "GROUP", "TOPIC", "PARTITION", "NEW-OFFSET");
        for (String topic : allTopics ? List.copyOf(admin.offsets().keySet()) : topics) {
            SortedMap<Integer, Long> target = known.offsets(known.require(topic, false), wanted);
            if (execute && !dryRun) {
                admin.alter(topic, target);
            }
            target.forEach((partition, offset) -> out.row(NEW_OFFSETS, admin.group(), topic, partition, offset));
        }
    }

    private void requireTopics(String options) {
        if (topics.isEmpty()) {
            throw misused("Missing required option: " + options);
        }
    }
}
