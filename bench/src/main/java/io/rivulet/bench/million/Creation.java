package io.rivulet.bench.million;

import io.rivulet.bench.versus.BrokerFailedException;
import io.rivulet.bench.versus.RunningBroker;
import io.rivulet.bench.versus.Topics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/** Creates queues through Kafka's Admin client. Stateless. */
final class Creation {
    private static final int TOPICS_PER_REQUEST = 5_000;
    private static final int REQUESTS_ON_THEIR_WAY = 4;

    private Creation() {}

    /** Answers the seconds that it took. */
    static double run(RunningBroker broker, Layout layout, int queues)
            throws BrokerFailedException, InterruptedException {
        long startNanos = System.nanoTime();
        try (Admin admin = Admin.create(Topics.settings(broker))) {
            if (layout == Layout.ONE_TOPIC) {
                admin.createTopics(List.of(new NewTopic(layout.topic(0), queues, (short) 1)))
                        .all()
                        .get();
            } else {
                createTopics(admin, layout, queues);
            }
        } catch (ExecutionException e) {
            throw new BrokerFailedException("can't create " + queues + " queues: " + e.getMessage(), e);
        }
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private static void createTopics(Admin admin, Layout layout, int queues)
            throws ExecutionException, InterruptedException {
        Deque<KafkaFuture<Void>> onTheirWay = new ArrayDeque<>();
        for (int first = 0; first < queues; first += TOPICS_PER_REQUEST) {
            if (onTheirWay.size() == REQUESTS_ON_THEIR_WAY) {
                onTheirWay.remove().get();
            }
            List<NewTopic> topics = IntStream.range(first, Math.min(queues, first + TOPICS_PER_REQUEST))
                    .mapToObj(queue -> new NewTopic(layout.topic(queue), 1, (short) 1))
                    .toList();
            onTheirWay.add(admin.createTopics(topics).all());
        }
        for (KafkaFuture<Void> one : onTheirWay) {
            one.get();
        }
    }
}
