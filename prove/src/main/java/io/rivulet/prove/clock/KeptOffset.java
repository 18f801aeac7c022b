package io.rivulet.prove.clock;

import io.rivulet.prove.load.Clients;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The offset of a group without members, which the broker keeps for a week after its commit. Immutable. */
public final class KeptOffset {
    public static final String DELETED_EARLY =
            "the offset of a group without members was deleted before its week was over";

    private static final String GROUP = "kept";

    private static final TopicPartition PARTITION = new TopicPartition("of-kept", 0);

    private final int port;

    public KeptOffset(int port) {
        this.port = port;
    }

    public void commit() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Clients.settings(port, Map.of()))) {
            admin.createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1)))
                    .all()
                    .get();
            admin.alterConsumerGroupOffsets(GROUP, Map.of(PARTITION, new OffsetAndMetadata(0)))
                    .all()
                    .get();
        }
    }

    public boolean isThere() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Clients.settings(port, Map.of()))) {
            return admin.listConsumerGroupOffsets(GROUP)
                            .partitionsToOffsetAndMetadata()
                            .get()
                            .get(PARTITION)
                    != null;
        }
    }
}
