package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.load.Frames;
import io.rivulet.bench.load.LoadShape;
import io.rivulet.bench.load.ProduceFrames;
import io.rivulet.bench.load.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Kafka's Produce requests, encoded in advance. Owned by: one thread, except {@link #close}. */
final class ProduceConnection extends PeerConnection {
    private static final String TOPIC = "load";
    private static final int TIMEOUT_SECONDS = 120;
    private static final int COUNTED_AT_ONCE = 100_000;

    private final int port;
    private final PeerShape shape;
    private final Frames frames;

    ProduceConnection(int port, PeerShape shape) throws IOException {
        super(port);
        this.port = port;
        this.shape = shape;
        int messages = shape.messagesPerRequest();
        boolean single = shape.queues() == 1;
        frames = ProduceFrames.of(TOPIC, new LoadShape(shape.queues(), single ? 1 : messages, single ? messages : 1));
    }

    @Override
    void create() throws BrokerFailedException {
        try (Admin admin = admin()) {
            Topics.create(admin, List.of(new NewTopic(TOPIC, shape.queues(), (short) 1)));
        }
    }

    private Admin admin() {
        return Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                "localhost:" + port,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                TIMEOUT_SECONDS * 1000,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                TIMEOUT_SECONDS * 1000));
    }

    @Override
    int messagesPerRequest() {
        return frames.messagesPerFrame();
    }

    @Override
    void encode(ByteBuffer out, long request) {
        int frame = (int) (request % frames.count());
        out.put(frames.slice(frame, frame + 1));
    }

    @Override
    void count(Answers counts) throws BrokerFailedException {
        try (Admin admin = admin()) {
            for (int first = 0; first < shape.queues(); first += COUNTED_AT_ONCE) {
                Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
                for (int queue = first; queue < Math.min(shape.queues(), first + COUNTED_AT_ONCE); queue++) {
                    wanted.put(new TopicPartition(TOPIC, queue), OffsetSpec.latest());
                }
                Map<TopicPartition, ListOffsetsResultInfo> ends =
                        admin.listOffsets(wanted).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                ends.forEach((partition, end) -> counts.answered(partition.partition(), end.offset()));
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new BrokerFailedException("no end offsets: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
    }

    @Override
    boolean next(ByteBuffer in, long number, Answers answers) throws BrokerFailedException {
        int start = in.position();
        if (in.remaining() < Integer.BYTES || in.remaining() < Integer.BYTES + in.getInt(start)) {
            return false;
        }
        frames.check().check(in, start);
        in.position(start + Integer.BYTES + in.getInt(start));
        answers.answered(number, 0);
        return true;
    }
}
