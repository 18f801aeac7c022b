package io.rivulet.broker.metrics;

import io.rivulet.broker.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What was written to topics and read from them. The first topics with traffic have a {@link TopicSeries} of their own.
 * When there are as many as allowed, all others share {@link TopicSeries#OTHER}. A deleted topic loses its series at
 * the next {@link #collect}, and makes room for another one. Totals never fall.
 *
 * <pre>
 * total = live series + other + removed at the last collect + removed earlier
 * </pre>
 *
 * A thread that has found a series may still add to it after its removal. So what is removed is added up one collect
 * later.
 *
 * <p>The key of a topic is the id of its first queue, which is never used again. An addition takes a lookup in an open
 * hash table and an atomic addition for each number. It allocates only the first time.
 *
 * <p>Thread-safe. The table is changed under {@code this}, and read without a lock.
 */
public final class TopicTraffic {
    private static final int SMALLEST_TABLE = 64;
    private static final int MIXER = 0x9E3779B9;

    private final int maxTopics;
    private final TopicSeries other = new TopicSeries(Topic.NO_QUEUE, TopicSeries.OTHER);
    /** Powers of two long, and at most half full. */
    private volatile AtomicReferenceArray<@Nullable TopicSeries> table = new AtomicReferenceArray<>(SMALLEST_TABLE);

    private volatile int topics;
    private List<TopicSeries> removed = List.of();
    private final long[] removedEarlier = new long[TopicSeries.COUNTERS];

    /** @param maxTopics the number of topics with a series of their own */
    public TopicTraffic(int maxTopics) {
        this.maxTopics = maxTopics;
    }

    // ---- event loops ----

    /**
     * The partitions of one topic in a produce request.
     *
     * @param topic null if it does not exist
     * @param messages the records that were stored
     * @param bytes the size of their batches, as sent
     * @param failed the number of partitions with an error
     */
    public void produced(@Nullable Topic topic, long messages, long bytes, int partitions, int failed) {
        TopicSeries series = find(topic);
        if (messages > 0) {
            series.add(TopicSeries.MESSAGES_IN, messages);
            series.add(TopicSeries.BYTES_IN, bytes);
        }
        series.add(TopicSeries.PRODUCE_REQUESTS, partitions);
        if (failed > 0) {
            series.add(TopicSeries.FAILED_PRODUCE_REQUESTS, failed);
        }
    }

    /**
     * The partitions of one topic in the answer to a fetch.
     *
     * @param topic null if it does not exist
     * @param bytes the size of the batches
     * @param failed the number of partitions with an error
     */
    public void fetched(@Nullable Topic topic, long bytes, int partitions, int failed) {
        TopicSeries series = find(topic);
        if (bytes > 0) {
            series.add(TopicSeries.BYTES_OUT, bytes);
        }
        series.add(TopicSeries.FETCH_REQUESTS, partitions);
        if (failed > 0) {
            series.add(TopicSeries.FAILED_FETCH_REQUESTS, failed);
        }
    }

    private TopicSeries find(@Nullable Topic topic) {
        if (topic == null) {
            return other;
        }
        int queueId = topic.queueId(0);
        // Read before the table: whoever sees that it is full also sees the series that filled it.
        boolean full = topics >= maxTopics;
        TopicSeries found = find(table, queueId);
        if (found == null) {
            found = full ? other : findOrAdd(queueId, topic);
        }
        return found;
    }

    private static @Nullable TopicSeries find(AtomicReferenceArray<@Nullable TopicSeries> in, int queueId) {
        int mask = in.length() - 1;
        for (int at = place(queueId, mask); ; at = at + 1 & mask) {
            TopicSeries series = in.getAcquire(at);
            if (series == null || series.firstQueueId() == queueId) {
                return series;
            }
        }
    }

    private static int place(int queueId, int mask) {
        int mixed = queueId * MIXER;
        return (mixed ^ mixed >>> 16) & mask;
    }

    private synchronized TopicSeries findOrAdd(int queueId, Topic topic) {
        TopicSeries found = find(table, queueId);
        if (found != null) {
            return found;
        }
        if (topics >= maxTopics) {
            return other;
        }
        TopicSeries added = new TopicSeries(queueId, topic.name());
        if (2 * (topics + 1) > table.length()) {
            table = copy(live(), 2 * table.length());
        }
        put(table, added);
        topics++;
        return added;
    }

    private static AtomicReferenceArray<@Nullable TopicSeries> copy(List<TopicSeries> from, int length) {
        AtomicReferenceArray<@Nullable TopicSeries> copy = new AtomicReferenceArray<>(length);
        from.forEach(series -> put(copy, series));
        return copy;
    }

    private static void put(AtomicReferenceArray<@Nullable TopicSeries> into, TopicSeries series) {
        int mask = into.length() - 1;
        int at = place(series.firstQueueId(), mask);
        while (into.getPlain(at) != null) {
            at = at + 1 & mask;
        }
        into.setRelease(at, series);
    }

    private List<TopicSeries> live() {
        List<TopicSeries> live = new ArrayList<>(topics + 1);
        for (int i = 0; i < table.length(); i++) {
            TopicSeries series = table.getPlain(i);
            if (series != null) {
                live.add(series);
            }
        }
        return live;
    }

    // ---- the scrape ----

    /**
     * What was counted so far.
     *
     * @param series one for each topic that exists, and the one for all others, which is the last
     * @param totals by the numbers of counters in {@link TopicSeries}
     */
    record Collected(List<TopicSeries> series, List<Long> totals) {}

    /** What all topics have received and sent so far. */
    public record Totals(long messagesIn, long bytesIn, long bytesOut) {
        public static final Totals NONE = new Totals(0, 0, 0);
    }

    /** @param exists whether a queue exists */
    public Totals totals(IntPredicate exists) {
        List<Long> sums = collect(exists).totals();
        return new Totals(
                sums.get(TopicSeries.MESSAGES_IN), sums.get(TopicSeries.BYTES_IN), sums.get(TopicSeries.BYTES_OUT));
    }

    /** @param exists whether a queue exists; a topic exists as long as its first queue */
    synchronized Collected collect(IntPredicate exists) {
        removed.forEach(series -> series.addTo(removedEarlier));
        removed = new ArrayList<>();
        List<TopicSeries> live = new ArrayList<>(topics + 1);
        for (TopicSeries series : live()) {
            (exists.test(series.firstQueueId()) ? live : removed).add(series);
        }
        if (!removed.isEmpty()) {
            table = copy(live, table.length());
            topics = live.size();
        }
        live.add(other);
        long[] totals = removedEarlier.clone();
        live.forEach(series -> series.addTo(totals));
        removed.forEach(series -> series.addTo(totals));
        List<Long> sums = new ArrayList<>(totals.length);
        for (long total : totals) {
            sums.add(total);
        }
        return new Collected(live, sums);
    }
}
