package io.rivulet.broker.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BrokerConfigTest {
    @Test
    void byDefaultItListensOnKafkasPort() {
        BrokerConfig config = BrokerConfig.of(Map.of());

        assertThat(config.listeners())
                .containsExactly(new Listener("PLAINTEXT", "localhost", 9092, "localhost", 9092, null, null));
        assertThat(config.dataDirectory()).isEqualTo(Path.of("rivulet-data"));
        assertThat(config.values().unknownKeys()).isEmpty();
        assertThat(config.topicDefaults()).isEqualTo(TopicSettings.KAFKA_DEFAULTS);
    }

    @Test
    void listenersMayBeAdvertisedElsewhere() {
        BrokerConfig config = BrokerConfig.of(Map.of(
                "listeners", "INSIDE://:9092, OUTSIDE://[::1]:9093",
                "advertised.listeners", "INSIDE://broker:19092,OUTSIDE://example.org:443",
                "listener.security.protocol.map", "INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT"));

        assertThat(config.listeners())
                .containsExactly(
                        new Listener("INSIDE", "", 9092, "broker", 19092, null, null),
                        new Listener("OUTSIDE", "::1", 9093, "example.org", 443, null, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "num.partitions | 0 | a whole number of 1 or more",
                "num.partitions | many | a whole number of 1 or more",
                "auto.create.topics.enable | yes | true or false",
                "message.max.bytes | -1 | a whole number of 0 or more",
                "log.message.timestamp.type | Now | CreateTime or LogAppendTime",
                "log.cleanup.policy | squeeze | a list of delete and compact",
                "log.cleaner.min.cleanable.ratio | 2 | a number from 0.0 to 1.0",
                "listeners | localhost:9092 | a list of NAME://host:port",
                "listeners | PLAINTEXT://localhost:99999 | a list of NAME://host:port",
                "listeners | A://localhost:1,A://localhost:2 | a list of NAME://host:port",
                "log.dirs | a,b | one directory",
            })
    void theErrorHasTheKeyTheValueAndWhatIsAllowed(String key, String value, String allowed) {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(key + " is '" + value + "'; allowed is " + allowed);
    }

    @Test
    void aListenerWithAnUnknownProtocolIsRefused() {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of("listeners", "SASL_TLS://localhost:9093")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("SASL_TLS would be SASL_TLS");
    }

    @Test
    void anEncryptedListenerNeedsAKey() {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of("listeners", "SSL://localhost:9093")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("listener.name.ssl.ssl.keystore.location")
                .hasMessageContaining("rivulet.tls=self-signed");
    }

    @Test
    void aSecretIsInNoMessage() {
        Map<String, String> both = Map.of(
                "listeners", "SSL://localhost:9093",
                "ssl.keystore.type", "PEM",
                "ssl.keystore.location", "file",
                "ssl.keystore.password", "secret",
                "ssl.keystore.key", "secret");
        assertThatThrownBy(() -> BrokerConfig.of(both))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("secret");
    }

    @Test
    void unknownKeysAreListedOnceAndInOrder() {
        BrokerConfig config = BrokerConfig.of(Map.of("process.roles", "broker", "a.b", "c", "num.partitions", "3"));

        assertThat(config.values().unknownKeys()).containsExactly("a.b", "process.roles");
        assertThat(config.defaultPartitions()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "log.retention.hours,2,7200000",
        "log.retention.hours,-1,-1",
        "log.retention.minutes,3,180000",
        "log.retention.ms,7,7"
    })
    void retentionIsGivenInAnyUnit(String key, String value, String millis) {
        BrokerConfig config = BrokerConfig.of(Map.of(key, value));

        assertThat(config.topicDefaults().value(TopicConfigKey.RETENTION_MS)).isEqualTo(millis);
    }

    @Test
    void theFinestUnitWins() {
        BrokerConfig config = BrokerConfig.of(
                Map.of("log.retention.hours", "1", "log.retention.minutes", "1", "log.retention.ms", "5"));

        assertThat(config.topicDefaults().value(TopicConfigKey.RETENTION_MS)).isEqualTo("5");
    }

    @Test
    void aTopicsOwnConfigWinsOverTheBrokers() {
        TopicSettings defaults =
                BrokerConfig.of(Map.of("message.max.bytes", "1000")).topicDefaults();

        assertThat(defaults.maxMessageBytes()).isEqualTo(1000);
        assertThat(defaults.withOverrides(Map.of("max.message.bytes", "2000")).maxMessageBytes())
                .isEqualTo(2000);
    }

    @Test
    void assignorsMayHaveTheNamesOfKafkasClasses() {
        String classes = "org.apache.kafka.coordinator.group.assignor.";
        BrokerConfig config = BrokerConfig.of(
                Map.of("group.consumer.assignors", classes + "RangeAssignor, uniform," + classes + "UniformAssignor"));
        assertThat(config.consumerGroups().assignors()).containsExactly("range", "uniform");
        assertThatThrownBy(() -> BrokerConfig.of(Map.of("group.consumer.assignors", "org.example.Mine")))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void theConsumerProtocolCanBeDisabledAndTheClassicOneNot() {
        String key = "group.coordinator.rebalance.protocols";
        assertThat(BrokerConfig.of(Map.of()).consumerGroups().enabled()).isTrue();
        assertThat(BrokerConfig.of(Map.of(key, "classic")).consumerGroups().enabled())
                .isFalse();
        assertThatThrownBy(() -> BrokerConfig.of(Map.of(key, "consumer"))).isInstanceOf(ConfigException.class);
    }

    @Test
    void sessionsMayBeAsShortAsAMemberWants() {
        BrokerConfig config = BrokerConfig.of(Map.of("group.min.session.timeout.ms", "0"));
        assertThat(config.groups().minSessionTimeoutMillis()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "group.share.session.timeout.ms,44999",
        "group.share.heartbeat.interval.ms,15001",
        "group.share.min.assignment.interval.ms,1",
        "group.share.delivery.count.limit,1",
        "group.share.min.record.lock.duration.ms,30001",
        "group.share.partition.max.record.locks,4001",
        "group.share.max.size,1001",
        "group.share.assignors,range"
    })
    void theValuesOfShareGroupsAreWithinTheirBounds(String key, String value) {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of(key, value))).isInstanceOf(ConfigException.class);
    }

    @Test
    void aSessionOfAShareGroupIsLongerThanItsHeartbeatInterval() {
        Map<String, String> values = Map.of(
                "group.share.min.session.timeout.ms", "5000",
                "group.share.session.timeout.ms", "5000");

        assertThatThrownBy(() -> BrokerConfig.of(values)).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "group.streams.session.timeout.ms,44999",
        "group.streams.max.session.timeout.ms,44999",
        "group.streams.heartbeat.interval.ms,15001",
        "group.streams.min.heartbeat.interval.ms,5001",
        "group.streams.min.assignment.interval.ms,1",
        "group.streams.assignment.interval.ms,15001",
        "group.streams.num.standby.replicas,3"
    })
    void theValuesOfStreamsGroupsAreWithinTheirBounds(String key, String value) {
        assertThatThrownBy(() -> BrokerConfig.of(Map.of(key, value))).isInstanceOf(ConfigException.class);
    }

    @Test
    void aStreamsGroupMayHaveMoreStandbysIfTheirBoundAllowsIt() {
        BrokerConfig config = BrokerConfig.of(Map.of(
                "group.streams.max.standby.replicas", "3",
                "group.streams.num.standby.replicas", "3"));

        assertThat(config.streamsGroups().standbyReplicas()).isEqualTo(3);
    }

    @Test
    void aSessionOfAStreamsGroupIsLongerThanItsHeartbeatInterval() {
        Map<String, String> values = Map.of(
                "group.streams.min.session.timeout.ms", "5000",
                "group.streams.session.timeout.ms", "5000");

        assertThatThrownBy(() -> BrokerConfig.of(values)).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"by_duration:", "by_duration:-PT1S", "by_duration:1h", "by_duration", "none", "LATEST"})
    void aShareGroupBeginsAtAnOffsetThatCanBeFound(String value) {
        assertThat(ShareOffsetReset.TYPE.allows(value)).isFalse();
        assertThat(ShareOffsetReset.TYPE.allows("by_duration:PT0S")).isTrue();
        assertThat(ShareOffsetReset.TYPE.allows("earliest")).isTrue();
    }
}
