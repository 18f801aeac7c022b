package io.rivulet.broker.lag;

import io.rivulet.broker.group.OffsetWalk;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the lag of all groups, into a bounded number of series.
 *
 * <pre>
 * group    topic      what
 * g        t          one that had a series before; or while there is room, and g has less than a quarter of all
 * g        (other)    the other topics of g, while there is room
 * (other)  (other)    the rest
 * </pre>
 *
 * A group with a very long id, or with the name of the rest, belongs to the rest. What had a series and is gone makes
 * room in the next round. A partition counts if the group has committed an offset for it. An offset of a deleted topic
 * does not count.
 *
 * <p>Owned by: one thread at a time.
 */
final class LagRound implements OffsetWalk.Visitor<LagRound> {
    private static final int SHARE_OF_GROUP = 4;

    /** @param topic null for the other topics of the group */
    record Key(String group, @Nullable Uuid topic) {}

    private final Store store;
    private final TopicCatalogue topics;
    private final Map<Key, LagSeries> before;
    private final Map<String, Integer> topicsBefore = new HashMap<>();
    private final int mostOfGroup;
    private final Map<Key, LagSeries> series = new LinkedHashMap<>();
    private final LagSeries others = new LagSeries(LagSeries.OTHER, LagSeries.OTHER);
    private int room;
    private long visited;

    private String group = "";
    private boolean mayHaveSeries;
    private int topicsOfGroup;
    private @Nullable Uuid topicId;
    private @Nullable Topic topic;
    private LagSeries target = others;

    /**
     * @param before the series of the last round
     * @param limit the number of series besides the last one
     */
    LagRound(Store store, TopicCatalogue topics, Map<Key, LagSeries> before, int limit) {
        this.store = store;
        this.topics = topics;
        this.before = before;
        this.room = limit - before.size();
        this.mostOfGroup = Math.max(1, limit / SHARE_OF_GROUP);
        before.keySet().forEach(key -> {
            if (key.topic() != null) {
                topicsBefore.merge(key.group(), 1, Integer::sum);
            }
        });
    }

    // ---- the walk ----

    @Override
    public boolean group(String id, int members) {
        visited++;
        group = id;
        mayHaveSeries = id.length() <= LagSeries.MAX_GROUP_CHARS && !id.equals(LagSeries.OTHER);
        topicsOfGroup = topicsBefore.getOrDefault(id, 0);
        topicId = null;
        return true;
    }

    @Override
    public void offset(Uuid id, int partition, long offset) {
        visited++;
        if (!id.equals(topicId)) {
            topicId = id;
            topic = topics.find(id);
            target = topic == null || !mayHaveSeries ? others : series(id, topic);
        }
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
        if (queueId != Topic.NO_QUEUE && offset >= 0 && store.exists(queueId)) {
            target.add(queueId, offset, Math.max(0, store.endOffset(queueId) - offset));
        }
    }

    private LagSeries series(Uuid id, Topic of) {
        Key key = new Key(group, id);
        LagSeries known = series.get(key);
        if (known != null) {
            return known;
        }
        LagSeries earlier = before.get(key);
        if (earlier != null) {
            return added(key, earlier.topic());
        }
        if (room > 0 && topicsOfGroup < mostOfGroup) {
            room--;
            topicsOfGroup++;
            return added(key, of.name());
        }
        return otherTopics();
    }

    private LagSeries otherTopics() {
        Key key = new Key(group, null);
        LagSeries known = series.get(key);
        if (known != null) {
            return known;
        }
        if (before.containsKey(key)) {
            return added(key, LagSeries.OTHER);
        }
        if (room > 0) {
            room--;
            return added(key, LagSeries.OTHER);
        }
        return others;
    }

    private LagSeries added(Key key, String topicName) {
        LagSeries added = new LagSeries(key.group(), topicName);
        series.put(key, added);
        return added;
    }

    @Override
    public boolean goesOn() {
        return true;
    }

    @Override
    public LagRound result() {
        series.forEach((key, each) -> {
            LagSeries earlier = before.get(key);
            if (earlier != null) {
                each.reuseTimes(earlier);
            }
        });
        return this;
    }

    // ---- afterwards ----

    Map<Key, LagSeries> series() {
        return series;
    }

    /** The number of groups and offsets. */
    long visited() {
        return visited;
    }

    /** The partitions whose first record that is not consumed has an unknown time. */
    List<LagSeries.Late> unread() {
        List<LagSeries.Late> unread = new ArrayList<>();
        for (LagSeries each : series.values()) {
            for (LagSeries.Late late : each.late()) {
                if (late.millis == FirstTime.UNKNOWN) {
                    unread.add(late);
                }
            }
        }
        return unread;
    }

    Lags lags(long nowMillis) {
        List<LagSeries> all = new ArrayList<>(series.values());
        all.add(others);
        return new Lags(all, nowMillis);
    }
}
