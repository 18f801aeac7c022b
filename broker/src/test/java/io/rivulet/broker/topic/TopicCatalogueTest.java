package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TopicCatalogueTest {
    private final TopicCatalogue catalogue = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);

    private void apply(ByteBuffer entry) {
        catalogue.apply(0, entry);
    }

    private static Uuid id(int number) {
        return new Uuid(number * 0x9E3779B97F4A7C15L, number);
    }

    @Test
    void partitionsAreAdjacentQueues() {
        apply(TopicEntryLayout.created(id(1), "orders", 100, 1_000_000, Map.of()));

        Topic topic = Objects.requireNonNull(catalogue.find("orders"));

        assertThat(topic.queueId(0)).isEqualTo(100);
        assertThat(topic.queueId(999_999)).isEqualTo(1_000_099);
        assertThat(topic.queueId(1_000_000)).isEqualTo(Topic.NO_QUEUE);
        assertThat(topic.queueId(-1)).isEqualTo(Topic.NO_QUEUE);
    }

    @Test
    void addedPartitionsMayBeOtherQueues() {
        apply(TopicEntryLayout.created(id(1), "orders", 100, 2, Map.of()));
        apply(TopicEntryLayout.partitionsAdded(id(1), 2, 500, 3));
        apply(TopicEntryLayout.partitionsAdded(id(1), 5, 900, 1));

        Topic topic = Objects.requireNonNull(catalogue.find(id(1)));

        assertThat(topic.partitionCount()).isEqualTo(6);
        assertThat(new int[] {topic.queueId(1), topic.queueId(2), topic.queueId(4), topic.queueId(5)})
                .containsExactly(101, 500, 502, 900);
    }

    @Test
    void anEntryThatIsAppliedTwiceChangesNothing() {
        ByteBuffer[] entries = {
            TopicEntryLayout.created(id(1), "a", 0, 2, Map.of()),
            TopicEntryLayout.partitionsAdded(id(1), 2, 500, 3),
            TopicEntryLayout.configsSet(id(1), Map.of("retention.ms", "5")),
        };
        for (int round = 0; round < 2; round++) {
            for (ByteBuffer entry : entries) {
                apply(entry.duplicate());
            }
        }

        assertThat(catalogue.size()).isEqualTo(1);
        assertThat(catalogue.find("a"))
                .extracting(Topic::partitionCount, topic -> topic.settings().overrides())
                .containsExactly(5, Map.of("retention.ms", "5"));
    }

    @Test
    void aNameMayBeReused() {
        apply(TopicEntryLayout.created(id(1), "a", 0, 1, Map.of()));
        apply(TopicEntryLayout.deleted(id(1)));
        apply(TopicEntryLayout.created(id(2), "a", 1, 1, Map.of()));

        assertThat(catalogue.find(id(1))).isNull();
        assertThat(catalogue.find("a")).extracting(Topic::id).isEqualTo(id(2));
    }

    @Test
    void aSnapshotRestoresEverything() throws IOException {
        apply(TopicEntryLayout.clusterNamed("the-cluster"));
        apply(TopicEntryLayout.created(id(1), "a", 7, 2, Map.of("retention.ms", "5")));
        apply(TopicEntryLayout.partitionsAdded(id(1), 2, 500, 3));
        for (int i = 2; i < 3000; i++) {
            apply(TopicEntryLayout.created(id(i), "topic-" + i, 1000 + i, 1, Map.of()));
        }

        TopicCatalogue loaded = snapshotOf(catalogue);

        assertThat(loaded.clusterId()).isEqualTo("the-cluster");
        assertThat(loaded.size()).isEqualTo(2999);
        assertThat(loaded.find("a"))
                .extracting(
                        Topic::id,
                        Topic::partitionCount,
                        topic -> topic.queueId(4),
                        topic -> topic.settings().overrides())
                .containsExactly(id(1), 5, 502, Map.of("retention.ms", "5"));
        assertThat(loaded.find("topic-2999"))
                .extracting(topic -> topic.queueId(0))
                .isEqualTo(3999);
    }

    @Test
    void aSnapshotMayBeReadInPieces() throws IOException {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 2_000; i++) {
            many.put("key-" + i, "v".repeat(50));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        apply(TopicEntryLayout.created(id(1), "a", 7, 2, Map.of()));
        catalogue.snapshot().writeTo(Channels.newChannel(out));
        byte[] whole = out.toByteArray();
        byte[] large = largeSnapshot(many);
        List<Integer> lengths = new ArrayList<>();

        TopicSnapshot.read(pieces(whole, 3), entry -> lengths.add(entry.remaining()));
        TopicSnapshot.read(pieces(large, 50_000), entry -> lengths.add(entry.remaining()));

        assertThat(lengths).endsWith(large.length - 2 * Integer.BYTES).hasSize(3);
        assertThatThrownBy(() -> TopicSnapshot.read(pieces(Arrays.copyOf(whole, whole.length - 1), 9), entry -> {}))
                .isInstanceOf(EOFException.class);
    }

    /** One entry that is larger than a reader's buffer. */
    private static byte[] largeSnapshot(Map<String, String> configs) {
        ByteBuffer entry = TopicEntryLayout.created(id(2), "large", 9, 1, configs);
        return ByteBuffer.allocate(entry.remaining() + 2 * Integer.BYTES)
                .putInt(entry.remaining())
                .put(entry)
                .array();
    }

    private static ReadableByteChannel pieces(byte[] bytes, int atMost) {
        return Channels.newChannel(new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] target, int from, int length) {
                return super.read(target, from, Math.min(length, atMost));
            }
        });
    }

    private static TopicCatalogue snapshotOf(TopicCatalogue catalogue) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        catalogue.snapshot().writeTo(Channels.newChannel(out));
        TopicCatalogue loaded = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
        loaded.load(Channels.newChannel(new ByteArrayInputStream(out.toByteArray())));
        return loaded;
    }

    @Test
    void aNewTopicReplacesTheOneOfTheSameName() {
        apply(TopicEntryLayout.created(id(1), "a", 0, 1, Map.of()));
        apply(TopicEntryLayout.created(id(2), "a", 1, 1, Map.of()));

        assertThat(catalogue.find(id(1))).isNull();
        assertThat(catalogue.find("a")).extracting(Topic::id).isEqualTo(id(2));
        assertThat(catalogue.size()).isEqualTo(1);
    }

    @Test
    void namesWithTheSameHashAreDifferent() {
        apply(TopicEntryLayout.created(id(1), "Aa", 0, 1, Map.of()));
        apply(TopicEntryLayout.created(id(2), "BB", 1, 1, Map.of()));
        apply(TopicEntryLayout.deleted(id(1)));

        assertThat(catalogue.find("Aa")).isNull();
        assertThat(catalogue.find("BB")).extracting(Topic::name).isEqualTo("BB");
        assertThat(catalogue.find("AaAa")).isNull();
    }

    @Test
    void longNamesAreComplete() {
        for (int i = 1; i <= 1_000; i++) {
            apply(TopicEntryLayout.created(id(i), longName(i), i, 1, Map.of()));
        }

        for (int i = 1; i <= 1_000; i++) {
            assertThat(catalogue.find(longName(i))).extracting(Topic::id).isEqualTo(id(i));
            assertThat(catalogue.find(id(i))).extracting(Topic::name).isEqualTo(longName(i));
        }
    }

    private static String longName(int i) {
        return "n".repeat(245 - i % 50) + 1000 + i;
    }

    @Test
    void topicsThatDidNotChangeAreEqual() {
        apply(TopicEntryLayout.created(id(1), "a", 0, 1, Map.of()));
        Topic first = catalogue.find("a");
        assertThat(catalogue.find(id(1))).isEqualTo(first).hasSameHashCodeAs(first);

        apply(TopicEntryLayout.partitionsAdded(id(1), 1, 7, 1));
        Topic grown = catalogue.find("a");
        assertThat(grown).isNotEqualTo(first);

        apply(TopicEntryLayout.configsSet(id(1), Map.of("retention.ms", "5")));
        assertThat(catalogue.find("a")).isNotEqualTo(grown);
        assertThat(first).extracting(Topic::partitionCount).isEqualTo(1);
    }

    /** The expected state of a topic. */
    private record Expected(Uuid id, int partitions, Map<String, String> configs) {}

    @Test
    void isEqualToAMapAfterRandomChanges() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, Expected> model = new HashMap<>();
        for (int step = 1; step < 30_000; step++) {
            String name = "t" + random.nextInt(500);
            Expected there = model.get(name);
            Uuid id = id(step);
            int kind = random.nextInt(4);
            if (there == null) {
                apply(TopicEntryLayout.created(id, name, step, 1, Map.of()));
                model.put(name, new Expected(id, 1, Map.of()));
            } else if (kind == 0) {
                apply(TopicEntryLayout.partitionsAdded(there.id, there.partitions, 100_000 + step, 2));
                model.put(name, new Expected(there.id, there.partitions + 2, there.configs));
            } else if (kind == 1) {
                Map<String, String> configs = Map.of("retention.ms", String.valueOf(random.nextInt(5)));
                apply(TopicEntryLayout.configsSet(there.id, configs));
                model.put(name, new Expected(there.id, there.partitions, configs));
            } else {
                apply(TopicEntryLayout.deleted(there.id));
                model.remove(name);
            }
        }

        List<String> names = new ArrayList<>();
        catalogue.forEach(topic -> names.add(topic.name()));
        assertThat(names).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(model.keySet());
        SortedNames sorted = catalogue.sortedNames();
        assertThat(IntStream.range(0, sorted.count()).mapToObj(sorted::name))
                .as("seed %d", seed)
                .containsExactlyElementsOf(new TreeSet<>(model.keySet()));
        assertThat(catalogue.size()).isEqualTo(model.size());
        model.forEach((name, expected) -> {
            assertThat(catalogue.find(name))
                    .as("seed %d", seed)
                    .extracting(
                            Topic::id,
                            Topic::partitionCount,
                            topic -> topic.settings().overrides())
                    .containsExactly(expected.id, expected.partitions, expected.configs);
            assertThat(catalogue.find(expected.id)).extracting(Topic::name).isEqualTo(name);
        });
    }

    /**
     * A hundred topics stay and get more partitions. Others are created and deleted, so tables grow and rows are
     * rebuilt. Readers must find each of the hundred in a consistent state, and a walk must meet it once.
     */
    @Test
    void readersFindTopicsWhileOthersAreCreatedAndDeleted() throws Exception {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        for (int i = 1; i <= 100; i++) {
            apply(TopicEntryLayout.created(id(i), "stays-" + i, 10 * i, 1, Map.of()));
        }
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService readers = Executors.newFixedThreadPool(2);
        try {
            Future<?> finding = readers.submit(() -> findUntil(over, new Random(seed)));
            Future<?> walking = readers.submit(() -> walkUntil(over));
            changeAround(new Random(seed));
            over.set(true);
            finding.get();
            walking.get();
        } finally {
            over.set(true);
            readers.shutdownNow();
        }
    }

    private void changeAround(Random random) {
        for (int step = 101; step < 60_000; step++) {
            apply(TopicEntryLayout.created(id(step), "comes-" + step, 1000 + step, 1, Map.of()));
            if (step >= 101 + 1000) {
                apply(TopicEntryLayout.deleted(id(step - random.nextInt(1000))));
                apply(TopicEntryLayout.deleted(id(step - 1000)));
            }
            if (step % 500 == 0) {
                int grown = 1 + random.nextInt(100);
                int partitions =
                        Objects.requireNonNull(catalogue.find(id(grown))).partitionCount();
                apply(TopicEntryLayout.partitionsAdded(id(grown), partitions, 1_000_000 + step, 1));
            }
        }
    }

    private void findUntil(AtomicBoolean over, Random random) {
        while (!over.get()) {
            int number = 1 + random.nextInt(100);
            Topic byName = Objects.requireNonNull(catalogue.find("stays-" + number));
            Topic byId = Objects.requireNonNull(catalogue.find(id(number)));
            requireWhole(byName, number);
            requireWhole(byId, number);
            Topic gone = catalogue.find("comes-" + (101 + random.nextInt(60_000)));
            if (gone != null) {
                int step = gone.queueId(0) - 1000;
                if (!gone.name().equals("comes-" + step) || !gone.id().equals(id(step))) {
                    throw new AssertionError("half of one topic and half of another: " + gone.name());
                }
            }
        }
    }

    private static void requireWhole(Topic topic, int number) {
        int last = topic.queueId(topic.partitionCount() - 1);
        boolean whole = topic.name().equals("stays-" + number)
                && topic.id().equals(id(number))
                && topic.queueId(0) == 10 * number
                && last != Topic.NO_QUEUE;
        if (!whole) {
            throw new AssertionError(topic.name() + " instead of stays-" + number);
        }
    }

    private void walkUntil(AtomicBoolean over) {
        while (!over.get()) {
            Map<String, Integer> met = new HashMap<>();
            catalogue.forEach(topic -> met.merge(topic.name(), 1, Integer::sum));
            for (int i = 1; i <= 100; i++) {
                if (!Objects.equals(met.get("stays-" + i), 1)) {
                    throw new AssertionError("a walk met stays-" + i + ": " + met.get("stays-" + i));
                }
            }
        }
    }
}
