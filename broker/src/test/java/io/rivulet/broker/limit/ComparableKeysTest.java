package io.rivulet.broker.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.dynamic.Resource;
import io.rivulet.store.CompactionTerms;
import io.rivulet.store.RetentionLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Keys that clients choose with one hash. A map finds one of them without a look at all if they are ordered. */
final class ComparableKeysTest {
    private static final int PAIRS = 10;
    private static final int KEYS = 1 << PAIRS;

    @Test
    void resourcesWithOneHashAreInAnOrder() {
        List<Resource> keys = IntStream.range(0, KEYS)
                .mapToObj(i -> new Resource(Resource.GROUP, NamesWithOneHash.name(i, PAIRS)))
                .toList();

        assertThat(keys.stream().map(Resource::hashCode).distinct()).hasSize(1);
        assertThat(new TreeSet<>(keys)).hasSize(KEYS);
        assertThat(new Resource(Resource.TOPIC, "a")).isNotEqualByComparingTo(new Resource(Resource.GROUP, "a"));
        assertThat(new Resource(Resource.TOPIC, "a")).isEqualByComparingTo(new Resource(Resource.TOPIC, "a"));
    }

    @Test
    void limitsWithOneHashAreInAnOrder() {
        List<RetentionLimits> keys = LongStream.range(0, KEYS)
                .mapToObj(i -> new RetentionLimits((i << Integer.SIZE) | i, -1))
                .toList();
        CompactionTerms terms = new CompactionTerms(500, 1, 0, 1, 1);
        CompactionTerms others = new CompactionTerms(500, 1, 0, 1, 2);

        assertThat(keys.stream().map(RetentionLimits::hashCode).distinct()).hasSize(1);
        assertThat(new TreeSet<>(keys)).hasSize(KEYS);
        assertThat(new TreeSet<>(List.of(
                        new RetentionLimits(1, 1),
                        new RetentionLimits(1, 2),
                        new RetentionLimits(1, 1, terms),
                        new RetentionLimits(1, 1, others),
                        new RetentionLimits(1, 1, new CompactionTerms(500, 1, 0, 1, 1)))))
                .hasSize(4);
    }

    @Test
    void equalMapsHaveOneTextAndOthersHaveOthers() {
        Map<String, @Nullable String> ordered = new LinkedHashMap<>();
        ordered.put("a", "1");
        ordered.put("b", null);
        Map<String, @Nullable String> reversed = new LinkedHashMap<>();
        reversed.put("b", null);
        reversed.put("a", "1");
        assertThat(MapText.of(ordered)).isEqualTo(MapText.of(reversed));

        List<String> texts = new ArrayList<>();
        for (String key : List.of("", "a", "1:a", "a1:b", "-")) {
            for (String value : List.of("", "b", "1:b", "b1:a1:b", "-")) {
                texts.add(MapText.of(Map.of(key, value)));
            }
            Map<String, @Nullable String> none = new HashMap<>();
            none.put(key, null);
            texts.add(MapText.of(none));
        }
        texts.add(MapText.of(Map.of()));
        texts.add(MapText.of(Map.of("a", "b", "c", "d")));
        assertThat(texts).doesNotHaveDuplicates();
    }
}
