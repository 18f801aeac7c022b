package io.rivulet.broker.api.topic;

import io.rivulet.broker.api.BrokerIdentity;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.LeaderEpochs;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.TopicNames;
import io.rivulet.broker.topic.TopicOrder;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest;
import io.rivulet.protocol.message.DescribeTopicPartitionsRequest.TopicRequest;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse.Cursor;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponsePartition;
import io.rivulet.protocol.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Describes topics in the order of their names, a page of partitions at a time; the cursor says where the next page begins. */
final class DescribeTopicPartitionsHandler implements Handler<DescribeTopicPartitionsRequest> {
    /** Kafka's own default of max.request.partition.size.limit. */
    private static final int MAX_PARTITIONS = 2000;

    /** Of a topic of one partition, with its name. */
    private static final long HEAP_BYTES = 1000;
    /** While they are sorted. */
    private static final long SORTED_BYTES_PER_TOPIC = 8;

    private static final int[] NO_NODES = {};

    private final BrokerIdentity identity;
    private final TopicCatalogue topics;
    private final LongAnswers longAnswers;
    private final TopicOrder order;
    private final int[] replicas;

    DescribeTopicPartitionsHandler(BrokerIdentity identity, TopicCatalogue topics, LongAnswers longAnswers) {
        this.identity = identity;
        this.topics = topics;
        this.longAnswers = longAnswers;
        this.order = new TopicOrder(topics, System::nanoTime);
        this.replicas = new int[] {identity.nodeId()};
    }

    @Override
    public void handle(Call call, DescribeTopicPartitionsRequest request) {
        int parts = partitions(request);
        if (request.topics().isEmpty() && topics.size() > LongAnswers.SHORT_PARTS) {
            longAnswers.make(
                    call, parts * HEAP_BYTES + topics.size() * SORTED_BYTES_PER_TOPIC, reader -> describe(request));
        } else if (parts + request.topics().size() > LongAnswers.SHORT_PARTS) {
            longAnswers.make(call, parts * HEAP_BYTES, reader -> describe(request));
        } else {
            call.answer(describe(request));
        }
    }

    private static int partitions(DescribeTopicPartitionsRequest request) {
        return Math.max(1, Math.min(request.responsePartitionLimit(), MAX_PARTITIONS));
    }

    private DescribeTopicPartitionsResponse describe(DescribeTopicPartitionsRequest request) {
        DescribeTopicPartitionsRequest.Cursor from = request.cursor();
        Page page = new Page(partitions(request));
        String fromName = from == null ? "" : from.topicName();
        int fromPartition = from == null ? 0 : Math.max(0, from.partitionIndex());
        for (String name : names(request, fromName)) {
            if (!page.add(name, name.equals(fromName) ? fromPartition : 0)) {
                break;
            }
        }
        return page.response;
    }

    /** In order, from the first name on: those that were asked for, or of all those that a page may get to, as each has a partition. */
    private Collection<String> names(DescribeTopicPartitionsRequest request, String fromName) {
        if (request.topics().isEmpty()) {
            return order.from(fromName, MAX_PARTITIONS + 1).stream()
                    .map(Topic::name)
                    .toList();
        }
        NavigableSet<String> names = new TreeSet<>();
        for (TopicRequest wanted : request.topics()) {
            if (wanted.name().compareTo(fromName) >= 0) {
                names.add(wanted.name());
            }
        }
        return names;
    }

    /** Fills a response up to the limit. */
    private final class Page {
        private final DescribeTopicPartitionsResponse response = new DescribeTopicPartitionsResponse();
        private final List<DescribeTopicPartitionsResponseTopic> described = new ArrayList<>();
        private int left;

        Page(int limit) {
            left = limit;
            response.topics(described);
        }

        /** False when the page is full; the cursor then says where to go on. */
        boolean add(String name, int firstPartition) {
            Topic topic = topics.find(name);
            if (topic == null) {
                described.add(missing(name));
                return true;
            }
            if (left == 0) {
                response.nextCursor(new Cursor().topicName(name).partitionIndex(firstPartition));
                return false;
            }
            int end = (int) Math.min(topic.partitionCount(), (long) firstPartition + left);
            described.add(new DescribeTopicPartitionsResponseTopic()
                    .name(name)
                    .topicId(topic.id())
                    .partitions(partitions(firstPartition, end)));
            left -= Math.max(0, end - firstPartition);
            if (end < topic.partitionCount()) {
                response.nextCursor(new Cursor().topicName(name).partitionIndex(end));
                return false;
            }
            return true;
        }

        private List<DescribeTopicPartitionsResponsePartition> partitions(int from, int end) {
            List<DescribeTopicPartitionsResponsePartition> partitions = new ArrayList<>();
            for (int partition = from; partition < end; partition++) {
                partitions.add(new DescribeTopicPartitionsResponsePartition()
                        .partitionIndex(partition)
                        .leaderId(identity.nodeId())
                        .leaderEpoch(LeaderEpochs.CURRENT)
                        .replicaNodes(replicas)
                        .isrNodes(replicas)
                        .eligibleLeaderReplicas(NO_NODES) // null would be allowed, but Kafka's own client falls over it
                        .lastKnownElr(NO_NODES));
            }
            return partitions;
        }
    }

    private static DescribeTopicPartitionsResponseTopic missing(String name) {
        ErrorCode error =
                TopicNames.isValid(name) ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.INVALID_TOPIC_EXCEPTION;
        return new DescribeTopicPartitionsResponseTopic().name(name).errorCode(error.code());
    }
}
