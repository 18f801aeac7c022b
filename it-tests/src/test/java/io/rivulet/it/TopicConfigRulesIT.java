package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which names, replication factors and configs a topic may have: the same as in Kafka. */
@SeveralBrokers
final class TopicConfigRulesIT {
    private static final short ONE = 1;
    private static final short MORE_THAN_BROKERS = (short) (TestBroker.COUNT + 2);
    /** Keys of Kafka before 4.0 and after 4.3, and one for tests that is described only where it is set. */
    private static final List<String> OTHER_VERSIONS = List.of(
            "message.downconversion.enable",
            "remote.copy.lag.ms",
            "remote.copy.lag.bytes",
            "max.decompressed.message.bytes",
            "internal.segment.bytes");

    @TempDir
    private Path directory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws IOException {
        start(Map.of());
    }

    private void start(Map<String, String> properties) throws IOException {
        broker = TestBroker.start(directory, properties);
        admin = Clients.admin(broker);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private void restart(Map<String, String> properties) throws IOException {
        stop();
        start(properties);
    }

    // ---- configs ----

    @Test
    void aTopicHasEveryConfigThatKafkasTopicsHave() throws Exception {
        create("any", Map.of());

        List<String> expected = kafkasKeys().stream()
                .filter(key -> !OTHER_VERSIONS.contains(key))
                .toList();
        assertThat(configs("any").entries()).extracting(ConfigEntry::name).containsAll(expected);
    }

    private static List<String> kafkasKeys() {
        return Stream.of(TopicConfig.class.getFields())
                .filter(field -> field.getName().endsWith("_CONFIG"))
                .map(TopicConfigRulesIT::text)
                .toList();
    }

    private static String text(Field field) {
        try {
            return (String) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void configsOfReplicasAndRemoteStorageAreKeptWithoutEffect() throws Exception {
        Map<String, String> brought = Map.of(
                "leader.replication.throttled.replicas", "0:1,1:1",
                "follower.replication.throttled.replicas", "*",
                "remote.storage.enable", "false",
                "remote.log.copy.disable", "true",
                "local.retention.ms", "1000",
                "local.retention.bytes", "-2",
                "internal.segment.bytes", "1000");

        create("brought", brought);

        Config described = configs("brought");
        brought.forEach(
                (key, value) -> assertThat(described.get(key).value()).as(key).isEqualTo(value));
        alter("brought", OpType.APPEND, "leader.replication.throttled.replicas", "2:1")
                .get();
        assertThat(configs("brought")
                        .get("leader.replication.throttled.replicas")
                        .value())
                .isEqualTo("0:1,1:1,2:1");
    }

    @Test
    void remoteStorageIsRefusedWithItsReason() throws Exception {
        create("there", Map.of());

        assertThatThrownBy(alter("there", OpType.SET, "remote.storage.enable", "true")::get)
                .hasCauseInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("there is no remote storage");
    }

    @Test
    void aCleanupPolicyMayBeEmpty() throws Exception {
        create("kept", Map.of("cleanup.policy", ""));
        create("changed", Map.of("cleanup.policy", "delete", "retention.ms", "1"));

        alter("changed", OpType.SUBTRACT, "cleanup.policy", "delete").get();
        restart(Map.of());

        assertThat(configs("kept").get("cleanup.policy").value()).isEmpty();
        assertThat(configs("changed").get("cleanup.policy").value()).isEmpty();
    }

    @Test
    void aKeyThatIsThereTwiceIsRefused() throws Exception {
        create("there", Map.of());
        AlterConfigOp one = new AlterConfigOp(new ConfigEntry("retention.ms", "1"), OpType.SET);
        AlterConfigOp other = new AlterConfigOp(new ConfigEntry("retention.ms", "2"), OpType.SET);

        assertRefused(alter("there", List.of(one, other)), InvalidRequestException.class);

        assertThat(configs("there").get("retention.ms").isDefault()).isTrue();
    }

    @Test
    void topicsHaveNoConfigsOfTheirOwnDefault() {
        assertRefused(alter("", OpType.SET, "retention.ms", "1"), InvalidRequestException.class);
        assertRefused(alter("a b", OpType.SET, "retention.ms", "1"), InvalidTopicException.class);
        assertRefused(admin.describeConfigs(List.of(topic(""))).all(), InvalidTopicException.class);
    }

    @Test
    void theDocumentationIsThereWhenItIsAskedFor() throws Exception {
        create("there", Map.of());
        DescribeConfigsOptions options = new DescribeConfigsOptions().includeDocumentation(true);

        assertThat(configs("there").get("retention.ms").documentation()).isNull();
        assertThat(admin.describeConfigs(List.of(topic("there")), options)
                        .all()
                        .get()
                        .get(topic("there"))
                        .entries())
                .allSatisfy(config -> assertThat(config.documentation()).isNotBlank());
    }

    // ---- names ----

    @Test
    void namesThatDifferInDotAndUnderscoreOnlyCollide() throws Exception {
        create("a.b_c", Map.of());

        assertRefused(created("a_b.c", ONE), InvalidTopicException.class);
        assertRefused(created("a.b_c", ONE), TopicExistsException.class);
        created("a-b_c", ONE).get();
        restart(Map.of());
        assertRefused(created("a.b.c", ONE), InvalidTopicException.class);
        admin.deleteTopics(List.of("a.b_c")).all().get();
        created("a.b.c", ONE).get();
    }

    @Test
    void ofTwoCollidingNamesInOneRequestTheFirstIsCreated() {
        Map<String, KafkaFuture<Void>> created = admin.createTopics(
                        List.of(new NewTopic("x.y", 1, ONE), new NewTopic("x_y", 1, ONE)))
                .values();

        assertThat(Stream.of("x.y", "x_y").filter(name -> !isRefused(created.get(name))))
                .hasSize(1);
    }

    private static boolean isRefused(KafkaFuture<Void> future) {
        try {
            future.get();
            return false;
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(InvalidTopicException.class);
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCollidingNameIsNotCreatedByAProducer() throws Exception {
        create("m_n", Map.of());

        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            assertThatThrownBy(() -> Clients.sendAll(producer, List.of(new ProducerRecord<>("m.n", "v"))))
                    .hasCauseInstanceOf(InvalidTopicException.class);
        }
    }

    // ---- replication factors ----

    @Test
    void aNameThatIsTakenIsReportedWhateverElseIsWrong() throws Exception {
        create("there", Map.of());

        assertRefused(created("there", MORE_THAN_BROKERS), TopicExistsException.class);
    }

    @Test
    void moreReplicasThanBrokersAreRefusedAsInKafka() throws Exception {
        restart(Map.of("default.replication.factor", String.valueOf(MORE_THAN_BROKERS)));

        assertRefused(created("asked", MORE_THAN_BROKERS), InvalidReplicationFactorException.class);
        assertRefused(byDefault("default"), InvalidReplicationFactorException.class);
        assertThat(Errors.forCode(createdByMetadata("produced").errorCode()))
                .isEqualTo(Errors.INVALID_REPLICATION_FACTOR);
        created("one", ONE).get();
    }

    @Test
    void moreReplicasThanBrokersBecomeFewerWhenTheyAreAccepted() throws Exception {
        restart(Map.of(
                "default.replication.factor",
                String.valueOf(MORE_THAN_BROKERS),
                "rivulet.replication.factor.max",
                "accept",
                "rivulet.create.topics",
                "at-start:2:" + MORE_THAN_BROKERS));

        created("asked", MORE_THAN_BROKERS).get();
        byDefault("default").get();

        assertThat(admin.describeTopics(List.of("asked", "default", "at-start"))
                        .allTopicNames()
                        .get()
                        .values())
                .allSatisfy(topic ->
                        assertThat(topic.partitions().get(0).replicas()).hasSize(TestBroker.COUNT));
        assertRefused(created("none", (short) 0), InvalidReplicationFactorException.class);
    }

    // ---- helpers ----

    private void create(String name, Map<String, String> configs) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, 1, ONE).configs(configs)))
                .all()
                .get();
    }

