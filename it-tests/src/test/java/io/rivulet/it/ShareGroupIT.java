package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ShareGroupDescription;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members of share groups (KIP-932) with Kafka's own clients, without their records. */
@SeveralBrokers
final class ShareGroupIT {
    private static final Map<String, String> BROKER = Map.of(
            "group.share.min.heartbeat.interval.ms", "100",
            "group.share.heartbeat.interval.ms", "100",
            "group.share.min.session.timeout.ms", "2000",
            "group.share.session.timeout.ms", "2000");

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory, BROKER);
        connect();
        admin.createTopics(List.of(new NewTopic("t", 4, (short) 1))).all().get();
    }

    private void connect() {
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    /** A share consumer on its own thread. It gets no records. */
    private final class Member implements AutoCloseable {
        private final AtomicBoolean over = new AtomicBoolean();
        private final Thread thread = new Thread(this::poll);

        Member() {
            thread.start();
        }

        private void poll() {
            Map<String, Object> config = Map.of("bootstrap.servers", broker.bootstrapServers(), "group.id", "g");
            try (KafkaShareConsumer<String, String> consumer =
                    new KafkaShareConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
                consumer.subscribe(List.of("t"));
                while (!over.get()) {
                    consumer.poll(Duration.ofMillis(50));
                }
            }
        }

        @Override
        public void close() {
            leave();
        }

        void leave() {
            over.set(true);
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void consumersShareAndAreDescribed() throws Exception {
        try (Member one = new Member();
                Member two = new Member()) {
            await().ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(() -> described().members().size() == 2
                            && described().members().stream()
                                    .allMatch(member -> member.assignment()
                                                    .topicPartitions()
                                                    .size()
                                            == 2));
            assertThat(described().groupState()).isEqualTo(GroupState.STABLE);
            assertThat(described().members().stream()
                            .flatMap(member -> member.assignment().topicPartitions().stream())
                            .collect(Collectors.toSet()))
                    .isEqualTo(partitions());
            assertThatThrownBy(() -> admin.deleteShareGroups(List.of("g")).all().get())
                    .hasCauseInstanceOf(GroupNotEmptyException.class);
            two.leave();
            await().until(() ->
                    described().members().size() == 1 && assignedTo(described()).equals(partitions()));
            one.leave();
        }
        await().until(() -> described().groupState() == GroupState.EMPTY);
    }

    private ShareGroupDescription described() throws Exception {
        return admin.describeShareGroups(List.of("g")).all().get().get("g");
    }

    private static Set<TopicPartition> assignedTo(ShareGroupDescription group) {
        return group.members().iterator().next().assignment().topicPartitions();
    }

    private static Set<TopicPartition> partitions() {
        return IntStream.range(0, 4)
                .mapToObj(partition -> new TopicPartition("t", partition))
                .collect(Collectors.toSet());
    }

    @Test
    void anEmptyGroupSurvivesARestartAndIsDeleted() throws Exception {
        try (Member member = new Member()) {
            await().until(() -> !listed().isEmpty());
            assertThat(member.thread.isAlive()).isTrue();
        }
        admin.close();
        broker.close();
        broker = TestBroker.start(directory, BROKER);
        connect();

        assertThat(listed()).hasSize(1).allMatch(group -> group.groupState().equals(Optional.of(GroupState.EMPTY)));
        assertThat(offsets().keySet()).isEqualTo(partitions());
        admin.deleteShareGroupOffsets("g", Set.of("t")).all().get();
        assertThat(offsets()).isEmpty();
        admin.deleteShareGroups(List.of("g")).all().get();
        assertThat(listed()).isEmpty();
        assertThatThrownBy(this::described).hasCauseInstanceOf(GroupIdNotFoundException.class);
    }

    private List<GroupListing> listed() throws Exception {
        return List.copyOf(admin.listGroups(new ListGroupsOptions().withTypes(Set.of(GroupType.SHARE)))
                .all()
                .get());
    }

    private Map<TopicPartition, ?> offsets() throws Exception {
        return admin.listShareGroupOffsets(Map.of("g", new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo("g")
                .get();
    }

    @Test
    void aGroupHasConfigs() throws Exception {
        set("share.heartbeat.interval.ms", "300");
        set("share.auto.offset.reset", "by_duration:PT1H");

        assertThat(config("share.heartbeat.interval.ms")).isEqualTo("300");
        assertThat(config("share.auto.offset.reset")).isEqualTo("by_duration:PT1H");
        assertThat(config("share.record.lock.duration.ms")).isEqualTo("30000");
        for (String refused : List.of("share.delivery.count.limit=11", "share.auto.offset.reset=none")) {
            String[] parts = refused.split("=");
            assertThatThrownBy(() -> set(parts[0], parts[1]))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InvalidConfigurationException.class);
        }
    }

    private static final ConfigResource GROUP = new ConfigResource(ConfigResource.Type.GROUP, "g");

    private void set(String key, String value) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        GROUP, List.of(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))))
                .all()
                .get();
    }

    private String config(String key) throws Exception {
        return admin.describeConfigs(List.of(GROUP))
                .all()
                .get()
                .get(GROUP)
                .get(key)
                .value();
    }
}
