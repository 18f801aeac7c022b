package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.environment.Environment;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start settles queues whose retention class is not that of their topic. */
class RetentionAtStartTest {
    private static final int OTHER_CLASS = 3;

    @TempDir
    Path directory;

    /** After a crash between the removal of a topic's settings and the change of its queues to the default class. */
    @Test
    void queuesOfAnotherClassAreSettledAlthoughNoTopicHasSettings() throws Exception {
        int queueId;
        TopicCatalogue before = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
        try (Store store = open(before)) {
            Topic topic = await(admin(store, before).findOrCreate(new NewTopic("orders", 3, Map.of())));
            queueId = topic.queueId(0);
            await(store.classQueues(queueId, topic.partitionCount(), OTHER_CLASS));
        }

        TopicCatalogue after = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
        try (Store store = open(after)) {
            assertThat(after.anyOverrides()).isFalse();
            assertThat(store.retentionClass(queueId)).isEqualTo(OTHER_CLASS);

            await(admin(store, after).settleRetention());
            assertThat(store.retentionClass(queueId)).isZero();
            assertThat(store.retentionClass(queueId + 2)).isZero();
        }
    }

    private Store open(TopicCatalogue catalogue) throws Exception {
        return LocalStore.open(
                StoreConfig.DEFAULT, StoreEnvironment.local(directory), Attachments.of(List.of(catalogue)));
    }

    private static TopicAdmin admin(Store store, TopicCatalogue catalogue) {
        return new TopicAdmin(
                store,
                catalogue,
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                (first, count) -> {},
                Environment.of(StoreClock.system(0), new FailureLatch()));
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get();
    }
}
