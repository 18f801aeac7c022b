package io.rivulet.broker.topic;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.protocol.wire.Uuid;
import java.util.Map;
import java.util.Objects;

/** A catalogue for tests of other rooms, filled without a store. */
public final class TestTopics {
    private final TopicCatalogue catalogue = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
    private int nextQueueId;
    private long nextId = 1;

    public TopicCatalogue catalogue() {
        return catalogue;
    }

    public Topic create(String name, int partitions) {
        Uuid id = new Uuid(nextId, nextId++);
        catalogue.apply(0, TopicEntryLayout.created(id, name, nextQueueId, partitions, Map.of()));
        nextQueueId += partitions;
        return topic(name);
    }

    public void grow(String name, int more) {
        Topic topic = topic(name);
        catalogue.apply(0, TopicEntryLayout.partitionsAdded(topic.id(), topic.partitionCount(), nextQueueId, more));
        nextQueueId += more;
    }

    public void delete(String name) {
        catalogue.apply(0, TopicEntryLayout.deleted(topic(name).id()));
    }

    public Topic topic(String name) {
        return Objects.requireNonNull(catalogue.find(name), name);
    }
}
