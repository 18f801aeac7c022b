package io.rivulet.broker;

import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.TopicAtStart;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.broker.topic.OrphanQueues;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The entries that a start appends to the log before the broker serves clients. On the thread that starts it. */
record Startup(Store store, TopicCatalogue topics, TopicAdmin admin, FailureLatch failures) {
    private static final long POLL_MILLIS = 100;

    /** Completes what a crash interrupted, and names the cluster at its first start. */
    void recover() throws IOException {
        if (topics.clusterId() == null) {
            await(admin.nameCluster());
        }
        await(OrphanQueues.delete(store, topics));
        await(admin.settleRetention());
    }

    /** Creates those of the topics that do not exist. */
    void createTopics(List<TopicAtStart> wanted) throws IOException {
        for (TopicAtStart topic : wanted) {
            if (topics.find(topic.name()) == null) {
                NewTopic created = new NewTopic(topic.name(), topic.partitions(), topic.configs());
                try {
                    topics.defaults().withOverrides(created.configs());
                    await(admin.findOrCreate(created));
                } catch (ConfigException | RefusedException e) {
                    throw new IOException("can't create the topic " + topic.name() + ": " + e.getMessage(), e);
                }
            }
        }
    }

    /** Ends when the broker has failed, too: the thread that should complete the stage may be the one that failed. */
    private void await(CompletionStage<?> stage) throws IOException {
        Future<?> result = stage.toCompletableFuture();
        try {
            while (!isDone(result)) {
                Throwable cause = failures.cause();
                if (cause != null && !isDone(result)) {
                    throw new IOException("the broker has failed while starting", cause);
                }
            }
            result.get();
        } catch (ExecutionException e) {
            throw new IOException("the store could not take the first entries of this start", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while starting", e);
        }
    }

    private static boolean isDone(Future<?> result) throws InterruptedException, ExecutionException {
        try {
            result.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
