package io.rivulet.broker.metrics;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.Topics;
import io.rivulet.protocol.message.ApiKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What counting costs: nanoseconds for one topic of a produce request, and for one call. Run by hand: {@code java -cp
 * ... io.rivulet.broker.metrics.TrafficBench}.
 */
public final class TrafficBench {
    private static final Logger LOG = LoggerFactory.getLogger(TrafficBench.class);
    private static final int ROUNDS = 20_000_000;

    private TrafficBench() {}

    public static void main(String[] arguments) throws InterruptedException {
        TopicCatalogue catalogue = new TopicCatalogue(BrokerConfig.of(Map.of()).topicDefaults());
        List<Topic> topics = new ArrayList<>();
        for (int number = 0; number < 4096; number++) {
            topics.add(Objects.requireNonNull(
                    catalogue.find(Topics.create(catalogue, "topic-" + number, number, number, 1))));
        }
        for (int threads = 1; threads <= 2; threads++) {
            for (int used : new int[] {1, 1000, 4096}) {
                TopicTraffic traffic = new TopicTraffic(1000);
                LOG.info(
                        "{} threads, {} topics: {} ns for the produce of a topic",
                        threads,
                        used,
                        time(threads, i -> traffic.produced(topics.get(i % used), 1, 100, 1, 0)));
            }
            RequestTimes times = new RequestTimes(System::nanoTime);
            LOG.info(
                    "{} threads: {} ns for a call, its two readings of the time included",
                    threads,
                    time(threads, i -> times.ended(ApiKey.PRODUCE, times.now())));
            LOG.info("{} threads: {} ns for two readings of the time", threads, time(threads, i -> {
                if (System.nanoTime() > System.nanoTime()) {
                    throw new IllegalStateException("time goes back");
                }
            }));
        }
    }

    private interface Work {
        void run(int i);
    }

    private static double time(int threads, Work work) throws InterruptedException {
        double best = Double.MAX_VALUE;
        for (int repeat = 0; repeat < 5; repeat++) {
            long start = System.nanoTime();
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        work.run(i);
                    }
                });
                thread.start();
                running.add(thread);
            }
            for (Thread thread : running) {
                thread.join();
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) ROUNDS);
        }
        return best;
    }
}
