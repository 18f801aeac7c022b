package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.OffsetAdmin;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "consumer-groups",
        description = "List, describe, reset or delete consumer groups, as kafka-consumer-groups.sh does.")
public final class ConsumerGroupsTool extends DataTool {
    private static final Output.Table NAMES = new Output.Table("%s%n", "", "group");
    private static final Output.Table NAMES_AND_STATES = new Output.Table("%s\t%s%n", "", "group,state");
    private static final Output.Table STATES =
            new Output.Table("%-20s %-20s %-20s %d%n", "", "group,assignmentStrategy,state,members");
    private static final Output.Table MEMBERS =
            new Output.Table("%-20s %-50s %-20s %-20s %d%n", "", "group,memberId,host,clientId,partitions");
    private static final Output.Table OFFSETS = new Output.Table(
            "%-20s %-30s %-10s %-15s %-15s %-10s %-50s %-20s %s%n",
            "-", "group,topic,partition,currentOffset,logEndOffset,lag,memberId,host,clientId");
    private static final Output.Table DELETED =
            new Output.Table("Deletion of requested consumer groups ('%s') was successful.%n", "", "deleted");
    private static final Output.Table NEW_OFFSETS =
            new Output.Table("%-30s %-30s %-10d %d%n", "", "group,topic,partition,newOffset");

    private static final Object[] OFFSET_COLUMNS = {
        "GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "CONSUMER-ID", "HOST", "CLIENT-ID"
    };

    /** Picocli makes sure that exactly one is given, so the last one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Action {
        @Option(names = "--list", description = "print the names of all groups")
        private boolean list;

        @Option(names = "--describe", description = "print offsets, members or states of groups")
        private boolean describe;

        @Option(names = "--delete", description = "delete groups without members")
        private boolean delete;

        @Option(names = "--reset-offsets", description = "set the offsets of groups without members")
        private boolean reset;
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @ArgGroup
    private @Nullable NewOffsets place;

    @Option(names = "--group", paramLabel = "name", description = "a group; may be repeated")
    private List<String> groups = new ArrayList<>();

    @Option(names = "--all-groups", description = "all groups")
    private boolean allGroups;

    @Option(names = "--topic", paramLabel = "name", description = "with --reset-offsets: a topic; may be repeated")
    private List<String> topics = new ArrayList<>();

    @Option(names = "--all-topics", description = "with --reset-offsets: all topics with committed offsets")
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
            listed(broker).forEach(group -> {
                if (state) {
                    out.row(NAMES_AND_STATES, group.groupId(), group.groupState());
                } else {
                    out.row(NAMES, group.groupId());
                }
            });
        } else if (action.describe) {
            for (String group : chosen(broker)) {
                describe(broker, group, out);
            }
        } else if (action.delete) {
            delete(broker, out);
        } else {
            for (String group : chosen(broker)) {
                reset(broker, group, out);
            }
        }
    }

    private static List<ListedGroup> listed(BrokerConnection broker) {
        return ListedGroups.of(broker).stream()
                .filter(group -> !group.groupType().equals("share"))
                .toList();
    }

    private List<String> chosen(BrokerConnection broker) {
        if (allGroups) {
            return listed(broker).stream().map(ListedGroup::groupId).toList();
        }
        if (groups.isEmpty()) {
            throw misused("Missing required option: '--group' or '--all-groups'");
        }
        return groups;
    }

    // ---- describe ----

    private void describe(BrokerConnection broker, String group, Output out) {
        GroupMembers described = GroupMembers.of(broker, group);
        if (state) {
            out.printf("%n%-20s %-20s %-20s %s%n", "GROUP", "ASSIGNMENT-STRATEGY", "STATE", "#MEMBERS");
            out.row(
                    STATES,
                    group,
                    described.assignor(),
                    described.state(),
                    described.members().size());
        } else if (members) {
            out.printf("%n%-20s %-50s %-20s %-20s %s%n", "GROUP", "CONSUMER-ID", "HOST", "CLIENT-ID", "#PARTITIONS");
            described
                    .members()
                    .forEach(member -> out.row(
                            MEMBERS,
                            group,
                            member.id(),
                            member.host(),
                            member.clientId(),
                            member.partitions().size()));
        } else {
            describeOffsets(broker, group, described, out);
        }
    }

    private static void describeOffsets(BrokerConnection broker, String group, GroupMembers described, Output out) {
        if (described.members().isEmpty()) {
            out.printf("%nConsumer group '%s' has no active members.%n", group);
        }
        out.printf("%n" + OFFSETS.format(), OFFSET_COLUMNS);
        TopicQueries topics = new TopicQueries(broker);
        new OffsetAdmin(broker, group).committed().forEach((topic, committed) -> {
            SortedMap<Integer, Long> ends = topics.offsets(topics.require(topic, false), TopicQueries.LATEST);
            committed.forEach((partition, offset) -> {
                long end = ends.getOrDefault(partition, offset);
                GroupMembers.@Nullable Member owner = described.owner(topic, partition);
                out.row(
                        OFFSETS,
                        group,
                        topic,
                        partition,
                        offset,
                        end,
                        end - offset,
                        owner == null ? null : owner.id(),
                        owner == null ? null : owner.host(),
                        owner == null ? null : owner.clientId());
            });
        });
    }

    // ---- change ----

    private void delete(BrokerConnection broker, Output out) {
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

    private void reset(BrokerConnection broker, String group, Output out) {
        OffsetAdmin offsets = new OffsetAdmin(broker, group);
        SortedMap<String, SortedMap<Integer, Long>> committed = offsets.committed();
        if (topics.isEmpty() && !allTopics) {
            throw misused("Missing required option: '--topic' or '--all-topics'");
        }
        NewOffsets wanted = place;
        if (wanted == null) {
            throw misused(NewOffsets.MISSING);
        }
        out.printf("%n%-30s %-30s %-10s %s%n", "GROUP", "TOPIC", "PARTITION", "NEW-OFFSET");
        for (String topic : allTopics ? List.copyOf(committed.keySet()) : topics) {
            SortedMap<Integer, Long> target =
                    wanted.of(new TopicQueries(broker), topic, committed.getOrDefault(topic, new TreeMap<>()));
            if (execute && !dryRun) {
                offsets.commit(topic, target);
            }
            target.forEach((partition, offset) -> out.row(NEW_OFFSETS, group, topic, partition, offset));
        }
    }
}
