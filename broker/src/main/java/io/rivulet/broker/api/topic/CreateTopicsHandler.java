package io.rivulet.broker.api.topic;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Futures;
import io.rivulet.broker.api.Replication;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.dynamic.ConfigSource;
import io.rivulet.broker.dynamic.LiveConfig;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.MapText;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.broker.topic.Topic;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Creates topics, or only validates the request. Each topic succeeds or fails on its own, with Kafka's codes. */
record CreateTopicsHandler(ApiParts parts) implements Handler<CreateTopicsRequest> {
    private static final int DEFAULT = -1;
    private static final int TOPICS_AT_ONCE = 5_000;
    private static final int UNKNOWN = -1;
    private static final short STRICT_QUOTA_FROM_VERSION = 6;

    @Override
    public void handle(Call call, CreateTopicsRequest request) {
        Set<String> seen = new HashSet<>();
        Set<String> repeated = new HashSet<>();
        List<CreatableTopic> wanted = new ArrayList<>(request.topics().size());
        for (CreatableTopic topic : request.topics()) {
            if (seen.add(topic.name())) {
                wanted.add(topic);
            } else {
                repeated.add(topic.name());
            }
        }
        List<CreatableTopicResult> results = new ArrayList<>(wanted.size());
        ConfigLists configs = new ConfigLists(parts.live());
        Futures.inParts(
                wanted.size(),
                TOPICS_AT_ONCE,
                parts.longAnswers().parts(),
                (from, to) ->
                        create(call, wanted.subList(from, to), repeated, request.validateOnly(), results, configs),
                () -> parts.longAnswers()
                        .answer(call, new CreateTopicsResponse().topics(results), results.size() + configs.count()));
    }

