package io.rivulet.broker.topic;

import io.rivulet.protocol.wire.Uuid;
import java.util.Map;

/** Changes a catalogue as the log does, for tests. */
public final class Topics {
    private Topics() {}

    public static Uuid create(TopicCatalogue catalogue, String name, int number, int firstQueueId, int count) {
        Uuid id = new Uuid(number * 0x9E3779B97F4A7C15L, number);
        catalogue.apply(0, TopicEntryLayout.created(id, name, firstQueueId, count, Map.of()));
        return id;
    }

    public static void addPartitions(TopicCatalogue catalogue, Uuid id, int before, int firstQueueId, int count) {
        catalogue.apply(0, TopicEntryLayout.partitionsAdded(id, before, firstQueueId, count));
    }

    public static void delete(TopicCatalogue catalogue, Uuid id) {
        catalogue.apply(0, TopicEntryLayout.deleted(id));
    }
}
