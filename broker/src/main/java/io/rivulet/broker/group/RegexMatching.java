package io.rivulet.broker.group;

import io.rivulet.broker.group.consumer.ConsumerSurroundings;
import io.rivulet.broker.group.consumer.Regexes;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Matches regular expressions of subscriptions with all topics, on a thread of its own that is there only when it is needed. Each group
 * has one request here at most.
 *
 * <p>Thread-safe.
 */
final class RegexMatching implements ConsumerSurroundings.Matcher, AutoCloseable {
    private static final long KEEP_THREAD_SECONDS = 10;

    private final TopicCatalogue topics;
    private final Consumer<Runnable> deliver;
    private final ThreadPoolExecutor thread;

    /** @param deliver takes to the thread that owns the groups */
    RegexMatching(TopicCatalogue topics, Consumer<Runnable> deliver) {
        this.topics = topics;
        this.deliver = deliver;
        this.thread = new ThreadPoolExecutor(
                1, 1, KEEP_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread worker = new Thread(work, "group-regexes");
                    worker.setDaemon(true);
                    return worker;
                });
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void match(Set<String> regexes, Consumer<Map<String, List<Topic>>> found) {
        if (!thread.isShutdown()) {
            thread.execute(() -> {
                Map<String, List<Topic>> matches = Regexes.match(regexes, topics);
                deliver.accept(() -> found.accept(matches));
            });
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
