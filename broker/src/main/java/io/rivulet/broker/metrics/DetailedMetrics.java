package io.rivulet.broker.metrics;

import io.netty.buffer.ByteBuf;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.failure.OnDemandThreads;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Partitions of topics and offsets of groups whose names match an expression, one by one. Expressions are matched on a
 * thread of low priority that exists while it is needed. Time, number and size of answers are bounded.
 *
 * <p>Thread-safe.
 */
public final class DetailedMetrics implements AutoCloseable {
    private static final long KEEP_THREAD_SECONDS = 10;
    private static final int MAX_QUESTIONS = 16;

    /** Who asked. One of the methods is called once, on any thread, unless the broker closes. */
    public interface Asker {
        void answer(ByteBuf text);

        /** @param why what is wrong with the question */
        void refused(String why);

        /** The groups do not answer now. */
        void busy();

        void failed(RuntimeException failure);
    }

    /**
     * What is asked for.
     *
     * @param topic the expression for names of topics; null if they don't matter
     * @param group the same for groups
     * @param limit the largest number of partitions and offsets in the answer
     */
    public record Question(@Nullable String topic, @Nullable String group, int limit) {}

    private final Groups groups;
    private final Store store;
    private final TopicCatalogue topics;
    private final ThreadPoolExecutor thread;
    private final FailureLatch failures;
    private final AtomicInteger questions = new AtomicInteger();

    public DetailedMetrics(Groups groups, Store store, TopicCatalogue topics, FailureLatch failures) {
        this.groups = groups;
        this.store = store;
        this.topics = topics;
        this.failures = failures;
        this.thread = OnDemandThreads.background("metrics-search", KEEP_THREAD_SECONDS, failures);
    }

    /** Returns false if too many questions are under way. */
    public boolean ask(Question question, Asker asker) {
        if (questions.incrementAndGet() > MAX_QUESTIONS) {
            questions.decrementAndGet();
            return false;
        }
        DetailedSearch search = new DetailedSearch(question, store, topics);
        run(asker, () -> {
            search.findTopics();
            if (question.group() == null) {
                end(asker, search);
            } else {
                findGroups(search, asker);
            }
        });
        return true;
    }

    private void findGroups(DetailedSearch search, Asker asker) {
        boolean asked = groups.walk(null, new DetailedSearch.Ids(), ids -> {
            if (ids == null) {
                busy(asker);
            } else {
                run(asker, () -> {
                    search.findGroups(ids);
                    findOffsets(search, asker);
                });
            }
        });
        if (!asked) {
            busy(asker);
        }
    }

    private void findOffsets(DetailedSearch search, Asker asker) {
        boolean asked = groups.walk(search.groups(), search.offsets(), found -> {
            if (found == null) {
                busy(asker);
            } else {
                run(asker, () -> end(asker, search));
            }
        });
        if (!asked) {
            busy(asker);
        }
    }

    private void end(Asker asker, DetailedSearch search) {
        ByteBuf text = search.text();
        questions.decrementAndGet();
        asker.answer(text);
    }

    private void busy(Asker asker) {
        questions.decrementAndGet();
        asker.busy();
    }

    private void run(Asker asker, Runnable work) {
        try {
            thread.execute(failures.guarded(() -> {
                try {
                    work.run();
                } catch (RefusedException e) {
                    questions.decrementAndGet();
                    asker.refused(String.valueOf(e.getMessage()));
                } catch (RuntimeException e) {
                    questions.decrementAndGet();
                    asker.failed(e); // it has changed nothing
                }
            }));
        } catch (RejectedExecutionException e) {
            busy(asker); // the broker is closing
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
