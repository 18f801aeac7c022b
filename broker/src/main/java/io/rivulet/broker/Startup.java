package io.rivulet.broker;

import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.TopicAtStart;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.topic.NewTopic;
import io.rivulet.broker.topic.OrphanQueues;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Appends the entries of a start to the log, before the broker serves clients. Used by one thread at a time. */
record Startup(Store store, TopicCatalogue topics, TopicAdmin admin, Environment environment) {
    private static final long POLL_MILLIS = 100;

    /** Completes changes that a crash interrupted. The first start also gives the cluster its id. */
    void recover() throws IOException {
        if (topics.clusterId() == null) {
            await(admin.nameCluster());
        }
        await(OrphanQueues.delete(store, topics));
        await(admin.settleRetention());
    }

    /** Creates the topics that do not exist. */
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

    /**
     * Waits for the stage, or for a failure of the broker: the thread that should complete the stage may have failed.
     */
    private void await(CompletionStage<?> stage) throws IOException {
        CompletableFuture<?> result = stage.toCompletableFuture();
        try {
            Throwable cause = environment.failures().cause();
            while (!environment.threads().await(result, POLL_MILLIS)) {
                if (cause != null) {
                    throw new IOException("the broker failed while it started", cause);
                }
                cause = environment.failures().cause();
            }
            Object unused = result.get();
        } catch (ExecutionException e) {
            throw new IOException("the store refused the first entries of this start", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while starting", e);
        }
    }
}