    private CompletableFuture<?> create(
            Call call,
            List<CreatableTopic> wanted,
            Set<String> repeated,
            boolean validateOnly,
            List<CreatableTopicResult> results,
            ConfigLists configs) {
        Access access = call.access();
        boolean mayCreateAll = access.mayCluster(Operation.CREATE);
        List<NewTopic> creations = new ArrayList<>();
        List<CreatableTopicResult> creationResults = new ArrayList<>();
        for (CreatableTopic topic : wanted) {
            CreatableTopicResult result = new CreatableTopicResult().name(topic.name());
            results.add(result);
            try {
                requireOnce(repeated.contains(topic.name()));
                requireRight(mayCreateAll || access.mayTopic(Operation.CREATE, topic.name()));
                // A name that is taken is reported first, as in Kafka, whatever else is wrong.
                parts.admin().requireFree(topic.name());
                Map<String, String> own = configs(topic);
                TopicSettings settings = parts.topics().defaults().withOverrides(own);
                NewTopic creation = new NewTopic(topic.name(), partitions(topic), own);
                parts.admin().requireCreatable(creation);
                Mutations.count(call, creation.partitions(), STRICT_QUOTA_FROM_VERSION);
                creations.add(creation);
                creationResults.add(result.topicId(Uuid.ZERO));
                if (access.mayTopic(Operation.DESCRIBE_CONFIGS, topic.name())) {
                    result.numPartitions(creation.partitions())
                            .replicationFactor((short) parts.nodes().replicas().length);
                    configs.add(result, creation.configs(), settings);
                } else {
                    result.topicConfigErrorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code());
                }
            } catch (ConfigException | RefusedException e) {
                refuse(result, ErrorMapper.refusal(e));
            }
        }
        return validateOnly ? CompletableFuture.completedFuture(null) : create(creations, creationResults);
    }

    private CompletableFuture<?> create(List<NewTopic> wanted, List<CreatableTopicResult> results) {
        List<CompletableFuture<Topic>> creations = parts.admin().create(wanted);
        CompletableFuture<?>[] ended = new CompletableFuture<?>[creations.size()];
        for (int i = 0; i < ended.length; i++) {
            CreatableTopicResult result = results.get(i);
            CompletableFuture<Topic> creation = creations.get(i);
            ended[i] = Futures.attempt(
                    () -> creation.thenApply(topic -> result.topicId(topic.id())), refusal -> refuse(result, refusal));
        }
        return Futures.allOf(ended);
    }

    private static void requireOnce(boolean repeated) {
        if (repeated) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "the topic is in the request more than once");
        }
    }

    private static void requireRight(boolean allowed) {
        if (!allowed) {
            throw new RefusedException(ErrorCode.TOPIC_AUTHORIZATION_FAILED, "the topic may not be created");
        }
    }

    private int partitions(CreatableTopic wanted) {
        if (!wanted.assignments().isEmpty()) {
            return assignedPartitions(wanted);
        }
        Replication.require(parts, wanted.replicationFactor());
        if (wanted.numPartitions() < DEFAULT || wanted.numPartitions() == 0) {
            throw new RefusedException(
                    ErrorCode.INVALID_PARTITIONS, "the number of partitions must be 1 or more, or -1 for the default");
        }
        return wanted.numPartitions() == DEFAULT ? parts.config().defaultPartitions() : wanted.numPartitions();
    }

    private int assignedPartitions(CreatableTopic wanted) {
        if (wanted.replicationFactor() != DEFAULT || wanted.numPartitions() != DEFAULT) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST,
                    "with an assignment, replication factor and number of partitions must both be -1");
        }
        int replicas = wanted.assignments().get(0).brokerIds().length;
        BitSet assigned = new BitSet();
        for (CreatableReplicaAssignment assignment : wanted.assignments()) {
            Replication.requireAssignable(parts.nodes(), assignment.brokerIds());
            if (assignment.brokerIds().length != replicas) {
                throw badAssignment("each partition has as many replicas as the others");
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

    private static void refuse(CreatableTopicResult result, RefusedException refusal) {
        result.errorCode(refusal.code().code())
                .errorMessage(refusal.getMessage())
                .numPartitions(UNKNOWN)
                .replicationFactor((short) UNKNOWN)
                .topicConfigErrorCode(ErrorCode.NONE.code())
                .configs(List.of());
    }

    /**
     * The configs in an answer: one list for all topics with the same overrides. The configs of a topic take more than
     * a kilobyte, so the answer has those of its first topics only.
     *
     * <p>Owned by: the part of the request that is in progress.
     */
    private static final class ConfigLists {
        private static final int MOST_TOPICS = 10_000;

        private final LiveConfig live;
        private final Map<String, List<CreatableTopicConfigs>> lists = new HashMap<>();
        private int topics;

        ConfigLists(LiveConfig live) {
            this.live = live;
        }

        /** The number of configs in the answer. */
        long count() {
            return (long) topics * TopicConfigKey.values().length;
        }

        void add(CreatableTopicResult result, Map<String, String> overrides, TopicSettings settings) {
            if (topics == MOST_TOPICS) {
                result.topicConfigErrorCode(ErrorCode.POLICY_VIOLATION.code()).configs(null);
            } else {
                topics++;
                result.configs(lists.computeIfAbsent(MapText.of(overrides), any -> list(settings)));
            }
        }

        private List<CreatableTopicConfigs> list(TopicSettings settings) {
            List<CreatableTopicConfigs> configs = new ArrayList<>();
            for (TopicConfigKey key : TopicConfigKey.values()) {
                if (!key.isHidden() || settings.overrides().containsKey(key.key())) {
                    configs.add(new CreatableTopicConfigs()
                            .name(key.key())
                            .value(settings.value(key))
                            .configSource(source(settings, key).code()));
                }
            }
            return configs;
        }

        private ConfigSource source(TopicSettings settings, TopicConfigKey key) {
            if (settings.overrides().containsKey(key.key())) {
                return ConfigSource.TOPIC;
            }
            BrokerKey brokerKey = key.brokerKey();
            return brokerKey == null
                    ? ConfigSource.DEFAULT
                    : live.layers(brokerKey.key()).get(0).source();
        }
    }
}
