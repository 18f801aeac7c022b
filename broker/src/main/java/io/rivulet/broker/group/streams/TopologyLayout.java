package io.rivulet.broker.group.streams;

import io.rivulet.broker.group.base.Items;
import io.rivulet.broker.group.streams.Topology.Subtopology;
import io.rivulet.protocol.record.Varints;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Layout of a topology in the log. Lists have their length first, a varint; texts are as in {@link Items}.
 *
 * <pre>
 * topology:       epoch 4 | list of subtopologies
 * subtopology:    id text | sources: list of texts | changelogs: list of internal topics
 *                 | repartition sinks: list of texts | repartition sources: list of internal topics
 *                 | copartitioned: list of lists of texts
 * internal topic: name text | partitions 4 | replication factor 2 | configs: list of: key text, value text
 * </pre>
 *
 * <p>Crash policy: part of an entry, which is durable and checksummed.
 */
final class TopologyLayout {
    private static final int NUMBERS_BYTES = 16;

    private TopologyLayout() {}

    // ---- writing ----

    /** The most bytes that {@link #put} writes. */
    static int bytes(Topology topology) {
        int bytes = NUMBERS_BYTES;
        for (Subtopology part : topology.subtopologies().values()) {
            bytes += Items.textBytes(part.id())
                    + textsBytes(part.sources())
                    + internalTopicsBytes(part.changelogs())
                    + textsBytes(part.repartitionSinks())
                    + internalTopicsBytes(part.repartitionSources())
                    + Items.VARINT_BYTES;
            for (List<String> group : part.copartitioned()) {
                bytes += textsBytes(group);
            }
        }
        return bytes;
    }

    private static int textsBytes(Iterable<String> texts) {
        int bytes = Items.VARINT_BYTES;
        for (String text : texts) {
            bytes += Items.textBytes(text);
        }
        return bytes;
    }

    private static int internalTopicsBytes(List<InternalTopic> topics) {
        int bytes = Items.VARINT_BYTES;
        for (InternalTopic topic : topics) {
            bytes += NUMBERS_BYTES
                    + Items.textBytes(topic.name())
                    + textsBytes(topic.configs().keySet())
                    + textsBytes(topic.configs().values());
        }
        return bytes;
    }

    static void put(ByteBuffer out, Topology topology) {
        out.putInt(topology.epoch());
        Varints.putUnsigned(out, topology.subtopologies().size());
        for (Subtopology part : topology.subtopologies().values()) {
            Items.putText(out, part.id());
            putTexts(out, part.sources());
            putInternalTopics(out, part.changelogs());
            putTexts(out, part.repartitionSinks());
            putInternalTopics(out, part.repartitionSources());
            Varints.putUnsigned(out, part.copartitioned().size());
            part.copartitioned().forEach(group -> putTexts(out, group));
        }
    }

    private static void putTexts(ByteBuffer out, List<String> texts) {
        Varints.putUnsigned(out, texts.size());
        texts.forEach(text -> Items.putText(out, text));
    }

    private static void putInternalTopics(ByteBuffer out, List<InternalTopic> topics) {
        Varints.putUnsigned(out, topics.size());
        for (InternalTopic topic : topics) {
            Items.putText(out, topic.name());
            out.putInt(topic.partitions()).putShort(topic.replicationFactor());
            Varints.putUnsigned(out, topic.configs().size());
            topic.configs().forEach((key, value) -> {
                Items.putText(out, key);
                Items.putText(out, value);
            });
        }
    }

    // ---- reading ----

    static Topology take(ByteBuffer in) {
        int epoch = in.getInt();
        Map<String, Subtopology> parts = new TreeMap<>();
        for (Subtopology part : takeList(in, TopologyLayout::takeSubtopology)) {
            parts.put(part.id(), part);
        }
        return new Topology(epoch, parts);
    }

    private static Subtopology takeSubtopology(ByteBuffer in) {
        return new Subtopology(
                Items.takeText(in),
                takeTexts(in),
                takeList(in, TopologyLayout::takeInternalTopic),
                takeTexts(in),
                takeList(in, TopologyLayout::takeInternalTopic),
                takeList(in, TopologyLayout::takeTexts));
    }

    private static List<String> takeTexts(ByteBuffer in) {
        return takeList(in, Items::takeText);
    }

    private static InternalTopic takeInternalTopic(ByteBuffer in) {
        String name = Items.takeText(in);
        int partitions = in.getInt();
        short replicationFactor = in.getShort();
        Map<String, String> configs = new TreeMap<>();
        for (int left = Varints.takeUnsigned(in); left > 0; left--) {
            configs.put(Items.takeText(in), Items.takeText(in));
        }
        return new InternalTopic(name, partitions, replicationFactor, configs);
    }

    private static <T> List<T> takeList(ByteBuffer in, Function<ByteBuffer, T> take) {
        List<T> list = new ArrayList<>();
        for (int left = Varints.takeUnsigned(in); left > 0; left--) {
            list.add(take.apply(in));
        }
        return List.copyOf(list);
    }
}
