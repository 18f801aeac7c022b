package io.rivulet.broker.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.TopicSettings;
import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When an internal topic is written, and which offsets its records get. */
final class InternalLogTest {
    private static final int PARTITIONS = 3;
    private static final int KEYS_PER_SLICE = 10;

    @TempDir
    private Path directory;

    private final AtomicLong nanos = new AtomicLong(1);
    private final FailureLatch failures = new FailureLatch();
    private final CoordinatorRuntime runtime =
            new CoordinatorRuntime(new StoreClock(() -> 1_700_000_000_000L, nanos::get, 0), failures);
    private final TopicCatalogue topics = new TopicCatalogue(TopicSettings.KAFKA_DEFAULTS);
    private final InternalTopics internal = new InternalTopics(runtime, topics, which -> PARTITIONS);
    private final InternalLog log = internal.log(InternalTopic.OFFSETS);
    private final State state = new State();
    private Store store;
    private Topic topic;

    /** A state of keys and values. Owned by the coordinator thread. */
    private final class State implements StateSource {
        private final Map<String, String> values = new TreeMap<>();
        private long changes;

        void set(String key) {
            values.put(key, "value " + changes);
            changes++;
            if (log.isRead()) {
                write(key);
                log.flush();
            }
        }

        private void write(String key) {
            log.put(key, changes, bytes(key), bytes(Objects.requireNonNull(values.get(key))));
        }

        @Override
        public long changes() {
            return changes;
        }

        @Override
        public Image image() {
            List<String> left = new ArrayList<>(values.keySet());
            return () -> {
                List<String> slice = left.subList(0, Math.min(KEYS_PER_SLICE, left.size()));
                slice.forEach(this::write);
                slice.clear();
                return !left.isEmpty();
            };
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @BeforeEach
    void open() throws Exception {
        store = LocalStore.open(
                StoreConfig.DEFAULT, StoreEnvironment.local(directory), Attachments.of(List.of(topics)));
        log.source(state);
        internal.start(store);
        internal.start(new TopicAdmin(store, topics, 100, 1 << 20, (first, count) -> {}, runtime.environment()));
        topic = internal.create(InternalTopic.OFFSETS).toCompletableFuture().get();
        runtime.start(() -> {});
        for (int i = 0; i < 35; i++) {
            set("key " + i);
        }
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        runtime.close();
        assertThat(failures.cause()).isNull();
    }

    private <T> T onThread(Supplier<T> question) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        runtime.deliver(() -> answer.complete(question.get()));
        return answer.get();
    }

    private void set(String key) throws Exception {
        onThread(() -> {
            state.set(key);
            return key;
        });
    }

    private void read() throws Exception {
        CompletableFuture<Boolean> current = new CompletableFuture<>();
        log.whenCurrent(() -> current.complete(true));
        current.get();
    }

    private void passMinutes(int minutes) throws Exception {
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(minutes));
        while (onThread(log::isRead)) {
            Thread.onSpinWait();
        }
    }

    private long sum(boolean ends) {
        long sum = 0;
        for (int i = 0; i < PARTITIONS; i++) {
            sum += ends ? store.endOffset(topic.queueId(i)) : store.startOffset(topic.queueId(i));
        }
        return sum;
    }

    @Test
    void nothingIsWrittenBeforeTheFirstRead() throws Exception {
        assertThat(sum(true)).isZero();
        assertThat(onThread(log::isRead)).isFalse();
    }

    @Test
    void theFirstReadWaitsForAllOfTheState() throws Exception {
        read();

        assertThat(sum(true)).isEqualTo(35);
        assertThat(sum(false)).isZero();
    }

    @Test
    void aChangeIsWrittenWhileTheTopicIsRead() throws Exception {
        read();
        set("key 1");
        set("key 100");
        read();

        assertThat(sum(true)).isEqualTo(37);
    }

    @Test
    void aReaderThatComesBackGetsANewImageBehindTheOldEnd() throws Exception {
        read();
        passMinutes(6);
        set("key 100");
        assertThat(sum(true)).isEqualTo(35);

        read();
        assertThat(sum(false)).isEqualTo(35);
        assertThat(sum(true)).isEqualTo(35 + 36);
    }

    @Test
    void aReaderThatComesBackFindsTheSameRecordsIfNothingHasChanged() throws Exception {
        read();
        passMinutes(6);
        read();

        assertThat(sum(false)).isZero();
        assertThat(sum(true)).isEqualTo(35);
        set("key 100");
        read();
        assertThat(sum(true)).isEqualTo(36);
    }
}
