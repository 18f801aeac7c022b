package io.rivulet.bench.hostile;

import io.rivulet.bench.lab.Wire;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataRequest.MetadataRequestTopic;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.Uuid;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Attacks with topics. Stateless. */
final class TopicAttacks {
    private static final short CREATE_VERSION = 7;
    private static final short DELETE_VERSION = 6;
    private static final int CREATIONS = 40;
    private static final int PARTITIONS = 1_900_000;
    private static final int TOPICS_WITH_CONFIGS = 300;
    private static final int SAME_TOPIC = 500_000;
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final String WIDE = "wide-";

    private TopicAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("pipelined creations of 1.9 million partitions", TopicAttacks::create),
                new Attack("topics with different settings", TopicAttacks::createWithConfigs),
                Attack.of("one topic named often", ApiKey.METADATA, 12, TopicAttacks::metadata));
    }

    private static void create(int port) throws IOException {
        try (Wire wire = new Wire(port)) {
            for (int i = 0; i < CREATIONS; i++) {
                wire.send(
                        ApiKey.CREATE_TOPICS,
                        CREATE_VERSION,
                        request(List.of(creation(WIDE + i, PARTITIONS, List.of()))));
            }
            for (int i = 0; i < CREATIONS; i++) {
                wire.receive(ApiKey.CREATE_TOPICS, CREATE_VERSION);
            }
        }
        delete(port, IntStream.range(0, CREATIONS).mapToObj(i -> WIDE + i).toList());
    }

    private static CreateTopicsRequest request(List<CreatableTopic> topics) {
        return new CreateTopicsRequest().timeoutMs(TIMEOUT_MILLIS).topics(topics);
    }

    private static CreatableTopic creation(String name, int partitions, List<CreatableTopicConfig> configs) {
        return new CreatableTopic()
                .name(name)
                .numPartitions(partitions)
                .replicationFactor((short) 1)
                .assignments(List.of())
                .configs(configs);
    }

    private static void delete(int port, List<String> names) throws IOException {
        try (Wire wire = new Wire(port)) {
            wire.call(
                    ApiKey.DELETE_TOPICS,
                    DELETE_VERSION,
                    new DeleteTopicsRequest()
                            .timeoutMs(TIMEOUT_MILLIS)
                            .topics(names.stream()
                                    .map(name ->
                                            new DeleteTopicState().name(name).topicId(Uuid.ZERO))
                                    .toList()));
        }
    }

    private static void createWithConfigs(int port) throws IOException {
        int salt = ThreadLocalRandom.current().nextInt(1 << 30);
        List<String> names = IntStream.range(0, TOPICS_WITH_CONFIGS)
                .mapToObj(i -> "configured-" + salt + "-" + i)
                .toList();
        List<CreatableTopic> topics = IntStream.range(0, TOPICS_WITH_CONFIGS)
                .mapToObj(i -> creation(
                        names.get(i),
                        1,
                        List.of(new CreatableTopicConfig()
                                .name("retention.ms")
                                .value(String.valueOf(1_000_000_000L + salt + i)))))
                .toList();
        try (Wire wire = new Wire(port)) {
            wire.call(ApiKey.CREATE_TOPICS, CREATE_VERSION, request(topics));
        }
        delete(port, names);
    }

    private static Message metadata() {
        return new MetadataRequest()
                .topics(Collections.nCopies(
                        SAME_TOPIC,
                        new MetadataRequestTopic().name(GoodClient.TOPIC).topicId(Uuid.ZERO)));
    }
}