    private KafkaFuture<Void> created(String name, short replicas) {
        return admin.createTopics(List.of(new NewTopic(name, 1, replicas))).all();
    }

    private KafkaFuture<Void> byDefault(String name) {
        return admin.createTopics(List.of(new NewTopic(name, Optional.empty(), Optional.empty())))
                .all();
    }

    private MetadataResponseTopic createdByMetadata(String name) throws IOException {
        MetadataRequestData request = new MetadataRequestData()
                .setTopics(List.of(new MetadataRequestTopic().setName(name)))
                .setAllowAutoTopicCreation(true);
        try (Wire wire = new Wire(broker)) {
            MetadataResponseData response = (MetadataResponseData) wire.ask(ApiKeys.METADATA, (short) 12, request);
            return response.topics().iterator().next();
        }
    }

    private static ConfigResource topic(String name) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }

    private Config configs(String name) throws Exception {
        return admin.describeConfigs(List.of(topic(name))).all().get().get(topic(name));
    }

    private KafkaFuture<Void> alter(String name, OpType operation, String key, String value) {
        return alter(name, List.of(new AlterConfigOp(new ConfigEntry(key, value), operation)));
    }

    private KafkaFuture<Void> alter(String name, Collection<AlterConfigOp> operations) {
        return admin.incrementalAlterConfigs(Map.of(topic(name), operations)).all();
    }

    private static void assertRefused(KafkaFuture<?> future, Class<? extends Throwable> why) {
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(why);
    }
}
