package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.environment.Environment;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.Durability;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unused settings and retention classes are forgotten, however many there were. */
final class TopicSettingsInUseTest {
    private static final int ROUNDS = 5_000;

    @TempDir
    private Path directory;

    private TopicCatalogue topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);

    @Test
    void unusedSettingsTakeNoMemory() {
        long before = topics.heapBytes();
        for (int i = 0; i < ROUNDS; i++) {
            Uuid id = new Uuid(7, i);
            apply(TopicEntryLayout.created(id, "t" + i, i, 1, Map.of("retention.ms", String.valueOf(i + 1))));
            apply(TopicEntryLayout.configsSet(id, Map.of("retention.bytes", String.valueOf(i + 1))));
            assertThat(topic("t" + i).settings().retentionBytes()).isEqualTo(i + 1);
            apply(TopicEntryLayout.deleted(id));
        }

        assertThat(topics.heapBytes()).isEqualTo(before);
    }

    @Test
    void topicsKeepTheirSettingsWhenOthersChange() {
        for (int i = 0; i < ROUNDS; i++) {
            apply(TopicEntryLayout.created(
                    new Uuid(7, i), "t" + i, i, 1, Map.of("retention.ms", String.valueOf(1 + i % 100))));
            if (i % 3 == 0) {
                apply(TopicEntryLayout.deleted(new Uuid(7, i)));
            }
        }

        for (int i = 0; i < ROUNDS; i++) {
            if (i % 3 != 0) {
                assertThat(topic("t" + i).settings().retentionMillis()).isEqualTo(1 + i % 100);
            }
        }
    }

    @Test
    void aConfigFromTheLogThatIsNoLongerAllowedIsKeptAndHasNoEffect() {
        Map<String, String> stored = Map.of(
                "retention.ms", "-7", "compression.type", "brotli", "no.such.config", "x", "retention.bytes", "5");
        apply(TopicEntryLayout.created(new Uuid(7, 7), "old", 0, 1, stored));

        TopicSettings settings = topic("old").settings();
        assertThat(settings.overrides()).isEqualTo(stored);
        assertThat(settings.retentionMillis()).isEqualTo(TopicSettings.KAFKA_DEFAULTS.retentionMillis());
        assertThat(settings.compression()).isNull();
        assertThat(settings.retentionBytes()).isEqualTo(5);
        assertThat(settings.value(TopicConfigKey.RETENTION_MS)).isEqualTo("-7");
    }

    @Test
    void moreRetentionClassesThanNumbersMayBeUsedOverTime() throws Exception {
        try (Store store = open()) {
            TopicAdmin admin = admin(store);
            for (int i = 0; i < ROUNDS; i++) {
                NewTopic wish = new NewTopic("t", 1, Map.of("retention.ms", String.valueOf(1_000_000 + i)));
                Topic topic = admin.findOrCreate(wish).toCompletableFuture().get();
                admin.delete(List.of(topic)).toCompletableFuture().get();
            }

            assertThat(admin.retentionClasses()).isLessThan(ROUNDS / 2);
            assertThat(store.retention().size()).isLessThan(ROUNDS / 2);
        }
        topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
        try (Store store = open()) {
            TopicAdmin admin = admin(store);
            admin.settleRetention().toCompletableFuture().get();
            assertThat(admin.retentionClasses()).isEqualTo(1);
        }
    }

    private static TopicAdmin admin(Store store, TopicCatalogue topics) {
        return new TopicAdmin(
                store,
                topics,
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                (first, count) -> {},
                Environment.of(StoreClock.system(0), new FailureLatch()));
    }

    private TopicAdmin admin(Store store) {
        return admin(store, topics);
    }

    private Store open() throws Exception {
        StoreConfig config = StoreConfig.DEFAULT.withDurability(Durability.OS);
        return LocalStore.open(config, StoreEnvironment.local(directory), Attachments.of(List.of(topics)));
    }

    private void apply(ByteBuffer entry) {
        topics.apply(0, entry);
    }

    private Topic topic(String name) {
        return Objects.requireNonNull(topics.find(name));
    }
}
