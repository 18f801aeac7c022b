package io.rivulet.prove.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits rising offsets of a group: none that was acknowledged is lost or goes back. */
final class CommitLoad extends Load {
    private static final Logger LOG = LoggerFactory.getLogger(CommitLoad.class);
    private static final TopicPartition PARTITION = new TopicPartition("committed", 0);

    private final Target target;
    private final List<String> found = new ArrayList<>();
    private long attempted;
    private long committed;

    CommitLoad(Target target) {
        super("commit-load", target.pauseNanos());
        this.target = target;
    }

    @Override
    protected void run() {
        try (KafkaConsumer<String, String> consumer = consumer()) {
            consumer.assign(List.of(PARTITION));
            while (!isStopped()) {
                commit(consumer);
                pause();
            }
        }
    }

    /** Without effect while the broker is not there. */
    private void commit(KafkaConsumer<String, String> consumer) {
        try {
            consumer.commitSync(Map.of(PARTITION, new OffsetAndMetadata(++attempted)));
            committed = attempted;
            acknowledged();
            if (attempted % 16 == 0) {
                check(consumer);
            }
        } catch (KafkaException e) {
            LOG.debug("not committed", e);
        }
    }

    private KafkaConsumer<String, String> consumer() {
        return Clients.consumer(target, Map.of("group.id", "g", "enable.auto.commit", false));
    }

    private void check(KafkaConsumer<String, String> consumer) {
        OffsetAndMetadata there = consumer.committed(Set.of(PARTITION)).get(PARTITION);
        String wrong = complaint(there == null ? -1 : there.offset(), committed, attempted);
        if (wrong != null) {
            found.add(wrong);
        }
    }

    static @Nullable String complaint(long there, long committed, long attempted) {
        return there >= committed && there <= attempted
                ? null
                : "the committed offset is " + there + "; acknowledged was " + committed + ", sent was " + attempted;
    }

    @Override
    protected List<String> violations(Target target) {
        try (KafkaConsumer<String, String> consumer = consumer()) {
            check(consumer);
        }
        return found;
    }
}
