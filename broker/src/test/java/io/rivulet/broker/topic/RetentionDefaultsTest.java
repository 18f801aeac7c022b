package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.environment.Environment;
import io.rivulet.store.Durability;
import io.rivulet.store.RetentionLimits;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of the defaults moves each topic to the retention class of its settings. */
class RetentionDefaultsTest {
    private static final String WEEK = "604800000";
    private static final TopicSettings SECOND = TopicSettings.ofBroker(Map.of("log.retention.ms", "1000"));

    @TempDir
    Path directory;

    private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
    private Store store;
    private TopicAdmin admin;

    @BeforeEach
    void open() throws Exception {
        StoreConfig config = StoreConfig.DEFAULT.withDurability(Durability.OS);
        store = LocalStore.open(config, StoreEnvironment.local(directory), Attachments.of(List.of(topics)));
        admin = new TopicAdmin(
                store,
                topics,
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                (first, count) -> {},
                Environment.of(StoreClock.system(0), new FailureLatch()));
        await(admin.settleRetention());
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void topicsWithTheirOwnLimitsKeepThem() throws Exception {
        create("plain", Map.of());
        create("week", Map.of("retention.ms", WEEK));
        create("second", Map.of("retention.ms", "1000"));
        create("sized", Map.of("retention.bytes", "5000"));
        assertThat(retentionClass("week")).isZero();

        topics.setDefaults(SECOND);
        await(admin.defaultsChanged(Runnable::run));

        assertThat(limits("plain").maxAgeMillis()).isEqualTo(1000);
        assertThat(limits("week").maxAgeMillis()).isEqualTo(Long.parseLong(WEEK));
        assertThat(limits("sized"))
                .isEqualTo(RetentionClasses.limits(topic("sized").settings()));
        assertThat(retentionClass("plain")).isZero();
        assertThat(retentionClass("second")).isZero();
        topics.setDefaults(TopicSettings.KAFKA_DEFAULTS);
        await(admin.defaultsChanged(Runnable::run));
        assertThat(retentionClass("week")).isZero();
        assertThat(limits("second").maxAgeMillis()).isEqualTo(1000);
    }

    @Test
    void aTopicWithTheOldLimitsLeavesTheClassBeforeItChanges() throws Exception {
        create("week", Map.of("retention.ms", WEEK));
        List<Integer> classes = new ArrayList<>();
        // The first walk is before the change of the class, the second one after it.
        Executor walks = walk -> {
            classes.add(retentionClass("week"));
            walk.run();
        };

        topics.setDefaults(SECOND);
        await(admin.defaultsChanged(walks));

        assertThat(classes).hasSize(2);
        assertThat(classes.get(0)).isZero();
        assertThat(classes.get(1)).isNotZero();
    }

    @Test
    void aTopicThatIsCreatedMeanwhileGetsTheNewLimits() throws Exception {
        create("own", Map.of("retention.bytes", "5000"));
        List<Topic> created = new ArrayList<>();
        Executor walks = walk -> {
            admin.findOrCreate(new NewTopic("meanwhile-" + created.size(), 1, Map.of()))
                    .thenAccept(created::add);
            walk.run();
        };

        topics.setDefaults(SECOND);
        await(admin.defaultsChanged(walks));
        create("afterwards", Map.of());

        for (Topic topic : created) {
            assertThat(limits(topic.name()).maxAgeMillis()).isEqualTo(1000);
        }
        assertThat(retentionClass("afterwards")).isZero();
    }

    private void create(String name, Map<String, String> configs) throws Exception {
        await(admin.findOrCreate(new NewTopic(name, 1, configs)));
    }

    private Topic topic(String name) {
        return Objects.requireNonNull(topics.find(name));
    }

    private int retentionClass(String name) {
        return store.retentionClass(topic(name).queueId(0));
    }

    private RetentionLimits limits(String name) {
        return Objects.requireNonNull(store.retention().get(retentionClass(name)));
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get();
    }
}
