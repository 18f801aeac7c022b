package io.rivulet.broker.topic;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Pages of all topics, sorted by name. The names are sorted once for all pages and cached, four bytes each, while the
 * heap has room. A first page sees all topics. A later page may miss topics of the last ten seconds, so that pages stay
 * cheap while topics are created and deleted.
 *
 * <p>Thread-safe, guarded by its monitor.
 */
public final class TopicOrder {
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final TopicCatalogue topics;
    private final LongSupplier clockNanos;
    /** Cleared when the heap is full. */
    private SoftReference<@Nullable SortedNames> last = new SoftReference<>(null);

    private long lastChanges;
    private long lastNanos;

    public TopicOrder(TopicCatalogue topics, LongSupplier clockNanos) {
        this.topics = topics;
        this.clockNanos = clockNanos;
    }

    /** At most so many topics that are wanted, by name, from this name on. The empty name starts a first page. */
    public List<Topic> from(String name, int most, Predicate<Topic> isWanted) {
        SortedNames names = sorted(name.isEmpty());
        List<Topic> page = new ArrayList<>(most);
        for (int i = names.from(name); i < names.count() && page.size() < most; i++) {
            Topic topic = topics.find(names.name(i));
            if (topic != null && isWanted.test(topic)) {
                page.add(topic);
            }
        }
        return page;
    }

    private synchronized SortedNames sorted(boolean firstPage) {
        SortedNames there = last.get();
        if (there != null
                && (lastChanges == topics.changes()
                        || (!firstPage && clockNanos.getAsLong() - lastNanos < FRESH_NANOS))) {
            return there;
        }
        lastChanges = topics.changes();
        lastNanos = clockNanos.getAsLong();
        SortedNames sorted = topics.sortedNames();
        last = new SoftReference<>(sorted);
        return sorted;
    }
}
