package io.rivulet.broker.group;

import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.consumer.ConsumerContext;
import io.rivulet.broker.group.consumer.ConsumerContext.Search;
import io.rivulet.broker.regex.Regexes;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OnDemandThreads;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles the regular expressions of subscriptions and matches them with all topics, on a thread that exists only
 * while it is needed. Checks of new expressions run first. The search that has run for the shortest time runs next, for
 * one slice: so a small search never waits for a large one. Each group has at most one search, which ends with the
 * group.
 *
 * <p>The matches that all searches hold are bounded. A search that exceeds the bound starts again after the others; if
 * it is the only one, it ends without matches.
 *
 * <p>Thread-safe. The searches are owned by its thread.
 */
final class RegexMatching implements ConsumerContext.Matcher, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegexMatching.class);
    private static final String THREAD = "group-regexes";
    private static final long KEEP_THREAD_SECONDS = 10;
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** With more checks than that, clients must retry. */
    private static final int MAX_CHECKS = 1000;
    /** A topic and its slot in a list. */
    static final long BYTES_PER_MATCH = 72;

    private final TopicCatalogue topics;
    private final Consumer<Runnable> deliver;
    private final long maxHeld;
    private final FailureLatch failures;
    private final ExecutorService thread;
    private final LongSupplier nanos;
    private final AtomicInteger checks = new AtomicInteger();
    /** Ordered by running time, the shortest first. Owned by: its thread. */
    private final PriorityQueue<RegexSearch> searches =
            new PriorityQueue<>(Comparator.comparingLong(RegexSearch::nanos));
    /** Matches of all searches. Owned by: its thread. */
    private long held;

    /**
     * @param maxBytes approximate limit for the matches of all searches
     * @param deliver runs a task on the coordinator thread
     */
    RegexMatching(TopicCatalogue topics, long maxBytes, Consumer<Runnable> deliver, Environment environment) {
        this.failures = environment.failures();
        this.nanos = environment.clock()::nanos;
        this.topics = topics;
        this.maxHeld = maxBytes / BYTES_PER_MATCH;
        this.deliver = deliver;
        this.thread = environment
                .threads()
                .executor(THREAD, failures, () -> OnDemandThreads.background(THREAD, KEEP_THREAD_SECONDS, failures));
    }

    @Override
    public void check(String regex, Consumer<@Nullable RefusedException> checked) {
        if (checks.incrementAndGet() > MAX_CHECKS || thread.isShutdown()) {
            checks.decrementAndGet();
            checked.accept(new RefusedException(
                    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, "Too many regular expressions wait to be compiled."));
            return;
        }
        execute(() -> {
            RefusedException refusal = refusal(regex);
            deliver.accept(() -> {
                checks.decrementAndGet();
                checked.accept(refusal);
            });
        });
    }

    private static @Nullable RefusedException refusal(String regex) {
        try {
            Object unused = Regexes.compile("SubscribedTopicRegex", regex);
            return null;
        } catch (RefusedException e) {
            return e;
        }
    }

    @Override
    public void match(Search search) {
        execute(() -> {
            searches.add(new RegexSearch(search, topics));
            execute(this::slice);
        });
    }

    private void execute(Runnable work) {
        try {
            thread.execute(failures.guarded(work));
        } catch (RejectedExecutionException e) {
            LOG.debug("Ignored a regular expression, because the broker is closing");
        }
    }

    /** One such task is queued for each search, so other tasks run between slices. */
    private void slice() {
        RegexSearch search = searches.poll();
        if (search == null) {
            return;
        }
        long begin = nanos.getAsLong();
        long heldByOthers = held - search.held();
        boolean ended = false;
        boolean full = false;
        while (!ended && !full && nanos.getAsLong() - begin < SLICE_NANOS) {
            ended = search.step();
            full = heldByOthers + search.held() > maxHeld;
        }
        search.worked(nanos.getAsLong() - begin);
        if (full) {
            searches.removeIf(other -> !other.isWanted());
            heldByOthers = searches.stream().mapToLong(RegexSearch::held).sum();
        }
        if (!search.isWanted()) {
            held = heldByOthers;
        } else if (ended || (full && heldByOthers == 0)) {
            held = heldByOthers;
            deliver.accept(search.end(!full));
        } else {
            if (full) {
                search.restart();
            }
            held = heldByOthers + search.held();
            searches.add(search);
            execute(this::slice);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
