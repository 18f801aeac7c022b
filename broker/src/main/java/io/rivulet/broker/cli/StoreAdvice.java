package io.rivulet.broker.cli;

import io.rivulet.broker.acl.Rules;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.dynamic.ResourceConfigs;
import io.rivulet.broker.group.GroupEntryLayout;
import io.rivulet.broker.producer.ProducerIds;
import io.rivulet.broker.producer.SequenceGate;
import io.rivulet.broker.sasl.ScramUsers;
import io.rivulet.broker.topic.CatalogueRebuild;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.store.View;
import io.rivulet.store.repair.RepairAdvice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a repair has to know about the broker: names of partitions, and what the loss of a view means. Owned by: one
 * command.
 */
final class StoreAdvice implements RepairAdvice {
    private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
    /** By the first queue of each range; empty until the first use. */
    private final NavigableMap<Integer, Partitions> partitions = new TreeMap<>();

    private record Partitions(String topic, int firstPartition, int count) {}

    @Override
    public String viewName(int viewId) {
        return switch (viewId) {
            case TopicCatalogue.VIEW_ID -> "the catalogue of topics";
            case ProducerIds.VIEW_ID -> "the limit of the producer ids";
            case GroupEntryLayout.VIEW_ID -> "consumer groups and committed offsets";
            case SequenceGate.VIEW_ID -> "the sequence numbers of producers";
            case Transactions.VIEW_ID -> "transactions";
            case ResourceConfigs.VIEW_ID -> "configs of brokers and groups";
            case Rules.VIEW_ID -> "rules of access";
            case ScramUsers.VIEW_ID -> "users that log in with SCRAM";
            case View.RETENTION_ID -> "the limits of retention";
            case View.HUGE_ID -> "which files have huge batches";
            default -> "view " + viewId;
        };
    }

    @Override
    public @Nullable String consequenceOfLosing(int viewId) {
        return switch (viewId) {
            case GroupEntryLayout.VIEW_ID ->
                "groups without a later commit have no offsets: their members start where auto.offset.reset says";
            case SequenceGate.VIEW_ID ->
                "a producer that has sent nothing since then, and repeats an older request now, gets its records stored"
                        + " twice";
            case Transactions.VIEW_ID ->
                "open transactions are lost; read_committed consumers get the records of transactions that were"
                        + " aborted before; transactional ids start anew";
            case ResourceConfigs.VIEW_ID ->
                "configs that were set for brokers, groups and client metrics are lost; those of topics are kept";
            case Rules.VIEW_ID ->
                "with an authorizer, only super users may do something until rules are created again; with"
                        + " allow.everyone.if.no.acl.found, every client may do everything until then";
            case ScramUsers.VIEW_ID -> "only the users of the configuration can log in with SCRAM";
            case View.RETENTION_ID -> "the broker writes them again when it starts";
            case View.HUGE_ID -> "each file in `huge` stays until the partition of its batch is deleted";
            default -> null;
        };
    }

    @Override
    public @Nullable ViewRebuild rebuild(int viewId) {
        return switch (viewId) {
            case TopicCatalogue.VIEW_ID -> new CatalogueRebuild();
            case ProducerIds.VIEW_ID -> ProducerIds.rebuild(System.currentTimeMillis());
            default -> null;
        };
    }

    @Override
    public void loadNames(int viewId, ReadableByteChannel snapshot) throws IOException {
        if (viewId == TopicCatalogue.VIEW_ID) {
            topics.load(snapshot);
        }
    }

    @Override
    public void applyName(int viewId, ByteBuffer entry) {
        if (viewId == TopicCatalogue.VIEW_ID) {
            topics.apply(0, entry);
        }
    }

    @Override
    public String queueName(int queueId) {
        Map.Entry<Integer, Partitions> range = partitions().floorEntry(queueId);
        if (range == null || queueId >= range.getKey() + range.getValue().count()) {
            return "queue " + queueId;
        }
        Partitions found = range.getValue();
        return found.topic() + "-" + (found.firstPartition() + queueId - range.getKey());
    }

    private NavigableMap<Integer, Partitions> partitions() {
        if (partitions.isEmpty()) {
            topics.forEach(topic -> {
                int[] before = {0};
                topic.forEachRange((first, count) -> {
                    partitions.put(first, new Partitions(topic.name(), before[0], count));
                    before[0] += count;
                });
            });
        }
        return partitions;
    }
}
