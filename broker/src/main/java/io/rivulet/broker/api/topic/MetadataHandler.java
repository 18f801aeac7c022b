package io.rivulet.broker.api.topic;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.AuthorizedOperations;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.api.Replication;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.node.Node;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicNames;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataRequest.MetadataRequestTopic;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseBroker;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponsePartition;
import io.rivulet.protocol.message.MetadataResponse.MetadataResponseTopic;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Describes topics and their partitions. The leader is always this broker. The work is proportional to the request. If
 * client and broker allow it, a topic that is requested by name and does not exist is created before the answer.
 */
record MetadataHandler(ApiParts parts) implements Handler<MetadataRequest> {
    private static final short NULL_MEANS_ALL_FROM_VERSION = 1;
    private static final short NULL_NAMES_FROM_VERSION = 12;
    private static final short AUTO_CREATION_CHOSEN_FROM_VERSION = 4;

    @Override
    public void handle(Call call, MetadataRequest request) {
        List<MetadataRequestTopic> asked = request.topics();
        if (asked == null || (asked.isEmpty() && call.version() < NULL_MEANS_ALL_FROM_VERSION)) {
            answerAll(call, request);
            return;
        }
        boolean create = parts.config().autoCreateTopics()
                && (call.version() < AUTO_CREATION_CHOSEN_FROM_VERSION || request.allowAutoTopicCreation());
        Access access = call.access();
        List<MetadataResponseTopic> described = new ArrayList<>(asked.size());
        List<CompletableFuture<?>> creations = new ArrayList<>(0);
        // A topic that is named twice is described once, because it may be large.
        Set<Object> seen = new HashSet<>();
        for (MetadataRequestTopic wanted : asked) {
            String name = wanted.name();
            // Kafka's client leaves the name empty, not null, when it asks by id.
            boolean byId = name == null || !wanted.topicId().equals(Uuid.ZERO);
            if (!seen.add(byId ? wanted.topicId() : name)) {
                continue;
            }
            MetadataResponseTopic answer = new MetadataResponseTopic();
            described.add(answer);
            if (name == null || byId) {
                describeById(answer, wanted.topicId(), call);
            } else if (!access.mayTopic(Operation.DESCRIBE, name)) {
                answer.name(name).errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code());
            } else if (!describeByName(answer, name) && create) {
                if (access.mayCluster(Operation.CREATE) || access.mayTopic(Operation.CREATE, name)) {
                    creations.add(create(answer, name));
                } else {
                    answer.errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code());
                }
            }
        }
        Runnable ended = () -> {
            described.forEach(answer -> addOperations(answer, access, request));
            answer(call, request, described);
        };
        if (creations.isEmpty()) {
            ended.run();
        } else {
            Futures.whenAllEnded(creations, ended);
        }
    }

    /** An id is no secret, as in Kafka: a client that may not describe its topic learns that there is one. */
    private void describeById(MetadataResponseTopic answer, Uuid id, Call call) {
        Topic topic = parts.topics().find(id);
        if (topic != null && call.access().mayTopic(Operation.DESCRIBE, topic.name())) {
            describe(answer, topic);
            return;
        }
        ErrorCode error = topic == null ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.TOPIC_AUTHORIZATION_FAILED;
        answer.topicId(id)
                .name(call.version() < NULL_NAMES_FROM_VERSION ? "" : null)
                .errorCode(error.code());
    }

    /** False if there is no such topic and it may be created. */
    private boolean describeByName(MetadataResponseTopic answer, String name) {
        Topic topic = parts.topics().find(name);
        if (topic != null) {
            describe(answer, topic);
            return true;
        }
        boolean valid = TopicNames.isValid(name);
        ErrorCode error = valid ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.INVALID_TOPIC_EXCEPTION;
        answer.name(name).errorCode(error.code());
        return !valid || name.equals(TopicNames.CLUSTER_METADATA);
    }

    private CompletableFuture<Void> create(MetadataResponseTopic answer, String name) {
        InternalTopic internal = InternalTopic.named(name);
        NewTopic wanted = new NewTopic(name, parts.config().defaultPartitions(), Map.of());
        return Futures.attempt(
                () -> {
                    if (internal == null) {
                        Replication.require(parts, parts.config().replication().byDefault());
                    }
                    return (internal == null
                                    ? parts.admin().findOrCreate(wanted)
                                    : parts.internal().create(internal))
                            .thenApply(topic -> describe(answer.errorCode(ErrorCode.NONE.code()), topic));
                },
                refusal -> answer.errorCode(refusal.code().code()));
    }

    private void answerAll(Call call, MetadataRequest request) {
        int count = parts.topics().size();
        if (count > LongAnswers.SHORT_PARTS) {
            parts.longAnswers()
                    .make(call, count * Topic.HEAP_BYTES, reader -> response(call, request, all(call, request)));
        } else {
            answer(call, request, all(call, request));
        }
    }

    private List<MetadataResponseTopic> all(Call call, MetadataRequest request) {
        Access access = call.access();
        List<Topic> all = VisibleTopics.all(parts.topics(), access);
        // Each topic is described when it is encoded, so a million descriptions never exist at once.
        return new LazyList<>(all.size(), i -> {
            MetadataResponseTopic answer = describe(new MetadataResponseTopic(), all.get(i));
            addOperations(answer, access, request);
            return answer;
        });
    }

    private static void addOperations(MetadataResponseTopic answer, Access access, MetadataRequest request) {
        String name = answer.name();
        if (name != null && answer.errorCode() != ErrorCode.TOPIC_AUTHORIZATION_FAILED.code()) {
            answer.topicAuthorizedOperations(
                    AuthorizedOperations.ofTopic(access, name, request.includeTopicAuthorizedOperations()));
        }
    }

    private MetadataResponseTopic describe(MetadataResponseTopic answer, Topic topic) {
        int[] replicas = parts.nodes().replicas();
        List<MetadataResponsePartition> partitions =
                new LazyList<>(topic.partitionCount(), index -> partition(index, replicas));
        return answer.name(topic.name())
                .topicId(topic.id())
                .isInternal(topic.isInternal())
                .partitions(partitions);
    }

    private MetadataResponsePartition partition(int index, int[] replicas) {
        return new MetadataResponsePartition()
                .partitionIndex(index)
                .leaderId(parts.nodeId())
                .leaderEpoch(parts.nodes().epochs().current())
                .replicaNodes(replicas)
                .isrNodes(replicas);
    }

    private void answer(Call call, MetadataRequest request, List<MetadataResponseTopic> described) {
        MetadataResponse response = response(call, request, described);
        parts.longAnswers().answer(call, response, countParts(described));
    }

    private MetadataResponse response(Call call, MetadataRequest request, List<MetadataResponseTopic> described) {
        return new MetadataResponse()
                .clusterId(parts.clusterId())
                .controllerId(parts.nodeId())
                .brokers(brokers(call))
                .clusterAuthorizedOperations(
                        AuthorizedOperations.ofCluster(call.access(), request.includeClusterAuthorizedOperations()))
                .topics(described);
    }

    private List<MetadataResponseBroker> brokers(Call call) {
        List<Node> nodes = parts.nodes().reachableFrom(call.origin());
        List<MetadataResponseBroker> brokers = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            brokers.add(new MetadataResponseBroker()
                    .nodeId(node.id())
                    .host(node.host())
                    .port(node.port())
                    .rack(node.rack()));
        }
        return brokers;
    }

    /** The number of topics and partitions. The count stops when the answer is long. */
    private static int countParts(List<MetadataResponseTopic> described) {
        int count = described.size();
        for (int i = 0; i < described.size() && count <= LongAnswers.SHORT_PARTS; i++) {
            count += described.get(i).partitions().size();
        }
        return count;
    }
}
