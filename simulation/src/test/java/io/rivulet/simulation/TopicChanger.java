package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.TOPICS_STAY;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreatePartitionsRequest;
import io.rivulet.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import io.rivulet.protocol.message.CreatePartitionsResponse;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.DeleteTopicsRequest;
import io.rivulet.protocol.message.DeleteTopicsResponse;
import io.rivulet.protocol.message.DescribeConfigsRequest;
import io.rivulet.protocol.message.DescribeConfigsRequest.DescribeConfigsResource;
import io.rivulet.protocol.message.DescribeConfigsResponse;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Creates, grows and deletes topics and changes a config of them, one request at a time. */
final class TopicChanger extends Client {
    /** A topic as it should be. */
    private record Made(int partitions, long retentionMillis) {}

    private static final String PREFIX = "made-";
    private static final int NAMES = 4;
    private static final int MOST_PARTITIONS = 6;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final byte TOPIC = 2;
    private static final String RETENTION = "retention.ms";
    private static final long DEFAULT_RETENTION = 7L * 24 * 60 * 60 * 1000;

    private final Map<String, Made> topics = new TreeMap<>();
    /** What the topics also may be, because a change has no answer. */
    private final List<Map<String, Made>> perhaps = new ArrayList<>();

    TopicChanger(World world, String name) {
        super(world, name);
    }

    @Override
    void connected() {}

    @Override
    void act(ClientConnection to) {
        if (to.inFlight() > 0 || !perhaps.isEmpty()) {
            return; // after a change without an answer it waits for the next verification
        }
        String topic = PREFIX + random.nextInt(NAMES);
        Made made = topics.get(topic);
        if (made == null) {
            create(to, topic, new Made(1 + random.nextInt(3), DEFAULT_RETENTION));
        } else {
            switch (random.nextInt(3)) {
                case 0 -> delete(to, topic);
                case 1 -> configure(to, topic, new Made(made.partitions, 1_000_000_000L + random.nextInt(1_000)));
                default -> {
                    if (made.partitions < MOST_PARTITIONS) {
                        grow(to, topic, new Made(made.partitions + 1, made.retentionMillis));
                    }
                }
            }
        }
    }

    private void create(ClientConnection to, String topic, Made wanted) {
        perhaps(topic, wanted);
        to.ask(
                ApiKey.CREATE_TOPICS,
                5,
                new CreateTopicsRequest()
                        .timeoutMs(TIMEOUT_MILLIS)
                        .topics(List.of(new CreatableTopic()
                                .name(topic)
                                .numPartitions(wanted.partitions)
                                .replicationFactor((short) 1))),
                CreateTopicsResponse.class,
                answer -> {
                    if (answer != null) {
                        changed(topic, wanted, answer.topics().get(0).errorCode());
                    }
                });
    }

    private void grow(ClientConnection to, String topic, Made wanted) {
        perhaps(topic, wanted);
        to.ask(
                ApiKey.CREATE_PARTITIONS,
                2,
                new CreatePartitionsRequest()
                        .timeoutMs(TIMEOUT_MILLIS)
                        .topics(List.of(new CreatePartitionsTopic()
                                .name(topic)
                                .count(wanted.partitions)
                                .assignments(null))),
                CreatePartitionsResponse.class,
                answer -> {
                    if (answer != null) {
                        changed(topic, wanted, answer.results().get(0).errorCode());
                    }
                });
    }

    private void delete(ClientConnection to, String topic) {
        perhaps(topic, null);
        to.ask(
                ApiKey.DELETE_TOPICS,
                5,
                new DeleteTopicsRequest().timeoutMs(TIMEOUT_MILLIS).topicNames(List.of(topic)),
                DeleteTopicsResponse.class,
                answer -> {
                    if (answer != null) {
                        changed(topic, null, answer.responses().get(0).errorCode());
                    }
                });
    }

    private void configure(ClientConnection to, String topic, Made wanted) {
        perhaps(topic, wanted);
        to.ask(
                ApiKey.INCREMENTAL_ALTER_CONFIGS,
                1,
                new IncrementalAlterConfigsRequest()
                        .resources(List.of(new AlterConfigsResource()
                                .resourceType(TOPIC)
                                .resourceName(topic)
                                .configs(List.of(new AlterableConfig()
                                        .name(RETENTION)
                                        .value(String.valueOf(wanted.retentionMillis)))))),
                IncrementalAlterConfigsResponse.class,
                answer -> {
                    if (answer != null) {
                        changed(topic, wanted, answer.responses().get(0).errorCode());
                    }
                });
    }

    private void perhaps(String topic, @Nullable Made wanted) {
        perhaps.add(with(topic, wanted));
    }

    private Map<String, Made> with(String topic, @Nullable Made wanted) {
        Map<String, Made> changed = new TreeMap<>(topics);
        if (wanted == null) {
            changed.remove(topic);
        } else {
            changed.put(topic, wanted);
        }
        return changed;
    }

    private void changed(String topic, @Nullable Made wanted, short error) {
        TOPICS_STAY.require(error == 0, "%s: error %s of a change to %s", topic, error, wanted);
        perhaps.clear();
        Map<String, Made> now = with(topic, wanted);
        topics.clear();
        topics.putAll(now);
    }

    @Override
    public void verify(Asking asking) {
        Map<String, Made> found = new TreeMap<>();
        MetadataResponse all =
                asking.ask(ApiKey.METADATA, 8, new MetadataRequest().topics(null), MetadataResponse.class);
        all.topics().forEach(topic -> {
            String there = String.valueOf(topic.name());
            if (there.startsWith(PREFIX)) {
                found.put(there, new Made(topic.partitions().size(), retention(asking, there)));
            }
        });
        TOPICS_STAY.require(
                found.equals(topics) || perhaps.contains(found),
                "the topics are %s, not %s or one of %s",
                found,
                topics,
                perhaps);
        perhaps.clear();
        topics.clear();
        topics.putAll(found);
    }

    private static long retention(Asking asking, String topic) {
        DescribeConfigsResponse answer = asking.ask(
                ApiKey.DESCRIBE_CONFIGS,
                4,
                new DescribeConfigsRequest()
                        .resources(List.of(new DescribeConfigsResource()
                                .resourceType(TOPIC)
                                .resourceName(topic)
                                .configurationKeys(List.of(RETENTION)))),
                DescribeConfigsResponse.class);
        TOPICS_STAY.require(answer.results().get(0).errorCode() == 0, "%s: error of its configs", topic);
        return Long.parseLong(
                String.valueOf(answer.results().get(0).configs().get(0).value()));
    }
}
