package io.rivulet.broker.lag;

import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lag of all groups, as of the last round. A round begins with a scrape, one at a time. It takes time linear in
 * the number of committed offsets. The pause after a round is many times as long, so that rounds take a few percent of
 * the coordinator thread at most, however many scrapes there are.
 *
 * <p>Thread-safe.
 */
public final class GroupLags {
    private static final int READS_IN_A_ROW = 64;
    private static final long PAUSE_NANOS_PER_OFFSET = 10_000;
    private static final long PAUSE_NANOS_PER_READ = 100_000;
    private static final int MAX_WAITING = 1000;

    private final Groups groups;
    private final Store store;
    private final TopicCatalogue topics;
    private final ReadPool readers;
    private final int limit;
    private final LongSupplier nanoClock;
    private volatile Lags last = Lags.NONE;
    /** Owned by: the round. */
    private Map<LagRound.Key, LagSeries> series = Map.of();

    // Under this:
    private boolean underWay;
    private boolean pauses;
    private long pauseEndNanos;
    private List<Runnable> waiting = new ArrayList<>();

    /** @param limit the number of pairs of group and topic with a series of their own */
    public GroupLags(
            Groups groups, Store store, TopicCatalogue topics, ReadPool readers, int limit, LongSupplier nanoClock) {
        this.groups = groups;
        this.store = store;
        this.topics = topics;
        this.readers = readers;
        this.limit = limit;
        this.nanoClock = nanoClock;
    }

    /** The result of the last round. */
    public Lags last() {
        return last;
    }

    /**
     * Begins a round, unless one is under way or the last one ended just now.
     *
     * @param done runs once, at the end of the round or at once, on any thread. It must be short, and not throw. While
     *     the broker closes, it may never run.
     */
    public void refresh(Runnable done) {
        boolean begins;
        boolean waits;
        synchronized (this) {
            pauses = pauses && nanoClock.getAsLong() - pauseEndNanos < 0;
            begins = !underWay && !pauses;
            waits = begins || (underWay && waiting.size() < MAX_WAITING);
            if (waits) {
                underWay = true;
                waiting.add(done);
            }
        }
        if (begins && !groups.walk(null, new LagRound(store, topics, series, limit), this::walked)) {
            end(null, 0);
        }
        if (!waits) {
            done.run();
        }
    }

    /** Coordinator thread. */
    private void walked(@Nullable LagRound round) {
        if (round == null) {
            end(null, 0);
        } else {
            readTimes(round, round.unread(), 0);
        }
    }

    private void readTimes(LagRound round, List<LagSeries.Late> unread, int from) {
        if (from >= unread.size()
                || !readers.read(
                        reader -> readSome(reader, round, unread, from), failure -> end(round, unread.size()))) {
            end(round, unread.size());
        }
    }

    /** Read thread. Some at a time, so that fetches run in between. */
    private void readSome(StoreReader reader, LagRound round, List<LagSeries.Late> unread, int from) {
        int to = Math.min(unread.size(), from + READS_IN_A_ROW);
        for (LagSeries.Late late : unread.subList(from, to)) {
            try {
                late.millis = FirstTime.read(reader, store, late.queueId, late.offset);
            } catch (IOException e) {
                late.millis = FirstTime.UNKNOWN; // a fetch that meets it logs the failure
            }
        }
        readTimes(round, unread, to);
    }

    private void end(@Nullable LagRound round, int reads) {
        long pauseNanos = reads * PAUSE_NANOS_PER_READ;
        if (round != null) {
            series = round.series();
            last = round.lags(System.currentTimeMillis());
            pauseNanos += round.visited() * PAUSE_NANOS_PER_OFFSET;
        }
        List<Runnable> toRun;
        synchronized (this) {
            underWay = false;
            pauses = true;
            pauseEndNanos = nanoClock.getAsLong() + pauseNanos;
            toRun = waiting;
            waiting = new ArrayList<>();
        }
        toRun.forEach(Runnable::run);
    }
}
