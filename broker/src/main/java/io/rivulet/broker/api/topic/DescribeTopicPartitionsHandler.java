package io.rivulet.broker.api.topic;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
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

/** Describes topics in the order of their names, in pages of partitions. The cursor is the start of the next page. */
final class DescribeTopicPartitionsHandler implements Handler<DescribeTopicPartitionsRequest> {
    /** Kafka's own default of max.request.partition.size.limit. */
    private static final int MAX_PARTITIONS = 2000;

    /** The heap of a topic with one partition, with its name. */
    private static final long HEAP_BYTES = 1000;
    /** The heap of a topic while topics are sorted. */
    private static final long SORTED_BYTES_PER_TOPIC = 8;

    private static final int[] NO_NODES = {};

    private final ApiParts parts;
    private final TopicOrder order;

    DescribeTopicPartitionsHandler(ApiParts parts) {
        this.parts = parts;
        this.order = new TopicOrder(parts.topics(), System::nanoTime);
    }

    @Override
    public void handle(Call call, DescribeTopicPartitionsRequest request) {
        int partitions = partitions(request);
        int sorted = request.topics().isEmpty() ? parts.topics().size() : 0;
        if (sorted > LongAnswers.SHORT_PARTS || partitions + request.topics().size() > LongAnswers.SHORT_PARTS) {
            long heapBytes = partitions * HEAP_BYTES + sorted * SORTED_BYTES_PER_TOPIC;
            parts.longAnswers().make(call, heapBytes, reader -> describe(request, call.access()));
        } else {
            call.answer(describe(request, call.access()));
        }
    }

    private static int partitions(DescribeTopicPartitionsRequest request) {
        return Math.max(1, Math.min(request.responsePartitionLimit(), MAX_PARTITIONS));
    }

    private DescribeTopicPartitionsResponse describe(DescribeTopicPartitionsRequest request, Access access) {
        DescribeTopicPartitionsRequest.Cursor from = request.cursor();
        Page page = new Page(partitions(request), access);
        String fromName = from == null ? "" : from.topicName();
        int fromPartition = from == null ? 0 : Math.max(0, from.partitionIndex());
        for (String name : names(request, fromName, access)) {
            if (!page.add(name, name.equals(fromName) ? fromPartition : 0)) {
                break;
            }
        }
        return page.response;
    }

    /** Sorted names, from this one on: of the requested topics, or of as many topics as fit into a page. */
    private Collection<String> names(DescribeTopicPartitionsRequest request, String fromName, Access access) {
        if (request.topics().isEmpty()) {
            return order
                    .from(fromName, MAX_PARTITIONS + 1, topic -> access.mayTopic(Operation.DESCRIBE, topic.name()))
                    .stream()
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
        private final Access access;
        private int left;

        Page(int limit, Access access) {
            this.access = access;
            left = limit;
            response.topics(described);
        }

        /** False if the page is full; then the cursor has the start of the next page. */
        boolean add(String name, int firstPartition) {
            if (!access.mayTopic(Operation.DESCRIBE, name)) {
                described.add(failed(name, ErrorCode.TOPIC_AUTHORIZATION_FAILED));
                return true;
            }
            Topic topic = parts.topics().find(name);
            if (topic == null) {
                described.add(
                        missing(name).topicAuthorizedOperations(AuthorizedOperations.ofTopic(access, name, true)));
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
                    .isInternal(topic.isInternal())
                    .topicAuthorizedOperations(AuthorizedOperations.ofTopic(access, name, true))
                    .partitions(partitions(firstPartition, end)));
            left -= Math.max(0, end - firstPartition);
            if (end < topic.partitionCount()) {
                response.nextCursor(new Cursor().topicName(name).partitionIndex(end));
                return false;
            }
            return true;
        }

        private List<DescribeTopicPartitionsResponsePartition> partitions(int from, int end) {
            int[] replicas = parts.nodes().replicas();
            List<DescribeTopicPartitionsResponsePartition> partitions = new ArrayList<>();
            for (int partition = from; partition < end; partition++) {
                partitions.add(new DescribeTopicPartitionsResponsePartition()
                        .partitionIndex(partition)
                        .leaderId(parts.nodeId())
                        .leaderEpoch(parts.nodes().epochs().current())
                        .replicaNodes(replicas)
                        .isrNodes(replicas)
                        .eligibleLeaderReplicas(NO_NODES) // Kafka's client fails on null
                        .lastKnownElr(NO_NODES));
            }
            return partitions;
        }
    }

    private static DescribeTopicPartitionsResponseTopic missing(String name) {
        ErrorCode error =
                TopicNames.isValid(name) ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.INVALID_TOPIC_EXCEPTION;
        return failed(name, error);
    }

    private static DescribeTopicPartitionsResponseTopic failed(String name, ErrorCode error) {
        return new DescribeTopicPartitionsResponseTopic().name(name).errorCode(error.code());
    }
}
