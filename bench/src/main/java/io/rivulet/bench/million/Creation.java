package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.load.Topics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/** Creates queues with Kafka's Admin client. Stateless. */
final class Creation {
    private static final int TOPICS_PER_REQUEST = 5_000;
    private static final int IN_FLIGHT = 4;
    private static final String FAILURE = "can't create the topics";

    private Creation() {}

    /** Returns the seconds that the creation took. */
    static double run(RunningBroker broker, Layout layout, int queues) throws BrokerFailedException {
        if (layout == Layout.ONE_TOPIC) {
            return Topics.create(broker, layout.topic(0), queues);
        }
        long startNanos = System.nanoTime();
        try (Admin admin = Admin.create(Topics.settings(broker))) {
            Deque<KafkaFuture<Void>> inFlight = new ArrayDeque<>();
            for (int first = 0; first < queues; first += TOPICS_PER_REQUEST) {
                if (inFlight.size() == IN_FLIGHT) {
                    Topics.await(inFlight.remove(), FAILURE);
                }
                List<NewTopic> topics = IntStream.range(first, Math.min(queues, first + TOPICS_PER_REQUEST))
                        .mapToObj(queue -> new NewTopic(layout.topic(queue), 1, (short) 1))
                        .toList();
                inFlight.add(admin.createTopics(topics).all());
            }
            for (KafkaFuture<Void> one : inFlight) {
                Topics.await(one, FAILURE);
            }
        }
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
