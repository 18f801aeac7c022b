package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NameSearchTest {
    private final TestTopics topics = new TestTopics();

    private NameSearch search(String part, String after, int most) {
        return topics.catalogue().search(part, after, most, null);
    }

    @Test
    void findsThePartAnywhereAndInAnyCase() {
        List.of("Orders", "reorder", "order.eu", "payments").forEach(name -> topics.create(name, 1));

        assertThat(search("order", "", 9).names()).containsExactly("Orders", "order.eu", "reorder");
        assertThat(search("ORDER.", "", 9).names()).containsExactly("order.eu");
        assertThat(search("orders1", "", 9).names()).isEmpty();
        assertThat(search("ü", "", 9).names()).isEmpty();
        assertThat(search("", "", 9).names()).hasSize(4);
    }

    @Test
    void pagesFollowOneAnotherAndEachCountsAll() {
        for (int i = 0; i < 250; i++) {
            topics.create("topic-" + 7 * i % 250, 1);
        }
        List<String> all = new ArrayList<>();
        String after = "";
        for (int page = 0; page < 3; page++) {
            NameSearch search = search("TOPIC", after, 100);
            assertThat(search.count()).isEqualTo(250);
            assertThat(search.hasMore()).isEqualTo(page < 2);
            all.addAll(search.names());
            after = all.get(all.size() - 1);
        }
        assertThat(all).isSorted().doesNotHaveDuplicates().hasSize(250);
        assertThat(search("", after, 100).names()).isEmpty();
    }

    @Test
    void deletedTopicsAreNotFound() {
        List.of("a", "b", "c").forEach(name -> topics.create(name, 1));
        topics.delete("b");

        NameSearch search = search("", "", 2);
        assertThat(search.count()).isEqualTo(2);
        assertThat(search.hasMore()).isFalse();
        assertThat(search.names()).containsExactly("a", "c");
    }

    @Test
    void namesThatAreNotSeenAreNeitherFoundNorCounted() {
        List.of("a.1", "b.1", "a.2", "b.2").forEach(name -> topics.create(name, 1));

        NameSearch search = topics.catalogue().search("2", "", 9, name -> name.startsWith("a"));
        assertThat(search.names()).containsExactly("a.2");
        assertThat(search.count()).isEqualTo(1);
    }
}
