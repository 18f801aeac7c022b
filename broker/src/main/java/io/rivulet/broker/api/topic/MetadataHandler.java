package io.rivulet.broker.api.topic;

import io.rivulet.broker.api.BrokerIdentity;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.topic.LeaderEpochs;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Describes topics and names the leader of their partitions: always this broker. Work is proportional to what was asked for. A topic
 * that is asked for by name and does not exist is created if both sides allow it; the answer waits for that.
 */
final class MetadataHandler implements Handler<MetadataRequest> {
    private static final short NULL_MEANS_ALL_FROM_VERSION = 1;
    private static final short NULL_NAMES_FROM_VERSION = 12;
    private static final short AUTO_CREATION_CHOSEN_FROM_VERSION = 4;

    private final BrokerIdentity identity;
    private final TopicCatalogue topics;
    private final TopicAdmin admin;
    private final LongAnswers longAnswers;
    private final boolean autoCreate;
    private final int defaultPartitions;
    private final int[] replicas;

    MetadataHandler(
            BrokerIdentity identity,
            TopicCatalogue topics,
            TopicAdmin admin,
            LongAnswers longAnswers,
            boolean autoCreate,
            int defaultPartitions) {
        this.identity = identity;
        this.topics = topics;
        this.admin = admin;
        this.longAnswers = longAnswers;
        this.autoCreate = autoCreate;
        this.defaultPartitions = defaultPartitions;
        this.replicas = new int[] {identity.nodeId()};
    }

    @Override
    public void handle(Call call, MetadataRequest request) {
        List<MetadataRequestTopic> asked = request.topics();
        if (asked == null || (asked.isEmpty() && call.version() < NULL_MEANS_ALL_FROM_VERSION)) {
            answerAll(call);
            return;
        }
        boolean create =
                autoCreate && (call.version() < AUTO_CREATION_CHOSEN_FROM_VERSION || request.allowAutoTopicCreation());
        List<MetadataResponseTopic> described = new ArrayList<>(asked.size());
        List<CompletableFuture<?>> creations = new ArrayList<>(0);
        // A topic that is named twice is described once: it may be a large one.
        Set<Object> seen = new HashSet<>();
        for (MetadataRequestTopic wanted : asked) {
            String name = wanted.name();
            // Kafka's own client leaves the name empty, not null, when it asks by id.
            boolean byId = name == null || !wanted.topicId().equals(Uuid.ZERO);
            if (!seen.add(byId ? wanted.topicId() : name)) {
                continue;
            }
            MetadataResponseTopic answer = new MetadataResponseTopic();
            described.add(answer);
            if (name == null || byId) {
                describeById(answer, wanted.topicId(), call.version());
            } else if (!describeByName(answer, name) && create) {
                creations.add(create(answer, name));
            }
        }
        if (creations.isEmpty()) {
            answer(call, described);
        } else {
            Futures.whenAllEnded(creations, () -> answer(call, described));
        }
    }

    private void describeById(MetadataResponseTopic answer, Uuid id, short version) {
        Topic topic = topics.find(id);
        if (topic == null) {
            answer.topicId(id)
                    .name(version < NULL_NAMES_FROM_VERSION ? "" : null)
                    .errorCode(ErrorCode.UNKNOWN_TOPIC_ID.code());
        } else {
            describe(answer, topic);
        }
    }

    /** False when there is none, and could be. */
    private boolean describeByName(MetadataResponseTopic answer, String name) {
        Topic topic = topics.find(name);
        if (topic != null) {
            describe(answer, topic);
            return true;
        }
        boolean valid = TopicNames.isValid(name);
        ErrorCode error = valid ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.INVALID_TOPIC_EXCEPTION;
        answer.name(name).errorCode(error.code());
        return !valid;
    }

    private CompletableFuture<Void> create(MetadataResponseTopic answer, String name) {
        CompletableFuture<@Nullable Topic> creation;
        try {
            creation = admin.findOrCreate(new NewTopic(name, defaultPartitions, Map.of()))
                    .toCompletableFuture()
                    .thenApply(topic -> topic);
        } catch (RuntimeException e) {
            creation = CompletableFuture.failedFuture(e);
        }
        return creation.handle((topic, failure) -> {
            if (failure == null) {
                describe(answer.errorCode(ErrorCode.NONE.code()), Objects.requireNonNull(topic));
            } else {
                answer.errorCode(ErrorMapper.refusal(failure).code().code());
            }
            return null;
        });
    }

    private void answerAll(Call call) {
        int count = topics.size();
        if (count > LongAnswers.SHORT_PARTS) {
            Call.Endpoint endpoint = call.origin().advertised();
            longAnswers.make(call, count * Topic.HEAP_BYTES, reader -> response(endpoint, all()));
        } else {
            answer(call, all());
        }
    }

    private List<MetadataResponseTopic> all() {
        List<Topic> all = new ArrayList<>(topics.size());
        topics.forEach(all::add);
        // Each is described when it is encoded, so that a million descriptions never exist at once.
        return new LazyList<>(all.size(), i -> describe(new MetadataResponseTopic(), all.get(i)));
    }

    private MetadataResponseTopic describe(MetadataResponseTopic answer, Topic topic) {
        List<MetadataResponsePartition> partitions = new LazyList<>(topic.partitionCount(), this::partition);
        return answer.name(topic.name()).topicId(topic.id()).partitions(partitions);
    }

    private MetadataResponsePartition partition(int index) {
        return new MetadataResponsePartition()
                .partitionIndex(index)
                .leaderId(identity.nodeId())
                .leaderEpoch(LeaderEpochs.CURRENT)
                .replicaNodes(replicas)
                .isrNodes(replicas);
    }

    private void answer(Call call, List<MetadataResponseTopic> described) {
        MetadataResponse response = response(call.origin().advertised(), described);
        if (isLong(described)) {
            longAnswers.answer(call, response);
        } else {
            call.answer(response);
        }
    }

    private MetadataResponse response(Call.Endpoint endpoint, List<MetadataResponseTopic> described) {
        return new MetadataResponse()
                .clusterId(identity.clusterId())
                .controllerId(identity.nodeId())
                .brokers(List.of(new MetadataResponseBroker()
                        .nodeId(identity.nodeId())
                        .host(endpoint.host())
                        .port(endpoint.port())))
                .topics(described);
    }

    private static boolean isLong(List<MetadataResponseTopic> described) {
        int parts = described.size();
        for (int i = 0; i < described.size() && parts <= LongAnswers.SHORT_PARTS; i++) {
            parts += described.get(i).partitions().size();
        }
        return parts > LongAnswers.SHORT_PARTS;
    }
}
