package io.rivulet.broker.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.environment.Environment;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.store.Durability;
import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Creations in progress count, failed and deleted topics do not, and concurrent creations can't exceed a limit. */
final class TopicLimitsTest {
    private static final int MAX_QUEUES = 100;
    private static final int STEPS = 2_000;
    private static final int NAMES = 12;

    @TempDir
    private Path directory;

    private TopicCatalogue topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);

    @Test
    void creationsInProgressCount() throws Exception {
        try (Store store = open()) {
            TopicAdmin admin = admin(store, Long.MAX_VALUE);
            List<CompletableFuture<Topic>> creations = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                creations.addAll(admin.create(List.of(wish("t" + i, 60, Map.of()))));
            }
            awaitAll(creations);

            assertThat(creations.stream().filter(one -> !one.isCompletedExceptionally()))
                    .hasSize(1);
            assertThat(store.liveQueues()).isEqualTo(60);
            assertThat(admin.queuesInProgress()).isZero();
        }
    }

    @Test
    void topicsOfOneRequestCountTogether() throws Exception {
        try (Store store = open()) {
            TopicAdmin admin = admin(store, Long.MAX_VALUE);
            List<CompletableFuture<Topic>> creations = admin.create(List.of(
                    wish("a", 60, Map.of()),
                    wish("b", 60, Map.of()),
                    wish("c", 40, Map.of()),
                    wish("c", 1, Map.of()),
                    wish("d", 1, Map.of("retention.ms", "5"))));
            awaitAll(creations);

            assertThat(creations.stream().map(CompletableFuture::isCompletedExceptionally))
                    .containsExactly(false, true, false, true, true);
            assertThat(admin.queuesInProgress()).isZero();
        }
    }

    /** Creations run concurrently, with a crash in between. */
    @Test
    void concurrentCreationsLeakNothing() throws Exception {
        long seed = Long.getLong("rivulet.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int life = 0; life < 3; life++) {
            topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
            try (Store store = open()) {
                TopicAdmin admin = admin(store, Long.MAX_VALUE);
                List<CompletableFuture<?>> underWay = new ArrayList<>();
                for (int step = 0; step < STEPS; step++) {
                    act(admin, random, underWay);
                    assertThat(store.liveQueues()).as("seed %d", seed).isLessThanOrEqualTo(MAX_QUEUES);
                    if (random.nextInt(20) == 0) {
                        awaitAll(underWay);
                        underWay.clear();
                    }
                }
                awaitAll(underWay);
                store.deleteQueues(0, 1).toCompletableFuture().get(); // all deletions end before this one
                assertThat(admin.queuesInProgress()).as("seed %d", seed).isZero();
                assertThat(store.liveQueues()).as("seed %d", seed).isEqualTo(partitions());
            }
        }
    }

    private void act(TopicAdmin admin, Random random, List<CompletableFuture<?>> underWay) {
        String name = "t" + random.nextInt(NAMES);
        int count = 1 + random.nextInt(40);
        Topic topic = topics.find(name);
        try {
            switch (random.nextInt(5)) {
                case 0 -> underWay.addAll(admin.create(List.of(wish(name, count, Map.of()), wish("x", 3, Map.of()))));
                case 1 ->
                    underWay.add(admin.findOrCreate(wish(name, count, Map.of("retention.ms", String.valueOf(count))))
                            .toCompletableFuture());
                case 2 -> {
                    if (topic != null) {
                        underWay.add(admin.delete(List.of(topic)).toCompletableFuture());
                    }
                }
                case 3 -> {
                    if (topic != null) {
                        underWay.add(admin.addPartitions(topic, topic.partitionCount() + count)
                                .toCompletableFuture());
                    }
                }
                default -> {
                    if (topic != null) {
                        underWay.add(admin.setConfigs(topic, Map.of("retention.bytes", String.valueOf(count)))
                                .toCompletableFuture());
                    }
                }
            }
        } catch (RefusedException e) {
            assertThat(e.code())
                    .isIn(
                            ErrorCode.INVALID_PARTITIONS,
                            ErrorCode.TOPIC_ALREADY_EXISTS,
                            ErrorCode.REQUEST_TIMED_OUT,
                            ErrorCode.POLICY_VIOLATION);
        }
    }

    private int partitions() {
        int[] partitions = {0};
        // Queue 0 is deleted at the end.
        topics.forEach(topic -> topic.forEachRange((first, count) -> partitions[0] += first == 0 ? count - 1 : count));
        return partitions[0];
    }

    @Test
    void namesConfigsAndQueuesCountTogetherInBytes() throws Exception {
        try (Store store = open()) {
            TopicAdmin admin = admin(store, 250_000);
            assertThatThrownBy(() -> admin.findOrCreate(wish("many", 10_000, Map.of())))
                    .isInstanceOf(RefusedException.class);
            int created = 0;
            RefusedException refusal = null;
            while (refusal == null) {
                try {
                    NewTopic wish = wish("n".repeat(200) + created, 1, Map.of("retention.ms", "1" + created));
                    admin.findOrCreate(wish).toCompletableFuture().get();
                    created++;
                } catch (RefusedException e) {
                    refusal = e;
                }
            }

            assertThat(created).isBetween(1, MAX_QUEUES);
            assertThat(refusal.code()).isEqualTo(ErrorCode.POLICY_VIOLATION);
        }
    }

    /** Together, the configs are larger than an entry of the log may be. */
    @Test
    void manyTopicsWithLongConfigsAreCreatedTogether() throws Exception {
        List<String> keys = List.of(
                "file.delete.delay.ms",
                "flush.messages",
                "flush.ms",
                "index.interval.bytes",
                "local.retention.bytes",
                "local.retention.ms",
                "segment.bytes",
                "segment.index.bytes",
                "segment.jitter.ms",
                "segment.ms");
        Map<String, String> configs = new HashMap<>();
        keys.forEach(key -> configs.put(key, "0".repeat(1000) + "100000000"));
        int count = 500;
        try (Store store = open()) {
            TopicAdmin admin = admin(store, count, Long.MAX_VALUE);
            List<NewTopic> wishes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                wishes.add(wish("t" + i, 1, configs));
            }
            List<CompletableFuture<Topic>> creations = admin.create(wishes);
            awaitAll(creations);

            assertThat(creations).noneMatch(CompletableFuture::isCompletedExceptionally);
            assertThat(store.liveQueues()).isEqualTo(count);
        }
    }

    @Test
    void aRefusedEntryLeavesNoQueues() throws Exception {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        try (Store store = open()) {
            TopicAdmin admin = admin(refusing(refused, Outcome.DISK_FULL, store), Long.MAX_VALUE);
            Topic topic = admin.findOrCreate(wish("a", 5, Map.of()))
                    .toCompletableFuture()
                    .get();
            refused.add("appendState");
            awaitAll(admin.create(List.of(wish("b", 20, Map.of()), wish("c", 10, Map.of()))));
            awaitAll(List.of(admin.addPartitions(topic, 15).toCompletableFuture()));
            awaitChanges(store);
            assertThat(store.liveQueues()).isEqualTo(5);

            // And if their deletion is refused, too, until a change succeeds.
            refused.add("deleteQueues");
            awaitAll(admin.create(List.of(wish("b", 20, Map.of()))));
            assertThat(store.liveQueues()).isEqualTo(25);
            refused.clear();
            awaitAll(admin.create(List.of(wish("d", 1, Map.of()))));
            awaitChanges(store);
            assertThat(store.liveQueues()).isEqualTo(6);
        }
    }

    @Test
    void queuesOfADeletedTopicAreDeletedLaterIfThatIsRefused() throws Exception {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        try (Store store = open()) {
            TopicAdmin admin = admin(refusing(refused, Outcome.DISK_FULL, store), Long.MAX_VALUE);
            Topic topic = admin.findOrCreate(wish("a", 5, Map.of()))
                    .toCompletableFuture()
                    .get();
            refused.add("deleteQueues");
            awaitAll(List.of(admin.delete(List.of(topic)).toCompletableFuture()));
            refused.clear();
            awaitAll(admin.create(List.of(wish("d", 1, Map.of()))));
            awaitChanges(store);
            assertThat(store.liveQueues()).isEqualTo(1);
        }
    }

    @Test
    void queuesWhoseDeletionWasRefusedTakeNoRoomForEver() throws Exception {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        try (Store store = open()) {
            TopicAdmin admin = admin(refusing(refused, Outcome.DISK_FULL, store), Long.MAX_VALUE);
            refused.addAll(Set.of("appendState", "deleteQueues"));
            awaitAll(admin.create(List.of(wish("b", MAX_QUEUES, Map.of()))));
            assertThat(store.liveQueues()).isEqualTo(MAX_QUEUES);
            refused.clear();

            awaitAll(admin.create(List.of(wish("c", 1, Map.of()))));
            awaitChanges(store);
            List<CompletableFuture<Topic>> again = admin.create(List.of(wish("c", 1, Map.of())));
            awaitAll(again);
            assertThat(again).noneMatch(CompletableFuture::isCompletedExceptionally);
            assertThat(store.liveQueues()).isEqualTo(1);
        }
    }

    @Test
    void queuesWhoseEntryMayBeStoredStay() throws Exception {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        try (Store store = open()) {
            TopicAdmin admin = admin(refusing(refused, Outcome.UNKNOWN, store), Long.MAX_VALUE);
            refused.add("appendState");
            awaitAll(admin.create(List.of(wish("b", 20, Map.of()))));
            awaitChanges(store);
            assertThat(store.liveQueues()).isEqualTo(20);
        }
    }

    /** All changes before it end before this one. */
    private static void awaitChanges(Store store) throws Exception {
        store.trim(0, 0).toCompletableFuture().handle((done, failure) -> true).get();
    }

    /** The store, whose methods of these names fail. */
    private static Store refusing(Set<String> names, Outcome outcome, Store store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> names.contains(method.getName())
                        ? CompletableFuture.failedFuture(new NotStoredException(outcome))
                        : method.invoke(store, arguments));
    }

    private NewTopic wish(String name, int partitions, Map<String, String> configs) {
        return new NewTopic(name, partitions, configs);
    }

    private TopicAdmin admin(Store store, long maxBytes) {
        return admin(store, MAX_QUEUES, maxBytes);
    }

    private TopicAdmin admin(Store store, int maxQueues, long maxBytes) {
        return new TopicAdmin(
                store,
                topics,
                maxQueues,
                maxBytes,
                (first, count) -> {},
                Environment.of(StoreClock.system(0), new FailureLatch()));
    }

    private Store open() throws Exception {
        StoreConfig config = StoreConfig.DEFAULT.withDurability(Durability.OS);
        return LocalStore.open(config, StoreEnvironment.local(directory), Attachments.of(List.of(topics)));
    }

    private static void awaitAll(List<? extends CompletableFuture<?>> futures) {
        for (CompletableFuture<?> future : futures) {
            Object unused = Objects.requireNonNull(
                    future.handle((done, failure) -> true).join());
        }
    }
}
