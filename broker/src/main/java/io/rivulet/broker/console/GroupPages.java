package io.rivulet.broker.console;

import io.netty.buffer.Unpooled;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.lag.FirstTime;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse;
import io.rivulet.protocol.message.ConsumerProtocolAssignment;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.ListGroupsResponse.ListedGroup;
import io.rivulet.protocol.message.OffsetFetchRequest;
import io.rivulet.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.rivulet.protocol.message.OffsetFetchResponse;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.rivulet.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import io.rivulet.protocol.message.ShareGroupDescribeRequest;
import io.rivulet.protocol.message.ShareGroupDescribeResponse;
import io.rivulet.protocol.message.StreamsGroupDescribeRequest;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.WireReader;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Groups: all of them, the members of one, and its offsets with the lag of each partition. Thread-safe. */
record GroupPages(ApiParts parts, BrokerCalls calls) {
    private static final Logger LOG = LoggerFactory.getLogger(GroupPages.class);
    private static final int PAGE_ROWS = 100;
    private static final int MOST_MEMBERS = 1000;
    private static final int LIST_VERSION = 5;
    private static final int DESCRIBE_VERSION = 6;
    private static final int FETCH_VERSION = 8;
    private static final int SHARE_DESCRIBE_VERSION = 1;

    // ---- all groups ----

    void list(HttpExchange exchange) {
        String part = ConsoleApi.optional(exchange, "search").toLowerCase(Locale.ROOT);
        String after = ConsoleApi.optional(exchange, "after");
        calls.ask(
                exchange,
                ApiKey.LIST_GROUPS,
                LIST_VERSION,
                new ListGroupsRequest(),
                ListGroupsResponse.class,
                listed -> {
                    BrokerCalls.requireRight(listed.errorCode());
                    exchange.answer(ConsoleApi.json(list(listed.groups(), part, after)));
                });
    }

    private static JsonWriter list(List<ListedGroup> all, String part, String after) {
        List<ListedGroup> found = all.stream()
                .filter(group -> group.groupId().toLowerCase(Locale.ROOT).contains(part))
                .toList();
        List<ListedGroup> later = found.stream()
                .filter(group -> after.isEmpty() || group.groupId().compareTo(after) > 0)
                .sorted(Comparator.comparing(ListedGroup::groupId))
                .toList();
        JsonWriter json = new JsonWriter()
                .object()
                .field("all", all.size())
                .field("count", found.size())
                .field("more", later.size() > PAGE_ROWS)
                .key("rows")
                .array();
        later.stream()
                .limit(PAGE_ROWS)
                .forEach(group -> json.object()
                        .field("id", group.groupId())
                        .field("type", group.groupType())
                        .field("state", group.groupState())
                        .field("protocol", group.protocolType())
                        .endObject());
        return json.endArray().endObject();
    }

    // ---- members ----

    void group(HttpExchange exchange) {
        String id = ConsoleApi.required(exchange, "id");
        calls.ask(
                exchange,
                ApiKey.CONSUMER_GROUP_DESCRIBE,
                0,
                new ConsumerGroupDescribeRequest().groupIds(List.of(id)),
                ConsumerGroupDescribeResponse.class,
                described -> {
                    ConsumerGroupDescribeResponse.DescribedGroup group =
                            described.groups().get(0);
                    BrokerCalls.requireRight(group.errorCode());
                    if (group.errorCode() == ErrorCode.NONE.code()) {
                        exchange.answer(ConsoleApi.json(consumer(group)));
                    } else {
                        classic(id, exchange);
                    }
                });
    }

    private void classic(String id, HttpExchange exchange) {
        calls.ask(
                exchange,
                ApiKey.DESCRIBE_GROUPS,
                DESCRIBE_VERSION,
                new DescribeGroupsRequest().groups(List.of(id)),
                DescribeGroupsResponse.class,
                described -> {
                    DescribeGroupsResponse.DescribedGroup group =
                            described.groups().get(0);
                    BrokerCalls.requireRight(group.errorCode());
                    if (group.errorCode() == ErrorCode.NONE.code()) {
                        exchange.answer(ConsoleApi.json(classic(group)));
                    } else {
                        streams(id, exchange);
                    }
                });
    }

