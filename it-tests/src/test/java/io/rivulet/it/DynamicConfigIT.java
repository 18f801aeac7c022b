package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSynonym;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.AlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configs of brokers, groups, loggers and client metrics change while the broker runs, and survive a restart. */
@SeveralBrokers
final class DynamicConfigIT {
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");
    private static final ConfigResource BROKER = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final ConfigResource TOPIC = new ConfigResource(ConfigResource.Type.TOPIC, "there");
    private static final ConfigResource GROUP = new ConfigResource(ConfigResource.Type.GROUP, "workers");
    private static final ConfigResource METRICS = new ConfigResource(ConfigResource.Type.CLIENT_METRICS, "all");
    private static final String MAX_BYTES = "message.max.bytes";
    private static final long HOUR_MILLIS = 3_600_000;

    @TempDir
    private Path directory;

    @TempDir
    private Path otherDirectory;

    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        open();
        create("there", Map.of());
    }

    private void open() throws IOException {
        broker = TestBroker.start(directory, Map.of("log.cleaner.delete.retention.ms", "7000"));
        admin = Clients.admin(broker);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        broker.close();
    }

    private void restart() throws IOException {
        stop();
        open();
    }

    // ---- brokers ----

    @Test
    void aDefaultOfTopicsChangesAtOnceAndSurvivesARestart() throws Exception {
        create("own", Map.of("max.message.bytes", "1000000"));
        set(ALL_BROKERS, MAX_BYTES, "500").get();

        assertThatThrownBy(() -> produce("there", "x".repeat(1000))).hasCauseInstanceOf(RecordTooLargeException.class);
        produce("own", "x".repeat(1000));
        restart();
        assertThatThrownBy(() -> produce("there", "x".repeat(1000))).hasCauseInstanceOf(RecordTooLargeException.class);
        produce("own", "x".repeat(1000));
        delete(ALL_BROKERS, MAX_BYTES).get();
        produce("there", "x".repeat(1000));
    }

    @Test
    void theValueOfThisBrokerWinsOverThatOfAllBrokers() throws Exception {
        set(ALL_BROKERS, "log.cleaner.delete.retention.ms", "8000").get();
        set(BROKER, "log.cleaner.delete.retention.ms", "9000").get();

        assertThat(synonyms(BROKER, "log.cleaner.delete.retention.ms"))
                .extracting(ConfigSynonym::value, ConfigSynonym::source)
                .containsExactly(
                        tuple("9000", ConfigSource.DYNAMIC_BROKER_CONFIG),
                        tuple("8000", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
                        tuple("7000", ConfigSource.STATIC_BROKER_CONFIG),
                        tuple("86400000", ConfigSource.DEFAULT_CONFIG));
        assertThat(config(TOPIC, "delete.retention.ms"))
                .extracting(ConfigEntry::value, ConfigEntry::source, ConfigEntry::isReadOnly)
                .containsExactly("9000", ConfigSource.DYNAMIC_BROKER_CONFIG, false);
        delete(BROKER, "log.cleaner.delete.retention.ms").get();
        assertThat(config(TOPIC, "delete.retention.ms").value()).isEqualTo("8000");
    }

    @Test
    void theDefaultOfAllBrokersIsDescribedByItself() throws Exception {
        assertThat(configs(ALL_BROKERS).entries()).isEmpty();

        set(ALL_BROKERS, MAX_BYTES, "900000").get();

        assertThat(configs(ALL_BROKERS).entries())
                .extracting(ConfigEntry::name, ConfigEntry::value, ConfigEntry::source)
                .containsExactly(tuple(MAX_BYTES, "900000", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "leader.replication.throttled.rate",
                "follower.replication.throttled.rate",
                "replica.alter.log.dirs.io.max.bytes.per.second",
            })
    void aRateOfReplicationIsDescribedOnlyIfItIsSet(String rate) throws Exception {
        assertThat(configs(BROKER).get(rate)).isNull();

        set(BROKER, rate, "1000").get();
        assertThat(configs(BROKER).get(rate).value()).isEqualTo("1000");

        delete(BROKER, rate).get();
        assertThat(configs(BROKER).get(rate)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "num.partitions,3",
        "auto.create.topics.enable,false",
        "security.inter.broker.protocol,PLAINTEXT",
        "rivulet.durability,os",
        "listener.name.inside.ssl.client.auth,required",
        "ssl.keystore.location,/tmp/keys",
        "listener.name.inside.plain.sasl.jaas.config,secret",
        "message.max.bytes,many",
        "num.io.threads,many",
    })
    void whatCanNotChangeIsRefused(String key, String value) {
        assertRefused(set(BROKER, key, value), InvalidRequestException.class);
        assertRefused(set(ALL_BROKERS, key, value), InvalidRequestException.class);
    }

    @Test
    void keysWithoutEffectAreKept() throws Exception {
        set(BROKER, "num.io.threads", "9").get();
        set(BROKER, "key.of.a.plugin", "secret").get();
        restart();

        assertThat(config(BROKER, "num.io.threads"))
                .extracting(ConfigEntry::value, ConfigEntry::isReadOnly)
                .containsExactly("9", false);
        assertThat(config(BROKER, "key.of.a.plugin"))
                .extracting(ConfigEntry::value, ConfigEntry::isSensitive)
                .containsExactly(null, true);
    }

    @Test
    void aShorterDefaultRetentionSparesTopicsThatHaveTheOldOne() throws Exception {
        create("sized", Map.of("retention.bytes", "100000000"));
        create("week", Map.of("retention.ms", "604800000"));
        for (String topic : List.of("there", "sized", "week")) {
            produceOld(topic);
        }

        set(ALL_BROKERS, "log.retention.ms", "2000").get();
        create("later", Map.of());
        produceOld("later");

        for (String topic : List.of("there", "sized", "later")) {
            await().atMost(Clients.PATIENCE)
                    .untilAsserted(() -> assertThat(firstOffset(topic)).isEqualTo(1));
        }
        assertThat(firstOffset("week")).isZero();
        restart();
        assertThat(config(TOPIC, "retention.ms").value()).isEqualTo("2000");
        assertThat(firstOffset("week")).isZero();
    }

    @Test
    void theOlderApiReplacesAllConfigsOfABroker() throws Exception {
        set(BROKER, MAX_BYTES, "900000").get();
        AlterConfigsRequestData request = new AlterConfigsRequestData();
        AlterConfigsResource resource = new AlterConfigsResource()
                .setResourceType(ConfigResource.Type.BROKER.id())
                .setResourceName(BROKER.name());
        resource.configs()
                .add(new AlterableConfig().setName("log.retention.bytes").setValue("5000"));
        request.resources().add(resource);

        try (Wire wire = new Wire(broker)) {
            wire.ask(ApiKeys.ALTER_CONFIGS, (short) 2, request);
        }

        assertThat(config(BROKER, MAX_BYTES).source()).isEqualTo(ConfigSource.DEFAULT_CONFIG);
        assertThat(config(BROKER, "log.retention.bytes").value()).isEqualTo("5000");
    }

    // ---- groups ----

    @Test
    void theConfigsOfAGroupAreKept() throws Exception {
        set(GROUP, "consumer.session.timeout.ms", "50000").get();
        restart();

        assertThat(synonyms(GROUP, "consumer.session.timeout.ms"))
                .extracting(ConfigSynonym::name, ConfigSynonym::value, ConfigSynonym::source)
                .containsExactly(
                        tuple("consumer.session.timeout.ms", "50000", ConfigSource.DYNAMIC_GROUP_CONFIG),
                        tuple("group.consumer.session.timeout.ms", "45000", ConfigSource.DEFAULT_CONFIG));
        assertThat(config(GROUP, "consumer.heartbeat.interval.ms").value()).isEqualTo("5000");
        delete(GROUP, "consumer.session.timeout.ms").get();
        assertThat(config(GROUP, "consumer.session.timeout.ms").value()).isEqualTo("45000");
    }

    @Test
    void theMembersOfAGroupGetItsHeartbeatInterval() throws Exception {
        set(GROUP, "consumer.heartbeat.interval.ms", "6000").get();

        assertThat(heartbeatIntervalMs("workers")).isEqualTo(6000);
        assertThat(heartbeatIntervalMs("others")).isEqualTo(5000);
    }

    private int heartbeatIntervalMs(String group) throws IOException {
        ConsumerGroupHeartbeatRequestData joining = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId("m")
                .setRebalanceTimeoutMs(60_000)
                .setSubscribedTopicNames(List.of("there"))
                .setTopicPartitions(List.of());
        try (Wire wire = new Wire(broker)) {
            ApiMessage answer = wire.ask(ApiKeys.CONSUMER_GROUP_HEARTBEAT, (short) 1, joining);
            return ((ConsumerGroupHeartbeatResponseData) answer).heartbeatIntervalMs();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "consumer.session.timeout.ms,1",
        "consumer.session.timeout.ms,70000",
        "consumer.heartbeat.interval.ms,1",
        "consumer.heartbeat.interval.ms,often",
        "share.record.lock.duration.ms,100000000",
        "unknown.config,1",
    })
    void aConfigThatGroupsMayNotHaveIsRefused(String key, String value) {
        assertRefused(set(GROUP, key, value), InvalidConfigurationException.class);
    }

    @Test
    void groupsHaveNoConfigsOfTheirOwnDefault() {
        assertRefused(
                set(new ConfigResource(ConfigResource.Type.GROUP, ""), "consumer.session.timeout.ms", "50000"),
                InvalidRequestException.class);
    }

    // ---- client metrics ----

    @Test
    void subscriptionsToMetricsAreKept() throws Exception {
        set(METRICS, "metrics", "org.apache.kafka.producer.").get();
        set(METRICS, "interval.ms", "6000").get();
        restart();

        assertThat(config(METRICS, "interval.ms"))
                .extracting(ConfigEntry::value, ConfigEntry::source)
                .containsExactly("6000", ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG);
        assertThat(config(METRICS, "match").value()).isEmpty();
        assertRefused(set(METRICS, "interval.ms", "1"), InvalidConfigurationException.class);
        assertRefused(set(METRICS, "match", "shoe_size=4"), InvalidConfigurationException.class);
    }

    // ---- lists ----

    @Test
    void resourcesWithConfigsAreListed() throws Exception {
        set(GROUP, "consumer.session.timeout.ms", "50000").get();
        set(METRICS, "interval.ms", "6000").get();

        ConfigResource loggers = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1");
        assertThat(listed()).containsExactlyInAnyOrder(TOPIC, BROKER, loggers, GROUP, METRICS);
        assertThat(listed(ConfigResource.Type.GROUP)).containsExactly(GROUP);
        assertThat(listed(ConfigResource.Type.TOPIC, ConfigResource.Type.CLIENT_METRICS))
                .containsExactlyInAnyOrder(TOPIC, METRICS);
        delete(GROUP, "consumer.session.timeout.ms").get();
        assertThat(listed(ConfigResource.Type.GROUP)).isEmpty();
    }

    private Collection<ConfigResource> listed(ConfigResource.Type... types) throws Exception {
        return admin.listConfigResources(Set.of(types), new ListConfigResourcesOptions())
                .all()
                .get();
    }

    // ---- loggers ----

    @Test
    void anApplicationWithABrokerBringsItsOwnLogging() {
        ConfigResource loggers = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1");

        assertThat(configs(loggers).entries()).isEmpty();
        assertRefused(set(loggers, "root", "DEBUG"), InvalidConfigurationException.class);
    }

    @Test
    @OneBroker("it starts a process by itself")
    void theLevelsOfAProcessChange() throws Exception {
        ConfigResource loggers = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1");
        try (ServerProcess process = ServerProcess.start(
                        otherDirectory,
                        "--override",
                        "log.dirs=" + otherDirectory.resolve("data"),
                        "--override",
                        "listeners=PLAINTEXT://localhost:0");
                Admin ofProcess = Clients.admin("localhost:" + process.awaitReady())) {
            String logger = "io.rivulet.broker.cli.BrokerProcess";

            alter(ofProcess, loggers, OpType.SET, logger, "DEBUG").get();
            alter(ofProcess, loggers, OpType.SET, "root", "ERROR").get();

            Config levels = configs(ofProcess, loggers);
            assertThat(levels.get(logger))
                    .extracting(ConfigEntry::value, ConfigEntry::source)
                    .containsExactly("DEBUG", ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG);
            assertThat(levels.get("root").value()).isEqualTo("ERROR");
            alter(ofProcess, loggers, OpType.DELETE, logger, "").get();
            assertThat(configs(ofProcess, loggers).get(logger).value()).isEqualTo("ERROR");
            alter(ofProcess, loggers, OpType.SET, "io.rivulet", "WARN").get();
            assertThat(configs(ofProcess, loggers).get(logger).value()).isEqualTo("WARN");
            assertRefused(
                    alter(ofProcess, loggers, OpType.SET, "no.such.Logger", "WARN"),
                    InvalidConfigurationException.class);
            assertRefused(alter(ofProcess, loggers, OpType.SET, "root", "LOUD"), InvalidConfigurationException.class);
            assertRefused(alter(ofProcess, loggers, OpType.APPEND, "root", "WARN"), InvalidRequestException.class);
            assertRefused(alter(ofProcess, loggers, OpType.DELETE, "root", ""), InvalidRequestException.class);
        }
    }

    // ---- helpers ----

    private void create(String name, Map<String, String> configs) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1).configs(configs)))
                .all()
                .get();
    }

    private KafkaFuture<Void> set(ConfigResource resource, String key, String value) {
        return alter(admin, resource, OpType.SET, key, value);
    }

    private KafkaFuture<Void> delete(ConfigResource resource, String key) {
        return alter(admin, resource, OpType.DELETE, key, "");
    }

    private static KafkaFuture<Void> alter(
            Admin with, ConfigResource resource, OpType operation, String key, String value) {
        Collection<AlterConfigOp> operations = List.of(new AlterConfigOp(new ConfigEntry(key, value), operation));
        return with.incrementalAlterConfigs(Map.of(resource, operations)).all();
    }

    private Config configs(ConfigResource resource) {
        return configs(admin, resource);
    }

    private static Config configs(Admin with, ConfigResource resource) {
        try {
            return with.describeConfigs(List.of(resource), new DescribeConfigsOptions().includeSynonyms(true))
                    .all()
                    .get()
                    .get(resource);
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private ConfigEntry config(ConfigResource resource, String key) {
        return configs(resource).get(key);
    }

    private List<ConfigSynonym> synonyms(ConfigResource resource, String key) {
        return config(resource, key).synonyms();
    }

    private void produce(String topic, String value) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>(topic, 0, null, value)));
        }
    }

    private void produceOld(String topic) throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of("batch.size", 0))) {
            long timestamp = System.currentTimeMillis() - HOUR_MILLIS;
            Clients.sendAll(producer, List.of(new ProducerRecord<>(topic, 0, timestamp, null, "old")));
        }
    }

    private long firstOffset(String topic) throws Exception {
        TopicPartition place = new TopicPartition(topic, 0);
        return admin.listOffsets(Map.of(place, OffsetSpec.earliest()))
                .partitionResult(place)
                .get()
                .offset();
    }

    private static void assertRefused(KafkaFuture<?> future, Class<? extends Throwable> why) {
        assertThatThrownBy(future::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(why);
    }
}
