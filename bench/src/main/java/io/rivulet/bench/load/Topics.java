package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Subject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Creates topics through Kafka's own Admin client. Stateless. */
public final class Topics {
    /** Kafka's controller takes no more in one request. */
    private static final int PARTITIONS_AT_ONCE = 5_000;

    private static final int FRAMES_TRIED = 200;
    private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int TIMEOUT_MILLIS = 120_000;

    private Topics() {}

    /** Creates one topic, and returns the seconds that it took. */
    public static double create(RunningBroker broker, String topic, int partitions) throws BrokerFailedException {
        long startNanos = System.nanoTime();
        int atOnce = broker.subject() == Subject.KAFKA ? PARTITIONS_AT_ONCE : Integer.MAX_VALUE;
        try (Admin admin = Admin.create(settings(broker))) {
            create(admin, List.of(new NewTopic(topic, Math.min(partitions, atOnce), (short) 1)));
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

    /** Creates a topic of this shape, and returns requests for it when all of its partitions take them. */
    public static ProduceFrames createReady(RunningBroker broker, String topic, LoadShape shape)
            throws IOException, BrokerFailedException {
        ProduceFrames frames = ProduceFrames.of(topic, shape);
        double unused = create(broker, topic, shape.partitions());
        awaitReady(broker, frames);
        return frames;
    }

    /** Returns when each partition can be written and read: Kafka takes a while after the creation. */
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

    /** @param failure what did not work if this fails */
    public static void await(KafkaFuture<?> answer, String failure) throws BrokerFailedException {
        try {
            Object unused = answer.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new BrokerFailedException(failure + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
    }

    /**
     * Sends each frame until it is answered without an error: Kafka makes partitions ready some time after it has
     * created them. Of very many frames only the first and the last few hundred are sent.
     */
    public static void awaitReady(RunningBroker broker, ProduceFrames frames)
            throws IOException, BrokerFailedException {
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        try (SocketChannel channel = broker.connect()) {
            ProduceResponses responses = new ProduceResponses();
            for (int i = 0; i < frames.count(); i++) {
                boolean middle = i >= FRAMES_TRIED && i < frames.count() - FRAMES_TRIED;
                while (!middle && !taken(channel, responses, frames.slice(i, i + 1))) {
                    if (System.nanoTime() > untilNanos) {
                        throw new BrokerFailedException("partitions are not ready: " + broker.complaint());
                    }
                    LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
                }
            }
        }
    }

    private static boolean taken(SocketChannel channel, ProduceResponses responses, ByteBuffer frame)
            throws IOException {
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

    /** The settings of a client of this broker, whose own patience is not what is measured. */
    public static Map<String, Object> settings(RunningBroker broker) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", "localhost:" + broker.port());
        settings.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        settings.put("request.timeout.ms", TIMEOUT_MILLIS);
        return settings;
    }
}
