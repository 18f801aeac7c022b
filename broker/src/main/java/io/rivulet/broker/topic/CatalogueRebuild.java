package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.environment.RandomIds;
import io.rivulet.store.View;
import io.rivulet.store.repair.RepairAdvice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Rebuilds the catalogue from the readable part of a damaged snapshot and from the log. The next start would delete
 * queues without a topic, so they become partitions of new topics, {@code recovered-N}, which keep all records for
 * ever.
 *
 * <p>Owned by: one repair.
 */
public final class CatalogueRebuild implements RepairAdvice.ViewRebuild {
    private static final Map<String, String> NO_RETENTION_LIMITS =
            Map.of("retention.ms", "-1", "retention.bytes", "-1");

    private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);

    @Override
    public void load(ReadableByteChannel beginning) throws IOException {
        topics.load(beginning);
    }

    @Override
    public void apply(long groupTimestamp, ByteBuffer entry) {
        topics.apply(groupTimestamp, entry);
    }

    @Override
    public View.Snapshot finish(int queueIdLimit, IntPredicate queueExists, Consumer<String> lines) {
        int found = topics.size();
        OrphanQueues.find(topics, queueIdLimit, queueIdLimit, queueExists)
                .forEach((first, count) -> create(first, count, lines));
        lines.accept("the catalogue of topics was damaged: " + found + " topics could be read, with their settings");
        return topics.snapshot();
    }

    private void create(int firstQueueId, int count, Consumer<String> lines) {
        String name = "recovered-" + firstQueueId;
        topics.apply(
                0,
                TopicEntryLayout.created(
                        TopicAdmin.randomId(RandomIds.OF_THE_MACHINE), name, firstQueueId, count, NO_RETENTION_LIMITS));
        lines.accept("the names of " + count + " partitions are lost: they are the partitions of the new topic " + name
                + " now, in the order of their creation, and keep all records for ever");
    }
}
