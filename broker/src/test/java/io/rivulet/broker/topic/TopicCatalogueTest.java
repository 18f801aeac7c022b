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
    void partitionsAreQueuesInARow() {
        apply(TopicEntryLayout.created(id(1), "orders", 100, 1_000_000, Map.of()));

        Topic topic = Objects.requireNonNull(catalogue.find("orders"));

        assertThat(topic.queueId(0)).isEqualTo(100);
        assertThat(topic.queueId(999_999)).isEqualTo(1_000_099);
        assertThat(topic.queueId(1_000_000)).isEqualTo(Topic.NO_QUEUE);
        assertThat(topic.queueId(-1)).isEqualTo(Topic.NO_QUEUE);
    }

    @Test
    void addedPartitionsMayLieElsewhere() {
        apply(TopicEntryLayout.created(id(1), "orders", 100, 2, Map.of()));
        apply(TopicEntryLayout.partitionsAdded(id(1), 2, 500, 3));
        apply(TopicEntryLayout.partitionsAdded(id(1), 5, 900, 1));

        Topic topic = Objects.requireNonNull(catalogue.find(id(1)));

        assertThat(topic.partitionCount()).isEqualTo(6);
        assertThat(new int[] {topic.queueId(1), topic.queueId(2), topic.queueId(4), topic.queueId(5)})
                .containsExactly(101, 500, 502, 900);
    }

    @Test
    void entriesThatAreAppliedTwiceChangeNothing() {
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
    void aNameMayBeUsedAgain() {
        apply(TopicEntryLayout.created(id(1), "a", 0, 1, Map.of()));
        apply(TopicEntryLayout.deleted(id(1)));
        apply(TopicEntryLayout.created(id(2), "a", 1, 1, Map.of()));

        assertThat(catalogue.find(id(1))).isNull();
        assertThat(catalogue.find("a")).extracting(Topic::id).isEqualTo(id(2));
    }

    @Test
    void aSnapshotBringsEverythingBack() throws IOException {
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
    void aSnapshotMayBeReadInPiecesAndEndsWhereItEnds() throws IOException {
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
    void agreesWithAMapWhateverComesAndGoes() {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        Map<String, Uuid> model = new HashMap<>();
        for (int step = 1; step < 20_000; step++) {
            String name = "t" + random.nextInt(500);
            Uuid there = model.get(name);
            if (there == null) {
                apply(TopicEntryLayout.created(id(step), name, step, 1, Map.of()));
                model.put(name, id(step));
            } else if (random.nextBoolean()) {
                apply(TopicEntryLayout.deleted(there));
                model.remove(name);
            }
        }

        TreeSet<String> names = new TreeSet<>();
        catalogue.forEach(topic -> names.add(topic.name()));
        assertThat(names).as("seed %d", seed).isEqualTo(new TreeSet<>(model.keySet()));
        assertThat(catalogue.size()).isEqualTo(model.size());
        model.forEach((name, id) -> {
            assertThat(catalogue.find(name)).extracting(Topic::id).isEqualTo(id);
            assertThat(catalogue.find(id)).extracting(Topic::name).isEqualTo(name);
        });
    }
}