    private void streams(String id, HttpExchange exchange) {
        calls.ask(
                exchange,
                ApiKey.STREAMS_GROUP_DESCRIBE,
                0,
                new StreamsGroupDescribeRequest().groupIds(List.of(id)),
                StreamsGroupDescribeResponse.class,
                described -> {
                    StreamsGroupDescribeResponse.DescribedGroup group =
                            described.groups().get(0);
                    BrokerCalls.requireRight(group.errorCode());
                    if (group.errorCode() == ErrorCode.NONE.code()) {
                        exchange.answer(ConsoleApi.json(streams(group)));
                    } else {
                        share(id, exchange);
                    }
                });
    }

    private void share(String id, HttpExchange exchange) {
        calls.ask(
                exchange,
                ApiKey.SHARE_GROUP_DESCRIBE,
                SHARE_DESCRIBE_VERSION,
                new ShareGroupDescribeRequest().groupIds(List.of(id)),
                ShareGroupDescribeResponse.class,
                described -> {
                    ShareGroupDescribeResponse.DescribedGroup group =
                            described.groups().get(0);
                    BrokerCalls.requireRight(group.errorCode());
                    if (group.errorCode() != ErrorCode.NONE.code()) {
                        throw ConsoleApi.notFound("there is no group '" + id + "'");
                    }
                    exchange.answer(ConsoleApi.json(share(group)));
                });
    }

    private static JsonWriter head(String id, String type, String state, String assignor, int members) {
        return new JsonWriter()
                .object()
                .field("id", id)
                .field("type", type)
                .field("state", state)
                .field("assignor", assignor)
                .field("memberCount", members)
                .key("members")
                .array();
    }

    private static void member(JsonWriter json, String id, @Nullable String instance, String client, String host) {
        json.object()
                .field("id", id)
                .field("instance", instance)
                .field("client", client)
                .field("host", host)
                .key("assigned")
                .array();
    }

    private static void assigned(JsonWriter json, String topic, int partitions) {
        json.object().field("topic", topic).field("partitions", partitions).endObject();
    }

    private static JsonWriter consumer(ConsumerGroupDescribeResponse.DescribedGroup group) {
        List<ConsumerGroupDescribeResponse.Member> members = group.members();
        JsonWriter json = head(group.groupId(), "consumer", group.groupState(), group.assignorName(), members.size());
        members.stream().limit(MOST_MEMBERS).forEach(member -> {
            member(json, member.memberId(), member.instanceId(), member.clientId(), member.clientHost());
            member.assignment().topicPartitions().stream()
                    .limit(PAGE_ROWS)
                    .forEach(of -> assigned(json, of.topicName(), of.partitions().length));
            json.endArray().endObject();
        });
        return json.endArray().endObject();
    }

    private static JsonWriter share(ShareGroupDescribeResponse.DescribedGroup group) {
        List<ShareGroupDescribeResponse.Member> members = group.members();
        JsonWriter json = head(group.groupId(), "share", group.groupState(), group.assignorName(), members.size());
        members.stream().limit(MOST_MEMBERS).forEach(member -> {
            member(json, member.memberId(), null, member.clientId(), member.clientHost());
            member.assignment().topicPartitions().stream()
                    .limit(PAGE_ROWS)
                    .forEach(of -> assigned(json, of.topicName(), of.partitions().length));
            json.endArray().endObject();
        });
        return json.endArray().endObject();
    }

    /** Tasks have the name of their subtopology instead of a topic. */
    private static JsonWriter streams(StreamsGroupDescribeResponse.DescribedGroup group) {
        List<StreamsGroupDescribeResponse.Member> members = group.members();
        JsonWriter json = head(group.groupId(), "streams", group.groupState(), "sticky", members.size());
        members.stream().limit(MOST_MEMBERS).forEach(member -> {
            member(json, member.memberId(), member.instanceId(), member.clientId(), member.clientHost());
            member.assignment().activeTasks().stream()
                    .limit(PAGE_ROWS)
                    .forEach(of -> assigned(json, "subtopology " + of.subtopologyId(), of.partitions().length));
            json.endArray().endObject();
        });
        return json.endArray().endObject();
    }

    private static JsonWriter classic(DescribeGroupsResponse.DescribedGroup group) {
        List<DescribeGroupsResponse.DescribedGroupMember> members = group.members();
        JsonWriter json = head(group.groupId(), "classic", group.groupState(), group.protocolData(), members.size());
        boolean readable = group.protocolType().equals("consumer");
        members.stream().limit(MOST_MEMBERS).forEach(member -> {
            member(json, member.memberId(), member.groupInstanceId(), member.clientId(), member.clientHost());
            if (readable) {
                classicAssignment(json, member.memberAssignment());
            }
            json.endArray().endObject();
        });
        return json.endArray().endObject();
    }

