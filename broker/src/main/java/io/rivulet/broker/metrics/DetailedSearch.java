package io.rivulet.broker.metrics;

import com.google.re2j.Pattern;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.OffsetWalk;
import io.rivulet.broker.lag.LagSeries;
import io.rivulet.broker.metrics.DetailedMetrics.Question;
import io.rivulet.broker.regex.Regexes;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.TopicWalk;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one {@link Question}. Each step throws a {@link RefusedException} if the answer would be too large, or
 * takes too long.
 *
 * <p>Owned by: one thread at a time.
 */
final class DetailedSearch {
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int MOST_BYTES = 8 << 20;
    private static final int FIRST_BYTES = 64 << 10;

    private record FoundTopic(Topic topic, String name) {}

    private record FoundGroup(String id, int members) {}

    private record FoundOffset(String group, String topic, int partition, int queueId, long offset) {}

    private final Question question;
    private final Store store;
    private final TopicCatalogue catalogue;
    private final Map<Uuid, FoundTopic> topics = new HashMap<>();
    private final List<String> ids = new ArrayList<>();
    private final List<FoundGroup> groups = new ArrayList<>();
    private final List<FoundOffset> offsets = new ArrayList<>();
    private int found;
    private long searchNanos;

    DetailedSearch(Question question, Store store, TopicCatalogue catalogue) {
        this.question = question;
        this.store = store;
        this.catalogue = catalogue;
    }

    // ---- the thread of searches ----

    void findTopics() {
        String regex = question.topic();
        if (regex == null) {
            return;
        }
        Pattern pattern = Regexes.compile("topic", regex);
        long begin = System.nanoTime();
        for (TopicWalk walk = catalogue.walk(); walk.hasNext(); ) {
            Topic topic = walk.next();
            String name = topic == null ? "" : topic.name();
            if (topic != null && pattern.matches(name)) {
                require(topic.partitionCount());
                topics.put(topic.id(), new FoundTopic(topic, name));
            }
            checkTime(System.nanoTime() - begin);
        }
        searchNanos = System.nanoTime() - begin;
    }

    void findGroups(List<String> all) {
        Pattern pattern = Regexes.compile("group", String.valueOf(question.group()));
        long begin = System.nanoTime() - searchNanos;
        for (String id : all) {
            if (id.length() <= LagSeries.MAX_GROUP_CHARS && pattern.matches(id)) {
                require(1);
                ids.add(id);
            }
            checkTime(System.nanoTime() - begin);
        }
    }

    private void require(int more) {
        found += Math.min(more, question.limit() + 1);
        if (found > question.limit()) {
            throw tooMany();
        }
    }

    private RefusedException tooMany() {
        return refused("more than " + question.limit() + " topics, partitions, groups and offsets match: choose fewer,"
                + " or raise the limit");
    }

    private static void checkTime(long nanos) {
        if (nanos > MOST_NANOS) {
            throw refused("matching all names takes more than " + TimeUnit.NANOSECONDS.toSeconds(MOST_NANOS)
                    + " s: use a simpler expression");
        }
    }

    private static RefusedException refused(String why) {
        return new RefusedException(ErrorCode.INVALID_REQUEST, why);
    }

    List<String> groups() {
        return ids;
    }

    // ---- the coordinator thread ----

    /** Collects the ids of groups. */
    static final class Ids implements OffsetWalk.Visitor<List<String>> {
        private final List<String> ids = new ArrayList<>();

        @Override
        public boolean group(String id, int members) {
            ids.add(id);
            return false;
        }

        @Override
        public void offset(Uuid topic, int partition, long offset) {
            throw new IllegalStateException("not wanted");
        }

        @Override
        public boolean goesOn() {
            return true;
        }

        @Override
        public List<String> result() {
            return ids;
        }
    }

    OffsetWalk.Visitor<DetailedSearch> offsets() {
        return new Offsets();
    }

    private final class Offsets implements OffsetWalk.Visitor<DetailedSearch> {
        private String group = "";
        private @Nullable Uuid topicId;
        private @Nullable FoundTopic topic;

        @Override
        public boolean group(String id, int members) {
            group = id;
            groups.add(new FoundGroup(id, members));
            return true;
        }

        @Override
        public void offset(Uuid id, int partition, long offset) {
            if (!id.equals(topicId)) {
                topicId = id;
                topic = find(id);
            }
            int queueId = topic == null ? Topic.NO_QUEUE : topic.topic().queueId(partition);
            if (topic != null && queueId != Topic.NO_QUEUE && offset >= 0 && store.exists(queueId)) {
                found++;
                offsets.add(new FoundOffset(group, topic.name(), partition, queueId, offset));
            }
        }

        private @Nullable FoundTopic find(Uuid id) {
            if (question.topic() != null) {
                return topics.get(id);
            }
            Topic any = catalogue.find(id);
            return any == null ? null : new FoundTopic(any, any.name());
        }

        @Override
        public boolean goesOn() {
            return found <= question.limit();
        }

        @Override
        public DetailedSearch result() {
            return DetailedSearch.this;
        }
    }

    // ---- the thread of searches ----

    /** The caller releases it. */
    ByteBuf text() {
        if (found > question.limit()) {
            throw tooMany();
        }
        ByteBuf out = Unpooled.buffer(FIRST_BYTES);
        TextWriter text = new TextWriter(NameFamily.STRIMZI, out);
        if (question.topic() != null) {
            writeTopics(text, out);
        }
        if (question.group() != null) {
            writeGroups(text, out);
        }
        return out;
    }

    private void writeTopics(TextWriter text, ByteBuf out) {
        text.head(DetailedMetric.PARTITIONS);
        topics.values().forEach(each -> text.sample(each.topic().partitionCount(), "topic", each.name()));
        text.head(DetailedMetric.END_OFFSET);
        topics.values().forEach(each -> writePartitions(text, out, each, true));
        text.head(DetailedMetric.START_OFFSET);
        topics.values().forEach(each -> writePartitions(text, out, each, false));
    }

    private void writePartitions(TextWriter text, ByteBuf out, FoundTopic of, boolean ends) {
        for (int partition = 0; partition < of.topic().partitionCount(); partition++) {
            int queueId = of.topic().queueId(partition);
            if (store.exists(queueId)) {
                long offset = ends ? store.endOffset(queueId) : store.startOffset(queueId);
                text.sample(offset, "topic", of.name(), "partition", String.valueOf(partition));
            }
        }
        checkSize(out);
    }

    private void writeGroups(TextWriter text, ByteBuf out) {
        text.head(DetailedMetric.MEMBERS);
        for (FoundGroup each : groups) {
            text.sample(each.members(), "consumergroup", each.id());
            checkSize(out);
        }
        text.head(DetailedMetric.GROUP_OFFSET);
        for (FoundOffset each : offsets) {
            text.sample(each.offset(), labels(each));
            checkSize(out);
        }
        text.head(DetailedMetric.GROUP_LAG);
        for (FoundOffset each : offsets) {
            text.sample(Math.max(0, store.endOffset(each.queueId()) - each.offset()), labels(each));
            checkSize(out);
        }
    }

    private static String[] labels(FoundOffset of) {
        return new String[] {
            "consumergroup", of.group(), "topic", of.topic(), "partition", String.valueOf(of.partition())
        };
    }

    private static void checkSize(ByteBuf out) {
        if (out.readableBytes() > MOST_BYTES) {
            throw refused("the answer has more than " + (MOST_BYTES >> 20) + " MiB: choose fewer topics or groups");
        }
    }
}
