package io.rivulet.broker.tool;

import io.rivulet.broker.client.BrokerConnection;
import io.rivulet.broker.client.ClientException;
import io.rivulet.broker.client.OffsetAdmin;
import io.rivulet.broker.client.StreamsGroupAdmin;
import io.rivulet.broker.client.TopicQueries;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.Member;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.TaskIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "streams-groups",
        description = {
            "List, describe, reset or delete streams groups, as kafka-streams-groups.sh does. A streams group is",
            "an application of Kafka Streams with group.protocol=streams.",
        })
public final class StreamsGroupsTool extends DataTool {
    private static final Output.Table NAMES = new Output.Table("%s%n", "", "group");
    private static final Output.Table NAMES_AND_STATES = new Output.Table("%s\t%s%n", "", "group,state");
    private static final Output.Table STATES = new Output.Table(
            "%-20s %-15s %-15d %-25d %d%n", "", "group,state,groupEpoch,targetAssignmentEpoch,members");
    private static final Output.Table MEMBERS = new Output.Table(
            "%-20s %-40s %-40s %-20s %-20s %s%n", "", "group,memberId,processId,clientId,activeTasks,standbyTasks");
    private static final Output.Table MEMBERS_IN_FULL = new Output.Table(
            "%-20s %-40s %-40s %-20s %-20s %-20s %-15d %-15d %-20s %-20s %-20s %s%n",
            "",
            "group,memberId,processId,clientId,activeTasks,standbyTasks,memberEpoch,topologyEpoch,endpoint,host,"
                    + "targetActiveTasks,targetStandbyTasks");
    private static final Output.Table OFFSETS = new Output.Table(
            "%-20s %-30s %-10s %-15s %-15s %s%n", "-", "group,topic,partition,currentOffset,logEndOffset,lag");
    private static final Output.Table DELETED =
            new Output.Table("Deletion of requested streams groups ('%s') was successful.%n", "", "deleted");
    private static final Output.Table DELETED_TOPIC =
            new Output.Table("Deleting internal topic %s%n", "", "deletedTopic");
    private static final Output.Table DELETED_OFFSETS = new Output.Table("%-30s %s%n", "", "topic,status");
    private static final Output.Table NEW_OFFSETS =
            new Output.Table("%-30s %-30s %-10d %d%n", "", "group,topic,partition,newOffset");

    /** Picocli makes sure that exactly one is given, so the last one is not read. */
    @SuppressWarnings("UnusedVariable")
    private static final class Action {
        @Option(names = "--list", description = "print the names of all streams groups")
        private boolean list;

        @Option(names = "--describe", description = "print offsets, members or states of groups")
        private boolean describe;

        @Option(names = "--delete", description = "delete groups without members, and their offsets")
        private boolean delete;

        @Option(names = "--delete-offsets", description = "delete the offsets of input topics of a group")
        private boolean deleteOffsets;

        @Option(names = "--reset-offsets", description = "set the offsets of groups without members")
        private boolean reset;
    }

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @ArgGroup
    private @Nullable NewOffsets place;

    @Option(names = "--group", paramLabel = "name", description = "a group; may be repeated")
    private List<String> groups = new ArrayList<>();

    @Option(names = "--all-groups", description = "all streams groups")
    private boolean allGroups;

    @Option(
            names = "--input-topic",
            paramLabel = "name",
            description = "a topic whose offsets are reset or deleted; may be repeated")
    private List<String> topics = new ArrayList<>();

    @Option(names = "--all-input-topics", description = "all topics with committed offsets")
    private boolean allTopics;

    @Option(
            names = "--delete-internal-topic",
            paramLabel = "name",
            description = "with --delete or --reset-offsets: delete this internal topic too; may be repeated")
    private List<String> internals = new ArrayList<>();

    @Option(
            names = "--delete-all-internal-topics",
            description = "with --delete or --reset-offsets: delete the application's internal topics too")
    private boolean allInternals;

    @Option(names = "--state", description = "print states")
    private boolean state;

    @Option(names = "--members", description = "print members and their tasks")
    private boolean members;

    @Option(names = "--offsets", description = "print offsets (the default of --describe)")
    private boolean unusedOffsets;

    @Option(names = "--verbose", description = "with --members: print epochs, endpoints and target assignments too")
    private boolean verbose;