    /** A client made these bytes, so they may be anything. */
    private static void classicAssignment(JsonWriter json, byte[] assignment) {
        if (assignment.length < Short.BYTES) {
            return;
        }
        try {
            var bytes = Unpooled.wrappedBuffer(assignment);
            short version =
                    (short) Math.max(0, Math.min(ConsumerProtocolAssignment.HIGHEST_VERSION, bytes.readShort()));
            ConsumerProtocolAssignment.read(new WireReader(bytes.slice()), version).assignedPartitions().stream()
                    .limit(PAGE_ROWS)
                    .forEach(of -> assigned(json, of.topic(), of.partitions().length));
        } catch (MalformedRequestException | IndexOutOfBoundsException e) {
            // It is not shown.
        }
    }

    // ---- offsets ----

    void offsets(HttpExchange exchange) {
        String id = ConsoleApi.required(exchange, "id");
        int from = (int) exchange.number("from", 0, 0, Integer.MAX_VALUE);
        OffsetFetchRequest request = new OffsetFetchRequest()
                .groups(List.of(new OffsetFetchRequestGroup()
                        .groupId(id)
                        .memberId(null)
                        .memberEpoch(-1)
                        .topics(null)));
        calls.askAndRead(
                exchange, ApiKey.OFFSET_FETCH, FETCH_VERSION, request, OffsetFetchResponse.class, (fetched, reader) -> {
                    OffsetFetchResponseGroup group = fetched.groups().get(0);
                    BrokerCalls.requireRight(group.errorCode());
                    exchange.answer(ConsoleApi.json(offsets(group.topics(), from, reader)));
                });
    }

    private JsonWriter offsets(List<OffsetFetchResponseTopics> topics, int from, StoreReader reader) {
        JsonWriter rows = new JsonWriter().array();
        long count = 0;
        long lag = 0;
        for (OffsetFetchResponseTopics of : topics.stream()
                .sorted(Comparator.comparing(OffsetFetchResponseTopics::name))
                .toList()) {
            Topic topic = parts.topics().find(of.name());
            for (OffsetFetchResponsePartitions partition : of.partitions().stream()
                    .sorted(Comparator.comparing(OffsetFetchResponsePartitions::partitionIndex))
                    .toList()) {
                int queueId = queueId(topic, partition.partitionIndex());
                long end = queueId == Topic.NO_QUEUE ? 0 : parts.store().endOffset(queueId);
                long behind = Math.max(0, end - partition.committedOffset());
                lag += behind;
                if (count >= from && count - from < PAGE_ROWS) {
                    rows.object().field("topic", of.name());
                    addOffset(rows, queueId, partition, end);
                    addAge(rows, queueId, behind > 0 ? partition.committedOffset() : end, end, reader);
                    rows.endObject();
                }
                count++;
            }
        }
        return new JsonWriter()
                .object()
                .field("count", count)
                .field("lag", lag)
                .key("rows")
                .json(rows.endArray().toString())
                .endObject();
    }

    private void addOffset(JsonWriter row, int queueId, OffsetFetchResponsePartitions partition, long end) {
        row.field("partition", partition.partitionIndex())
                .field("offset", partition.committedOffset())
                .field("start", queueId == Topic.NO_QUEUE ? 0 : parts.store().startOffset(queueId))
                .field("end", end)
                .field("lag", Math.max(0, end - partition.committedOffset()))
                .field("metadata", partition.metadata());
    }

    /** How old the first record from the offset on is. Nothing if there is none, or its time can't be told. */
    private void addAge(JsonWriter row, int queueId, long offset, long end, StoreReader reader) {
        if (offset >= end) {
            return;
        }
        try {
            long millis = FirstTime.read(reader, parts.store(), queueId, offset);
            if (millis != FirstTime.UNKNOWN) {
                row.field("ageMillis", Math.max(0, System.currentTimeMillis() - millis));
            }
        } catch (IOException e) {
            LOG.debug("The record at offset {} of queue {} can't be read", offset, queueId, e);
        }
    }

    /** NO_QUEUE if the partition does not exist. */
    private int queueId(@Nullable Topic topic, int partition) {
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
        return queueId == Topic.NO_QUEUE || !parts.store().exists(queueId) ? Topic.NO_QUEUE : queueId;
    }
}
