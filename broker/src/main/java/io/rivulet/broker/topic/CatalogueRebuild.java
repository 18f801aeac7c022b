package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.environment.RandomIds;
import io.rivulet.store.View;
import io.rivulet.store.repair.RepairAdvice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Rebuilds the catalogue from the readable part of a damaged snapshot and from the log. The next start would delete
 * queues without a topic, so they become partitions of new topics, {@code recovered-N}, which keep all records for
 * ever. A topic without queues is dropped: it was deleted.
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
        dropDeleted(queueExists, lines);
        int found = topics.size();
        OrphanQueues.find(topics, queueIdLimit, queueIdLimit, queueExists)
                .forEach((first, count) -> create(first, count, lines));
        lines.accept("the catalogue of topics was damaged: " + found + " topics could be read, with their settings");
        return topics.snapshot();
    }

    /** The log may have lost the deletion of a topic that the queues have seen. */
    private void dropDeleted(IntPredicate queueExists, Consumer<String> lines) {
        List<Topic> deleted = new ArrayList<>();
        topics.forEach(topic -> {
            if (!hasQueue(topic, queueExists)) {
                deleted.add(topic);
            }
        });
        for (Topic topic : deleted) {
            topics.apply(0, TopicEntryLayout.deleted(topic.id()));
            lines.accept("the topic " + topic.name() + " has no partitions any more, and was dropped");
        }
    }

    private static boolean hasQueue(Topic topic, IntPredicate queueExists) {
        boolean[] found = {false};
        topic.forEachRange((first, count) ->
                found[0] |= IntStream.range(first, first + count).anyMatch(queueExists));
        return found[0];
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
