package io.rivulet.broker.console;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponsePartition;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseTopic;
import java.util.Comparator;
import java.util.List;

/**
 * The start offset of a share group in each partition: all records before it are acknowledged. With the number of
 * records after it that are not. Thread-safe.
 */
record ShareOffsetPages(ApiParts parts, BrokerCalls calls) {
    private static final int PAGE_ROWS = 100;
    private static final int DESCRIBE_VERSION = 1;

    void offsets(HttpExchange exchange) {
        String id = ConsoleApi.required(exchange, "id");
        int from = (int) exchange.number("from", 0, 0, Integer.MAX_VALUE);
        calls.ask(
                exchange,
                ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS,
                DESCRIBE_VERSION,
                new DescribeShareGroupOffsetsRequest()
                        .groups(List.of(new DescribeShareGroupOffsetsRequestGroup()
                                .groupId(id)
                                .topics(null))),
                DescribeShareGroupOffsetsResponse.class,
                described -> {
                    DescribeShareGroupOffsetsResponseGroup group =
                            described.groups().get(0);
                    BrokerCalls.requireRight(group.errorCode());
                    exchange.answer(ConsoleApi.json(offsets(group.topics(), from)));
                });
    }

    private JsonWriter offsets(List<DescribeShareGroupOffsetsResponseTopic> topics, int from) {
        JsonWriter rows = new JsonWriter().array();
        long count = 0;
        long lag = 0;
        for (DescribeShareGroupOffsetsResponseTopic of : topics.stream()
                .sorted(Comparator.comparing(DescribeShareGroupOffsetsResponseTopic::topicName))
                .toList()) {
            Topic topic = parts.topics().find(of.topicName());
            for (DescribeShareGroupOffsetsResponsePartition partition : of.partitions().stream()
                    .filter(each -> each.errorCode() == ErrorCode.NONE.code() && each.startOffset() >= 0)
                    .sorted(Comparator.comparing(DescribeShareGroupOffsetsResponsePartition::partitionIndex))
                    .toList()) {
                lag += Math.max(0, partition.lag());
                if (count >= from && count - from < PAGE_ROWS) {
                    int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition.partitionIndex());
                    boolean exists = queueId != Topic.NO_QUEUE && parts.store().exists(queueId);
                    rows.object()
                            .field("topic", of.topicName())
                            .field("partition", partition.partitionIndex())
                            .field("offset", partition.startOffset())
                            .field("start", exists ? parts.store().startOffset(queueId) : 0)
                            .field("end", exists ? parts.store().endOffset(queueId) : 0)
                            .field("lag", partition.lag())
                            .endObject();
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
}
