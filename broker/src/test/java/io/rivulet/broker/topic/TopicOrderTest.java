package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class TopicOrderTest {
    private final TestTopics topics = new TestTopics();
    private final AtomicLong nanos = new AtomicLong();
    private final TopicOrder order = new TopicOrder(topics.catalogue(), nanos::get);

    @Test
    void pagesAreInTheOrderOfNames() {
        List.of("d", "a", "c", "b").forEach(name -> topics.create(name, 1));

        assertThat(names("", 3)).containsExactly("a", "b", "c");
        assertThat(names("c", 3)).containsExactly("c", "d");
        assertThat(names("cc", 3)).containsExactly("d");
        assertThat(names("e", 3)).isEmpty();
    }

    @Test
    void aFirstPageSeesAllTopics() {
        topics.create("b", 1);
        assertThat(names("", 9)).containsExactly("b");

        topics.create("a", 1);

        assertThat(names("", 9)).containsExactly("a", "b");
    }

    @Test
    void aLaterPageMayMissNewTopicsForTenSeconds() {
        topics.create("b", 1);
        assertThat(names("", 9)).containsExactly("b");
        topics.create("c", 1);

        assertThat(names("a", 9)).containsExactly("b");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        assertThat(names("a", 9)).containsExactly("b", "c");
    }

    @Test
    void deletedTopicsTakeNoPlaceInAPage() {
        List.of("a", "b", "c", "d").forEach(name -> topics.create(name, 1));
        assertThat(names("", 9)).hasSize(4);
        topics.delete("b");

        assertThat(names("a", 2)).containsExactly("a", "c");
    }

    private List<String> names(String from, int most) {
        return order.from(from, most, topic -> true).stream().map(Topic::name).toList();
    }
}
