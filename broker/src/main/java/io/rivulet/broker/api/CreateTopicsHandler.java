package io.rivulet.broker.api;

import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableReplicaAssignment;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.CreateTopicsResponse.CreatableTopicConfigs;
import io.rivulet.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Creates topics, or only says whether it would. Each topic succeeds or fails for itself, with Kafka's codes. */
public final class CreateTopicsHandler {
    private static final int DEFAULT = -1;
    private static final int UNKNOWN = -1;
    private static final short REPLICATION_FACTOR = 1;

    private final BrokerIdentity identity;
    private final TopicCatalogue topics;
    private final TopicAdmin admin;
    private final int defaultPartitions;

    public CreateTopicsHandler(
            BrokerIdentity identity, TopicCatalogue topics, TopicAdmin admin, int defaultPartitions) {
        this.identity = identity;
        this.topics = topics;
        this.admin = admin;
        this.defaultPartitions = defaultPartitions;
    }

    void handle(Call call, CreateTopicsRequest request) {
        Set<String> seen = new HashSet<>();
        Set<String> twice = new HashSet<>();
        request.topics().stream()
                .map(CreatableTopic::name)
                .filter(name -> !seen.add(name))
                .forEach(twice::add);
        List<CreatableTopicResult> results = new ArrayList<>();
        List<NewTopic> wishes = new ArrayList<>();
        List<CreatableTopicResult> wished = new ArrayList<>();
        for (CreatableTopic wanted : request.topics()) {
            if (seen.remove(wanted.name())) {
                CreatableTopicResult result = new CreatableTopicResult().name(wanted.name());
                results.add(result);
                NewTopic wish = check(wanted, twice.contains(wanted.name()), result);
                if (wish != null && !request.validateOnly()) {
                    wishes.add(wish);
                    wished.add(result);
                }
            }
        }
        Futures.whenAllEnded(create(wishes, wished), () -> call.answer(new CreateTopicsResponse().topics(results)));
    }

    private List<CompletableFuture<?>> create(List<NewTopic> wishes, List<CreatableTopicResult> results) {
        List<CompletableFuture<Topic>> creations = admin.create(wishes);
        List<CompletableFuture<?>> told = new ArrayList<>(creations.size());
        for (int i = 0; i < creations.size(); i++) {
            CreatableTopicResult result = results.get(i);
            told.add(creations.get(i).<@Nullable Void>handle((topic, failure) -> {
                if (failure != null) {
                    fill(result, ErrorMapper.refusal(failure));
                } else {
                    fill(result, topic.id(), topic.partitionCount(), topic.settings());
                }
                return null;
            }));
        }
        return told;
    }

    /** Null when it is refused; the result then says why, and otherwise what would become of it. */
    private @Nullable NewTopic check(CreatableTopic wanted, boolean twice, CreatableTopicResult result) {
        try {
            if (twice) {
                throw new RefusedException(ErrorCode.INVALID_REQUEST, "the topic stands twice in the request");
            }
            NewTopic wish = check(wanted);
            TopicSettings settings = topics.defaults().withOverrides(wish.configs());
            admin.requireCreatable(wish);
            fill(result, Uuid.ZERO, wish.partitions(), settings);
            return wish;
        } catch (ConfigException e) {
            fill(result, new RefusedException(ErrorCode.INVALID_CONFIG, String.valueOf(e.getMessage())));
        } catch (RefusedException e) {
            fill(result, e);
        }
        return null;
    }

    private NewTopic check(CreatableTopic wanted) {
        return new NewTopic(wanted.name(), partitions(wanted), configs(wanted));
    }

    private int partitions(CreatableTopic wanted) {
        if (!wanted.assignments().isEmpty()) {
            return assignedPartitions(wanted);
        }
        if (wanted.replicationFactor() < DEFAULT || wanted.replicationFactor() == 0) {
            throw new RefusedException(
                    ErrorCode.INVALID_REPLICATION_FACTOR, "the replication factor must be 1, or -1 for the default");
        }
        if (wanted.replicationFactor() > REPLICATION_FACTOR) {
            throw new RefusedException(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "the replication factor is " + wanted.replicationFactor() + ", but there is only 1 broker");
        }
        if (wanted.numPartitions() < DEFAULT || wanted.numPartitions() == 0) {
            throw new RefusedException(
                    ErrorCode.INVALID_PARTITIONS, "the number of partitions must be 1 or more, or -1 for the default");
        }
        return wanted.numPartitions() == DEFAULT ? defaultPartitions : wanted.numPartitions();
    }

    private int assignedPartitions(CreatableTopic wanted) {
        if (wanted.replicationFactor() != DEFAULT || wanted.numPartitions() != DEFAULT) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST,
                    "with an assignment, replication factor and number of partitions must both be -1");
        }
        BitSet assigned = new BitSet();
        for (CreatableReplicaAssignment assignment : wanted.assignments()) {
            int[] brokers = assignment.brokerIds();
            if (brokers.length != 1 || brokers[0] != identity.nodeId()) {
                throw badAssignment("each partition is assigned to broker " + identity.nodeId() + " alone");
            }
            int partition = assignment.partitionIndex();
            if (partition < 0 || partition >= wanted.assignments().size() || assigned.get(partition)) {
                throw badAssignment("partitions are numbered from 0 on, each once");
            }
            assigned.set(partition);
        }
        return wanted.assignments().size();
    }

    private static RefusedException badAssignment(String message) {
        return new RefusedException(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message);
    }

    private static Map<String, String> configs(CreatableTopic wanted) {
        Map<String, String> configs = new LinkedHashMap<>();
        for (CreatableTopicConfig config : wanted.configs()) {
            String value = config.value();
            if (value == null) {
                throw new RefusedException(ErrorCode.INVALID_CONFIG, "config " + config.name() + " has no value");
            }
            configs.put(config.name(), value);
        }
        return configs;
    }

    // ---- results ----

    private static void fill(CreatableTopicResult result, RefusedException refusal) {
        result.errorCode(refusal.code().code())
                .errorMessage(refusal.getMessage())
                .numPartitions(UNKNOWN)
                .replicationFactor((short) UNKNOWN)
                .configs(List.of());
    }

    private static void fill(CreatableTopicResult result, Uuid id, int partitions, TopicSettings settings) {
        List<CreatableTopicConfigs> configs = new ArrayList<>();
        for (TopicConfigKey key : TopicConfigKey.values()) {
            configs.add(new CreatableTopicConfigs()
                    .name(key.key())
                    .value(settings.value(key))
                    .configSource(ConfigSource.of(settings, key).code()));
        }
        result.topicId(id)
                .numPartitions(partitions)
                .replicationFactor(REPLICATION_FACTOR)
                .configs(configs);
    }
}
