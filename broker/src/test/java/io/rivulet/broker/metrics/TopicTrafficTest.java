package io.rivulet.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.metrics.TopicTraffic.Collected;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.Topics;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Counters of topics, and what bounds them. */
final class TopicTrafficTest {
    private static final int MAX_TOPICS = 3;

    private final TopicCatalogue catalogue =
            new TopicCatalogue(BrokerConfig.of(Map.of()).topicDefaults());
    private final TopicTraffic traffic = new TopicTraffic(MAX_TOPICS);
    private final Set<Integer> deleted = new HashSet<>();

    private Topic topic(int number) {
        Uuid id = Topics.create(catalogue, "topic-" + number, number, 10 * number, 2);
        return Objects.requireNonNull(catalogue.find(id));
    }

    private Collected collect() {
        return traffic.collect(queueId -> !deleted.contains(queueId));
    }

    private static List<String> messagesIn(Collected collected) {
        return collected.series().stream()
                .map(series -> series.name() + " " + series.get(TopicSeries.MESSAGES_IN))
                .toList();
    }

    @Test
    void eachTopicHasItsOwnCounters() {
        Topic first = topic(1);
        Topic second = topic(2);
        traffic.produced(first, 5, 500, 2, 0);
        traffic.produced(second, 7, 700, 1, 1);
        traffic.produced(first, 1, 50, 1, 0);
        traffic.fetched(first, 900, 3, 1);

        Collected collected = collect();

        assertThat(messagesIn(collected)).containsExactlyInAnyOrder("topic-1 6", "topic-2 7", "(other) 0");
        assertThat(collected.totals()).containsExactly(13L, 1250L, 900L, 4L, 3L, 1L, 1L);
    }

    @Test
    void topicsBeyondTheLimitAreCountedTogether() {
        for (int number = 1; number <= 5; number++) {
            traffic.produced(topic(number), number, number, 1, 0);
        }
        traffic.produced(null, 0, 0, 1, 1);

        Collected collected = collect();

        assertThat(messagesIn(collected)).containsExactlyInAnyOrder("topic-1 1", "topic-2 2", "topic-3 3", "(other) 9");
        assertThat(collected.totals().get(TopicSeries.FAILED_PRODUCE_REQUESTS)).isOne();
    }

    @Test
    void aDeletedTopicLosesItsSeriesAndTotalsDoNotFall() {
        Topic lost = topic(1);
        traffic.produced(lost, 5, 500, 1, 0);
        traffic.produced(topic(2), 1, 1, 1, 0);
        collect();
        deleted.add(10);

        Collected after = collect();
        assertThat(messagesIn(after)).containsExactlyInAnyOrder("topic-2 1", "(other) 0");
        assertThat(after.totals().get(TopicSeries.MESSAGES_IN)).isEqualTo(6);
        assertThat(collect().totals().get(TopicSeries.MESSAGES_IN)).isEqualTo(6);
        assertThat(collect().totals().get(TopicSeries.BYTES_IN)).isEqualTo(501);
    }

    @Test
    void aDeletedTopicMakesRoomForAnother() {
        for (int number = 1; number <= MAX_TOPICS; number++) {
            traffic.produced(topic(number), 1, 1, 1, 0);
        }
        deleted.add(20);
        collect();
        traffic.produced(topic(4), 4, 4, 1, 0);

        assertThat(messagesIn(collect())).contains("topic-4 4").doesNotContain("topic-2 1");
    }

    /** Two threads at once, while topics get their first series and the table grows. */
    @Test
    void additionsOfSeveralThreadsAreNotLost() throws Exception {
        TopicTraffic shared = new TopicTraffic(500);
        List<Topic> topics = new ArrayList<>();
        for (int number = 1; number <= 1000; number++) {
            topics.add(topic(number));
        }
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread thread = new Thread(() -> {
                awaitUninterruptibly(start);
                for (int round = 0; round < 20; round++) {
                    topics.forEach(each -> shared.produced(each, 1, 2, 1, 0));
                }
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (int i = 0; i < 50; i++) {
            assertThat(shared.collect(queue -> true).totals().get(TopicSeries.MESSAGES_IN))
                    .isBetween(0L, 40_000L);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        Collected collected = shared.collect(queue -> true);
        assertThat(collected.totals().get(TopicSeries.MESSAGES_IN)).isEqualTo(40_000);
        assertThat(collected.series()).hasSize(501);
        assertThat(collected.series().subList(0, 500))
                .allSatisfy(series ->
                        assertThat(series.get(TopicSeries.MESSAGES_IN)).isEqualTo(40));
    }

    /** Two threads at once count the topic that takes the last series: both find it. */
    @Test
    void aTopicThatTakesTheLastSeriesIsNeverCountedWithTheOthers() throws Exception {
        int rounds = 20_000;
        Topic last = topic(1);
        List<TopicTraffic> tables = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            tables.add(new TopicTraffic(1));
        }
        // A thread waits for the other one without a lock: sleeping threads rarely start in the same moment.
        AtomicInteger arrived = new AtomicInteger();
        Runnable count = () -> {
            for (int round = 0; round < rounds; round++) {
                arrived.incrementAndGet();
                while (arrived.get() < 2 * (round + 1)) {
                    Thread.onSpinWait();
                }
                tables.get(round).produced(last, 1, 2, 1, 0);
            }
        };
        Thread other = new Thread(count);
        other.start();
        count.run();
        other.join();

        assertThat(tables)
                .allSatisfy(table ->
                        assertThat(messagesIn(table.collect(queue -> true))).containsExactly("topic-1 2", "(other) 0"));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
