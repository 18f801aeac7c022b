package io.rivulet.bench.load;

import io.rivulet.bench.lab.Await;
import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Creates and configures topics with Kafka's Admin client. Stateless. */
public final class Topics {
    /** Kafka's controller accepts no more in one request. */
    private static final int PARTITIONS_AT_ONCE = 5_000;

    private static final int FRAMES_TRIED = 200;
    private static final long BETWEEN_TRIES_MILLIS = 50;
    private static final int TIMEOUT_SECONDS = 120;
    private static final int TIMEOUT_MILLIS = TIMEOUT_SECONDS * 1000;

    private Topics() {}

    /** Creates a topic with a copy on each broker. Returns the seconds that it took. */
    public static double create(RunningBroker broker, String topic, int partitions) throws BrokerFailedException {
        long startNanos = System.nanoTime();
        int atOnce = broker.subject().isKafka() ? PARTITIONS_AT_ONCE : Integer.MAX_VALUE;
        try (Admin admin = Admin.create(settings(broker))) {
            short copies = (short) broker.subject().brokers();
            create(admin, List.of(new NewTopic(topic, Math.min(partitions, atOnce), copies)));
            for (int have = atOnce; have < partitions; have += atOnce) {
                NewPartitions more = NewPartitions.increaseTo(Math.min(partitions, have + atOnce));
                await(admin.createPartitions(Map.of(topic, more)).all(), "can't add partitions to " + topic);
            }
        }
        return (System.nanoTime() - startNanos) / 1e9;
    }

    public static void create(Admin admin, List<NewTopic> topics) throws BrokerFailedException {
        await(admin.createTopics(topics).all(), "can't create " + topics.size() + " topics");
    }

    /** Creates a topic of this shape. Returns requests for it when all of its partitions accept them. */
    public static Frames createReady(RunningBroker broker, String topic, LoadShape shape)
            throws IOException, BrokerFailedException {
        Frames frames = ProduceFrames.of(topic, shape);
        create(broker, topic, shape.partitions());
        awaitReady(broker, frames);
        return frames;
    }

    /** Waits until each partition can be written and read. Kafka needs some time after the creation. */
    public static void awaitEnds(RunningBroker broker, String topic, int partitions) throws BrokerFailedException {
        Map<TopicPartition, OffsetSpec> all = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            all.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        try (Admin admin = Admin.create(settings(broker))) {
            await(admin.listOffsets(all).all(), "the partitions of " + topic + " are not ready");
        }
    }

    /** Changes settings of a topic. */
    public static void configure(RunningBroker broker, String topic, Map<String, String> configs)
            throws BrokerFailedException {
        List<AlterConfigOp> changes = configs.entrySet().stream()
                .map(one -> new AlterConfigOp(new ConfigEntry(one.getKey(), one.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        Map<ConfigResource, Collection<AlterConfigOp>> all =
                Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes);
        try (Admin admin = Admin.create(settings(broker))) {
            await(admin.incrementalAlterConfigs(all).all(), "can't configure " + topic);
        }
    }

    /** @param failure begins the message of the exception */
    public static void await(KafkaFuture<?> answer, String failure) throws BrokerFailedException {
        try {
            Object unused = answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new BrokerFailedException(failure + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
    }

    /**
     * Sends each frame until it is answered without an error, because Kafka's partitions are ready some time after
     * their creation. Of very many frames, only the first and the last few hundred are sent.
     */
    public static void awaitReady(RunningBroker broker, Frames frames) throws IOException, BrokerFailedException {
        try (ByteChannel channel = broker.connect()) {
            Responses responses = frames.responses();
            for (int i = 0; i < frames.count(); i++) {
                boolean middle = i >= FRAMES_TRIED && i < frames.count() - FRAMES_TRIED;
                ByteBuffer frame = frames.slice(i, i + 1);
                Await.until(
                        () -> middle || isAccepted(channel, responses, frame.duplicate()),
                        TIMEOUT_SECONDS,
                        BETWEEN_TRIES_MILLIS,
                        () -> "partitions are not ready: " + broker.complaint());
            }
        }
    }

    private static boolean isAccepted(ByteChannel channel, Responses responses, ByteBuffer frame) throws IOException {
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
        try {
            responses.readSome(channel);
            return true;
        } catch (BrokerFailedException e) {
            responses.skip();
            return false;
        }
    }

    /** Settings of a client of this broker, with long timeouts. */
    public static Map<String, Object> settings(RunningBroker broker) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", "localhost:" + broker.port());
        settings.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        settings.put("request.timeout.ms", TIMEOUT_MILLIS);
        return settings;
    }
}
