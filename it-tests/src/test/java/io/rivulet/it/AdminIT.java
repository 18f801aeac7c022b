package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of configs, partitions and records of topics, with Kafka's own admin client. */
@SeveralBrokers
final class AdminIT {
    private static final ConfigResource TOPIC = new ConfigResource(ConfigResource.Type.TOPIC, "there");
    private static final TopicPartition PARTITION = new TopicPartition("there", 0);

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        open();
        admin.createTopics(List.of(new NewTopic("there", 2, (short) 1))).all().get();
    }

    private void open() throws IOException {
        broker = TestBroker.start(directory, Map.of("log.retention.hours", "2"));
        admin = Clients.admin(broker);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    @Test
    void accessControlListsAreDisabledAsInKafkaWithoutAnAuthorizer() {
        AclBinding binding = new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, "there", PatternType.LITERAL),
                new AccessControlEntry("User:any", "*", AclOperation.READ, AclPermissionType.ALLOW));

        assertRefused(admin.describeAcls(AclBindingFilter.ANY).values(), SecurityDisabledException.class);
        assertRefused(admin.createAcls(List.of(binding)).all(), SecurityDisabledException.class);
        assertRefused(admin.deleteAcls(List.of(binding.toFilter())).all(), SecurityDisabledException.class);
    }

    @Test
    void aConfigIsSetAppliedKeptAndDeleted() throws Exception {
        alter(AlterConfigOp.OpType.SET, "max.message.bytes", "500").get();

        assertThat(config("max.message.bytes"))
                .extracting(ConfigEntry::value, ConfigEntry::source)
                .containsExactly("500", ConfigSource.DYNAMIC_TOPIC_CONFIG);
        assertThatThrownBy(() -> produce("x".repeat(1000))).hasCauseInstanceOf(RecordTooLargeException.class);
        stop();
        open();
        assertThat(config("max.message.bytes").value()).isEqualTo("500");
        alter(OpType.DELETE, "max.message.bytes", "").get();
        assertThat(config("max.message.bytes").source()).isEqualTo(ConfigSource.DEFAULT_CONFIG);
        produce("x".repeat(1000));
    }

    @Test
    void theBrokersConfigurationIsATopicsDefault() throws Exception {
        assertThat(config("retention.ms"))
                .extracting(ConfigEntry::value, ConfigEntry::source)
                .containsExactly("7200000", ConfigSource.STATIC_BROKER_CONFIG);
    }

    @Test
    void theConfigurationOfTheBrokerIsDescribed() throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, "1");

        assertThat(admin.describeConfigs(List.of(resource))
                        .all()
                        .get()
                        .get(resource)
                        .get("log.retention.hours"))
                .extracting(ConfigEntry::value, ConfigEntry::isReadOnly)
                .containsExactly("2", true);
    }

    @Test
    void configsOfFilesFlushesAndReplicasAreKeptWithoutEffect() throws Exception {
        Map<String, String> configs = Map.of(
                "flush.messages", "1",
                "flush.ms", "1000",
                "file.delete.delay.ms", "1000",
                "index.interval.bytes", "8192",
                "preallocate", "true",
                "segment.index.bytes", "1048576",
                "segment.jitter.ms", "1000",
                "unclean.leader.election.enable", "true",
                "min.insync.replicas", "1");

        admin.createTopics(List.of(new NewTopic("brought", 1, (short) 1).configs(configs)))
                .all()
                .get();

        ConfigResource brought = new ConfigResource(ConfigResource.Type.TOPIC, "brought");
        Config described = admin.describeConfigs(List.of(brought)).all().get().get(brought);
        configs.forEach(
                (key, value) -> assertThat(described.get(key).value()).as(key).isEqualTo(value));
    }

    @Test
    void valuesAreAppendedToAndSubtractedFromAList() throws Exception {
        alter(OpType.APPEND, "cleanup.policy", "compact").get();
        assertThat(policy()).isEqualTo("delete,compact");
        alter(OpType.APPEND, "cleanup.policy", "compact").get();
        assertThat(policy()).isEqualTo("delete,compact");
        alter(OpType.SUBTRACT, "cleanup.policy", "delete").get();
        assertThat(policy()).isEqualTo("compact");
    }

    private String policy() throws Exception {
        ConfigResource there = new ConfigResource(ConfigResource.Type.TOPIC, "there");
        return admin.describeConfigs(List.of(there))
                .all()
                .get()
                .get(there)
                .get("cleanup.policy")
                .value();
    }

    @Test
    void invalidConfigsAreRefused() {
        assertRefused(alter(OpType.SET, "retention.ms", "soon"), InvalidConfigurationException.class);
        assertRefused(alter(OpType.SET, "cleanup.policy", "squeeze"), InvalidConfigurationException.class);
        assertRefused(alter(OpType.SET, "no.such.key", "1"), InvalidConfigurationException.class);
        assertRefused(alter(OpType.APPEND, "retention.ms", "1"), InvalidConfigurationException.class);
        assertRefused(
                admin.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.TOPIC, "missing")))
                        .all(),
                UnknownTopicOrPartitionException.class);
    }

    @Test
    void addedPartitionsAreUsable() throws Exception {
        admin.createTopics(List.of(new NewTopic("between", 1, (short) 1))).all().get();
        admin.createPartitions(Map.of("there", NewPartitions.increaseTo(5)))
                .all()
                .get();
        stop();
        open();

        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>("there", 4, "k", "v")));
        }
        assertThat(Clients.read(broker, new TopicPartition("there", 4), 1, Map.of()))
                .hasSize(1);
        assertRefused(
                admin.createPartitions(Map.of("there", NewPartitions.increaseTo(5)))
                        .all(),
                InvalidPartitionsException.class);
    }

    @Test
    void deletedRecordsAreRemovedAndOffsetsContinue() throws Exception {
        for (int i = 0; i < 10; i++) {
            produce("value-" + i);
        }

        admin.deleteRecords(Map.of(PARTITION, RecordsToDelete.beforeOffset(4)))
                .all()
                .get();

        assertThat(offset(OffsetSpec.earliest())).isEqualTo(4);
        assertThat(Clients.read(broker, PARTITION, 6, Map.of()).get(0).value()).isEqualTo("value-4");
        assertRefused(
                admin.deleteRecords(Map.of(PARTITION, RecordsToDelete.beforeOffset(11)))
                        .all(),
                OffsetOutOfRangeException.class);
        admin.deleteRecords(Map.of(PARTITION, RecordsToDelete.beforeOffset(-1)))
                .all()
                .get();
        assertThat(offset(OffsetSpec.earliest())).isEqualTo(10);
        assertThat(offset(OffsetSpec.latest())).isEqualTo(10);
    }

    @Test
    void aLargeTopicIsDescribedInPages() throws Exception {
        admin.createTopics(List.of(new NewTopic("large", 4500, (short) 1)))
                .all()
                .get();

        assertThat(admin.describeTopics(List.of("large", "there"))
                        .allTopicNames()
                        .get())
                .satisfies(described -> {
                    assertThat(described.get("large").partitions()).hasSize(4500);
                    assertThat(described.get("there").partitions()).hasSize(2);
                });
    }

    @Test
    void theSizesOfPartitionsAreDescribed() throws Exception {
        produce("x".repeat(5000));

        Map<Integer, Map<String, LogDirDescription>> described =
                admin.describeLogDirs(List.of(1)).allDescriptions().get();

        LogDirDescription directory = described.get(1).values().iterator().next();
        assertThat(directory.totalBytes()).isPresent();
        assertThat(directory.replicaInfos().get(PARTITION).size()).isBetween(5000L, 6000L);
        assertThat(directory.replicaInfos().get(new TopicPartition("there", 1)).size())
                .isZero();
    }

    @Test
    void thereAreNoReassignments() throws Exception {
        assertThat(admin.listPartitionReassignments().reassignments().get()).isEmpty();
    }

    private ConfigEntry config(String key) throws Exception {
        return admin.describeConfigs(List.of(TOPIC)).all().get().get(TOPIC).get(key);
    }

    private KafkaFuture<Void> alter(OpType operation, String key, String value) {
        Collection<AlterConfigOp> operations = List.of(new AlterConfigOp(new ConfigEntry(key, value), operation));
        return admin.incrementalAlterConfigs(Map.of(TOPIC, operations)).all();
    }

    private void produce(String value) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>("there", 0, null, value)));
        }
    }

    private long offset(OffsetSpec spec) throws Exception {
        ListOffsetsResultInfo info = admin.listOffsets(Map.of(PARTITION, spec))
                .partitionResult(PARTITION)
                .get();
        return info.offset();
    }

    private static void assertRefused(KafkaFuture<?> future, Class<? extends Throwable> why) {
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(why);
    }
}
