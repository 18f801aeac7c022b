package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.queue.QueueTable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A catalogue that is lost in part: each queue gets a topic, because the next start would delete it otherwise. */
final class CatalogueRebuildTest {
    private static final int QUEUES_PER_TOPIC = 3;

    private final QueueTable table = new QueueTable();
    private final List<String> lines = new ArrayList<>();

    private static byte[] snapshot(TopicCatalogue catalogue) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        catalogue.snapshot().writeTo(Channels.newChannel(out));
        return out.toByteArray();
    }

    private static TopicCatalogue catalogue(int topics) {
        TopicCatalogue catalogue = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
        for (int topic = 0; topic < topics; topic++) {
            catalogue.apply(
                    0,
                    TopicEntryLayout.created(
                            new Uuid(1, topic), "t" + topic, topic * QUEUES_PER_TOPIC, QUEUES_PER_TOPIC, Map.of()));
        }
        return catalogue;
    }

    private TopicCatalogue finish(CatalogueRebuild rebuild) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        rebuild.finish(table.idLimit(), table::exists, lines::add).writeTo(Channels.newChannel(out));
        TopicCatalogue made = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
        made.load(Channels.newChannel(new ByteArrayInputStream(out.toByteArray())));
        return made;
    }

    @Test
    void queuesOfALostTopicGetATopicThatKeepsThemForEver() throws Exception {
        table.createRange(0, 4 * QUEUES_PER_TOPIC, 0);
        byte[] whole = snapshot(catalogue(3));
        CatalogueRebuild rebuild = new CatalogueRebuild();
        byte[] beginning = Arrays.copyOf(whole, whole.length / 2);
        assertThatThrownBy(() -> rebuild.load(Channels.newChannel(new ByteArrayInputStream(beginning))))
                .isInstanceOf(IOException.class);
        rebuild.apply(
                0, TopicEntryLayout.created(new Uuid(1, 3), "t3", 3 * QUEUES_PER_TOPIC, QUEUES_PER_TOPIC, Map.of()));

        TopicCatalogue made = finish(rebuild);

        int found = 0;
        while (made.find("t" + found) != null) {
            found++;
        }
        assertThat(found).isBetween(1, 2);
        assertThat(made.find("t3")).isNotNull();
        Topic recovered = Objects.requireNonNull(made.find("recovered-" + found * QUEUES_PER_TOPIC));
        assertThat(recovered.partitionCount()).isEqualTo((3 - found) * QUEUES_PER_TOPIC);
        assertThat(recovered.settings().overrides()).containsEntry("retention.ms", "-1");
        assertThat(lines).anyMatch(line -> line.contains("recovered-"));
    }

    /** Found by {@code prove --check damage --seed 1096}: it could be listed, and not be used. */
    @Test
    void aTopicWhoseQueuesWereDeletedIsDropped() throws Exception {
        table.createRange(0, 2 * QUEUES_PER_TOPIC, 0);
        for (int queue = 0; queue < QUEUES_PER_TOPIC; queue++) {
            table.delete(queue);
        }
        CatalogueRebuild rebuild = new CatalogueRebuild();
        rebuild.load(Channels.newChannel(new ByteArrayInputStream(snapshot(catalogue(2)))));

        TopicCatalogue made = finish(rebuild);

        assertThat(made.find("t0")).isNull();
        assertThat(made.find("t1")).isNotNull();
        assertThat(lines).anyMatch(line -> line.contains("t0 has no partitions any more"));
    }

    @Test
    void aDeletedQueueGetsNoTopic() throws Exception {
        table.createRange(0, QUEUES_PER_TOPIC, 0);
        table.delete(1);

        TopicCatalogue made = finish(new CatalogueRebuild());

        assertThat(made.find("recovered-0")).isNotNull();
        assertThat(made.find("recovered-2")).isNotNull();
        assertThat(made.size()).isEqualTo(2);
    }
}