    @Option(names = "--timeout", hidden = true, description = "ignored")
    private @Nullable String unusedTimeout;

    @Option(names = "--execute", description = "do the reset; without it, print the new offsets only")
    private boolean execute;

    @Option(names = "--dry-run", description = "print the new offsets only")
    private boolean dryRun;

    @Override
    void run(BrokerConnection broker, Output out) {
        if (action.list) {
            ListedGroups.of(broker, "streams").forEach(group -> {
                if (state) {
                    out.row(NAMES_AND_STATES, group.groupId(), group.groupState());
                } else {
                    out.row(NAMES, group.groupId());
                }
            });
        } else {
            for (String group : chosen(broker)) {
                StreamsGroupAdmin admin = new StreamsGroupAdmin(broker, group);
                if (action.describe) {
                    describe(admin, out);
                } else if (action.delete) {
                    delete(admin, out);
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
            return ListedGroups.of(broker, "streams").stream()
                    .map(ListedGroup::groupId)
                    .toList();
        }
        if (groups.isEmpty()) {
            throw misused("Missing required option: '--group' or '--all-groups'");
        }
        return groups;
    }

    // ---- describe ----

    private void describe(StreamsGroupAdmin admin, Output out) {
        DescribedGroup described = admin.describe();
        if (!state && described.members().isEmpty()) {
            out.printf("%nStreams group '%s' has no active members.%n", admin.group());
        }
        if (state) {
            out.printf(
                    "%n%-20s %-15s %-15s %-25s %s%n",
                    "GROUP", "STATE", "GROUP-EPOCH", "TARGET-ASSIGNMENT-EPOCH", "#MEMBERS");
            out.row(
                    STATES,
                    admin.group(),
                    described.groupState(),
                    described.groupEpoch(),
                    described.assignmentEpoch(),
                    described.members().size());
        } else if (members) {
            describeMembers(described, out);
        } else {
            describeOffsets(admin, out);
        }
    }

    private void describeMembers(DescribedGroup described, Output out) {
        out.printf(
                "%n%-20s %-40s %-40s %-20s %-20s " + (verbose ? "%-20s " : "%s%n"),
                "GROUP",
                "MEMBER",
                "PROCESS",
                "CLIENT-ID",
                "ACTIVE-TASKS",
                "STANDBY-TASKS");
        if (verbose) {
            out.printf(
                    "%-15s %-15s %-20s %-20s %-20s %s%n",
                    "MEMBER-EPOCH",
                    "TOPOLOGY-EPOCH",
                    "ENDPOINT",
                    "HOST",
                    "TARGET-ACTIVE-TASKS",
                    "TARGET-STANDBY-TASKS");
        }
        described.members().forEach(member -> member(described.groupId(), member, out));
    }

    private void member(String group, Member member, Output out) {
        List<@Nullable Object> values = new ArrayList<>(List.of(
                group,
                member.memberId(),
                member.processId(),
                member.clientId(),
                tasks(member.assignment().activeTasks()),
                tasks(member.assignment().standbyTasks())));
        if (verbose) {
            values.add(member.memberEpoch());
            values.add(member.topologyEpoch());
            values.add(
                    member.userEndpoint() == null
                            ? null
                            : member.userEndpoint().host() + ":"
                                    + member.userEndpoint().port());
            values.add(member.clientHost());
            values.add(tasks(member.targetAssignment().activeTasks()));
            values.add(tasks(member.targetAssignment().standbyTasks()));
        }
        out.row(verbose ? MEMBERS_IN_FULL : MEMBERS, values.toArray());
    }

    /** As Kafka writes them: 0:[0,1],1:[2]. */
    private static String tasks(List<TaskIds> tasks) {
        return tasks.stream()
                .map(part -> part.subtopologyId() + ":["
                        + Arrays.stream(part.partitions())
                                .mapToObj(String::valueOf)
                                .collect(Collectors.joining(","))
                        + "]")
                .collect(Collectors.joining(","));
    }

    private static void describeOffsets(StreamsGroupAdmin admin, Output out) {
        out.printf(
                "%n" + OFFSETS.format(),
                "GROUP",
                "TOPIC",
                "PARTITION",
                "CURRENT-OFFSET",
                "LOG-END-OFFSET",
                "OFFSET-LAG");
        TopicQueries known = new TopicQueries(admin.broker());
        new OffsetAdmin(admin.broker(), admin.group()).committed().forEach((topic, committed) -> {
            SortedMap<Integer, Long> ends = known.offsets(known.require(topic, false), TopicQueries.LATEST);
            committed.forEach((partition, offset) -> {
                long end = ends.getOrDefault(partition, offset);
                out.row(OFFSETS, admin.group(), topic, partition, offset, end, end - offset);
            });
        });
    }

    // ---- change ----

    private void delete(StreamsGroupAdmin admin, Output out) {
        // The group knows its internal topics, so they are asked for first.
        List<String> obsolete = obsoleteTopics(admin);
        admin.broker()
                .ask(
                        ApiKey.DELETE_GROUPS,
                        new DeleteGroupsRequest().groupsNames(List.of(admin.group())),
                        DeleteGroupsResponse.class)
                .results()
                .forEach(result -> {
                    ClientException.require(result.errorCode(), null, "deleting group " + result.groupId());
                    out.row(DELETED, result.groupId());
                });
        deleteTopics(admin, obsolete, out);
    }

    private List<String> obsoleteTopics(StreamsGroupAdmin admin) {
        DescribedGroup described = admin.describe(); // fails if it is no streams group
        if (!allInternals && internals.isEmpty()) {
            return List.of();
        }
        Set<String> own = StreamsGroupAdmin.internalTopics(described);
        for (String topic : internals) {
            if (!own.contains(topic)) {
                throw new ClientException("Topic '" + topic + "' is not an internal topic of group '" + admin.group()
                        + "', which has " + own + ".");
            }
        }
        return allInternals ? List.copyOf(own) : internals;
    }

    private static void deleteTopics(StreamsGroupAdmin admin, List<String> obsolete, Output out) {
        TopicQueries known = new TopicQueries(admin.broker());
        List<String> present = known.all().stream()
                .map(topic -> String.valueOf(topic.name()))
                .filter(obsolete::contains)
                .toList();
        present.forEach(topic -> out.row(DELETED_TOPIC, topic));
        known.delete(present);
    }

    private void deleteOffsets(StreamsGroupAdmin admin, Output out) {
        OffsetAdmin offsets = new OffsetAdmin(admin.broker(), admin.group());
        SortedMap<String, SortedMap<Integer, Long>> committed = offsets.committed();
        out.printf("%n" + DELETED_OFFSETS.format(), "TOPIC", "STATUS");
        for (String topic : chosenTopics(committed)) {
            SortedMap<Integer, Long> partitions = committed.getOrDefault(topic, new TreeMap<>());
            if (partitions.isEmpty()) {
                throw new ClientException(
                        "Group '" + admin.group() + "' has no offsets of topic '" + topic + "' to delete.");
            }
            offsets.delete(topic, partitions.keySet());
            out.row(DELETED_OFFSETS, topic, "Successful");
        }
    }

    private void reset(StreamsGroupAdmin admin, Output out) {
        NewOffsets wanted = place;
        if (wanted == null) {
            throw misused(NewOffsets.MISSING);
        }
        boolean executes = execute && !dryRun;
        OffsetAdmin offsets = new OffsetAdmin(admin.broker(), admin.group());
        SortedMap<String, SortedMap<Integer, Long>> committed = offsets.committed();
        List<String> chosen = chosenTopics(committed);
        List<String> obsolete = executes ? obsoleteTopics(admin) : List.of();
        out.printf("%n%-30s %-30s %-10s %s%n", "GROUP", "TOPIC", "PARTITION", "NEW-OFFSET");
        for (String topic : chosen) {
            SortedMap<Integer, Long> target =
                    wanted.of(new TopicQueries(admin.broker()), topic, committed.getOrDefault(topic, new TreeMap<>()));
            if (executes) {
                offsets.commit(topic, target);
            }
            target.forEach((partition, offset) -> out.row(NEW_OFFSETS, admin.group(), topic, partition, offset));
        }
        deleteTopics(admin, obsolete, out);
    }

    private List<String> chosenTopics(SortedMap<String, SortedMap<Integer, Long>> committed) {
        if (topics.isEmpty() && !allTopics) {
            throw misused("Missing required option: '--input-topic' or '--all-input-topics'");
        }
        return allTopics ? List.copyOf(committed.keySet()) : topics;
    }
}
