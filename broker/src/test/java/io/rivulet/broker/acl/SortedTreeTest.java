package io.rivulet.broker.acl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compared with Java's own map. */
final class SortedTreeTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private record Bits(long bits) implements SortedTree.Value {}

    @Test
    void itHasWhatAMapHas() {
        Map<String, Bits> map = new TreeMap<>();
        SortedTree<Bits> tree = null;
        for (int i = 0; i < 20_000; i++) {
            String key = key();
            if (random.nextInt(5) < 2 && map.containsKey(key)) {
                map.remove(key);
                tree = SortedTree.without(Objects.requireNonNull(tree), key);
            } else {
                Bits value = new Bits(1L << random.nextInt(64));
                map.put(key, value);
                tree = SortedTree.with(tree, key, value);
            }
            if (i % 100 == 0) {
                assertSame(tree, map);
            }
        }
        for (String key : List.copyOf(map.keySet())) {
            map.remove(key);
            tree = SortedTree.without(Objects.requireNonNull(tree), key);
        }
        assertThat(tree).as("seed %d", seed).isNull();
    }

    private void assertSame(@Nullable SortedTree<Bits> tree, Map<String, Bits> map) {
        assertThat(SortedTree.size(tree)).as("seed %d", seed).isEqualTo(map.size());
        assertThat(SortedTree.bits(tree))
                .isEqualTo(map.values().stream().mapToLong(Bits::bits).reduce(0, (a, b) -> a | b));
        assertThat(SortedTree.height(tree)).isLessThanOrEqualTo(height(map.size()));
        assertThat(keys(tree, ~0L)).containsExactlyElementsOf(map.keySet());
        long bits = 1L << random.nextInt(64);
        assertThat(keys(tree, bits))
                .containsExactlyElementsOf(map.keySet().stream()
                        .filter(key -> (Objects.requireNonNull(map.get(key)).bits & bits) != 0)
                        .toList());
        String text = key() + key();
        assertThat(prefixes(tree, text))
                .as("seed %d: prefixes of %s", seed, text)
                .containsExactlyElementsOf(
                        map.keySet().stream().filter(text::startsWith).toList());
        assertThat(SortedTree.get(tree, text)).isEqualTo(map.get(text));
    }

    /** Few letters, so that keys begin with others. */
    private String key() {
        StringBuilder key = new StringBuilder();
        for (int left = 1 + random.nextInt(8); left > 0; left--) {
            key.append((char) ('a' + random.nextInt(3)));
        }
        return key.toString();
    }

    private static List<String> keys(@Nullable SortedTree<Bits> tree, long bits) {
        List<String> keys = new ArrayList<>();
        SortedTree.forEach(tree, bits, (key, value) -> keys.add(key));
        return keys;
    }

    private static List<String> prefixes(@Nullable SortedTree<Bits> tree, String text) {
        List<String> found = new ArrayList<>();
        SortedTree.forEachPrefix(tree, text, (key, value) -> found.add(key));
        return found;
    }

    /** A weight of at most three quarters on each side. */
    private static int height(int size) {
        return (int) Math.ceil(Math.log(size + 1.0) / Math.log(4.0 / 3)) + 1;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keysInOrderDoNotMakeItHigh(boolean upwards) {
        SortedTree<Bits> tree = null;
        for (int i = 0; i < 100_000; i++) {
            String key = String.format("%06d", upwards ? i : 100_000 - i);
            tree = SortedTree.with(tree, key, new Bits(1));
        }

        assertThat(SortedTree.height(tree)).isLessThanOrEqualTo(24);
    }

    /** Names of 30,000 characters: a, aa, aaa and so on. Each is a prefix of the next one. */
    @Test
    void aChainOfPrefixesIsFoundInOnePass() {
        String longest = "a".repeat(30_000);
        SortedTree<Bits> tree = null;
        for (int length = 1; length <= longest.length(); length++) {
            tree = SortedTree.with(tree, longest.substring(0, length), new Bits(1));
        }
        int[] found = {0};

        SortedTree.forEachPrefix(tree, longest + "b", (key, value) -> {
            found[0]++;
            return true;
        });

        assertThat(found[0]).isEqualTo(longest.length());
        assertThat(prefixes(tree, "b" + longest)).isEmpty();
    }

    @Test
    void anOlderTreeDoesNotChange() {
        SortedTree<Bits> one = SortedTree.with(null, "a", new Bits(1));
        SortedTree<Bits> two = SortedTree.with(one, "b", new Bits(2));
        SortedTree<Bits> without = SortedTree.without(two, "a");

        assertThat(keys(one, ~0L)).containsExactly("a");
        assertThat(keys(two, ~0L)).containsExactly("a", "b");
        assertThat(keys(without, ~0L)).containsExactly("b");
    }
}
