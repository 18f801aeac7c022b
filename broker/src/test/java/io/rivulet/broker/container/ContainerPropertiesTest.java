package io.rivulet.broker.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.config.TopicAtStart;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ContainerPropertiesTest {
    private static final long MIB = 1 << 20;
    private static final long HEAP_BYTES = 256 * MIB;
    private static final String PLAIN = "BROKER:PLAINTEXT,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,TC-0:PLAINTEXT";

    @Test
    void byDefaultClientsOnTheHostAreServed() {
        BrokerConfig config = config(Map.of());

        assertThat(config.listeners())
                .containsExactly(new Listener("PLAINTEXT", "", 9092, "localhost", 9092, null, null));
        assertThat(config.dataDirectory()).isEqualTo(Path.of("/var/lib/kafka/data"));
    }

    @ParameterizedTest
    @CsvSource({
        "KAFKA_NUM_PARTITIONS, num.partitions",
        "KAFKA_A__B_C, a_b.c",
        "KAFKA_A___B_C, a-b.c",
        "KAFKA_RIVULET_DURABILITY, rivulet.durability",
        "KAFKA_CREATE_TOPICS, rivulet.create.topics",
    })
    void aVariableIsAKeyInOtherLetters(String variable, String key) {
        assertThat(properties(Map.of(variable, "value"), Map.of())).containsEntry(key, "value");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"KAFKA_HEAP_OPTS", "KAFKA_OPTS", "KAFKA_JMX_HOSTNAME", "KAFKA_VERSION", "PATH", "CLUSTER_ID"})
    void whatIsForOthersIsNoProperty(String variable) {
        assertThat(properties(Map.of(variable, "value"), Map.of())).doesNotContainValue("value");
    }

    @Test
    void theEnvironmentWinsOverTheFileAndTheFileOverTheImage() {
        Map<String, String> properties = properties(
                Map.of("KAFKA_NUM_PARTITIONS", "5"),
                Map.of("num.partitions", "3", "log.dirs", "/data", "listeners", "PLAINTEXT://:1234"));

        assertThat(properties)
                .containsEntry("num.partitions", "5")
                .containsEntry("log.dirs", "/data")
                .containsEntry("listeners", "PLAINTEXT://:1234")
                .doesNotContainKey("advertised.listeners");
    }

    @Test
    void anEmptyVariableIsIgnored() {
        assertThat(properties(Map.of("KAFKA_NUM_PARTITIONS", ""), Map.of())).doesNotContainKey("num.partitions");
    }

    @Test
    void unknownPropertiesAreKeptForTheLog() {
        BrokerConfig config = config(Map.of("KAFKA_PROCESS_ROLES", "broker,controller", "KAFKA_NO_SUCH_THING", "1"));

        assertThat(config.values().unknownKeys()).containsExactly("no.such.thing", "process.roles");
    }

    // ---- listeners ----

    @Test
    void withoutListenersTheAdvertisedOnesAreOpened() {
        BrokerConfig config = config(Map.of(
                "KAFKA_ADVERTISED_LISTENERS",
                "BROKER://kafka-1:9093,PLAINTEXT://[2001:db8::1]:9092",
                "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP",
                PLAIN));

        assertThat(config.listeners())
                .containsExactly(
                        new Listener("BROKER", "0.0.0.0", 9093, "kafka-1", 9093, null, null),
                        new Listener("PLAINTEXT", "0.0.0.0", 9092, "2001:db8::1", 9092, null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PLAINTEXT://0.0.0.0:9092,BROKER://0.0.0.0:9093,CONTROLLER://0.0.0.0:9094,TC-0://kafka:19092",
                "TC-0://kafka:19092,CONTROLLER://0.0.0.0:9094,BROKER://0.0.0.0:9093,PLAINTEXT://0.0.0.0:9092,",
                "CONTROLLER://:9094,PLAINTEXT://:9092,TC-0://kafka:19092, BROKER://:9093",
            })
    void listenersComeInAnyOrderWithHyphensEmptyHostsAndTrailingCommas(String listeners) {
        BrokerConfig config = config(Map.of(
                "KAFKA_LISTENERS",
                listeners,
                "KAFKA_ADVERTISED_LISTENERS",
                "BROKER://4711:9093,PLAINTEXT://localhost:32768,TC-0://kafka:19092,",
                "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP",
                PLAIN,
                "KAFKA_CONTROLLER_LISTENER_NAMES",
                "CONTROLLER"));

        assertThat(config.listeners())
                .extracting(
                        Listener::name,
                        Listener::port,
                        listener -> listener.advertisedHost() + ":" + listener.advertisedPort())
                .containsExactlyInAnyOrder(
                        tuple("PLAINTEXT", 9092, "localhost:32768"),
                        tuple("BROKER", 9093, "4711:9093"),
                        tuple("TC-0", 19092, "kafka:19092"));
    }

    @Test
    void aWildcardIsNotAdvertised() {
        BrokerConfig config = config(Map.of("KAFKA_LISTENERS", "PLAINTEXT://0.0.0.0:9092"));

        assertThat(config.listeners().get(0).advertisedHost()).isNotIn("", "0.0.0.0");
    }

    @Test
    void onlyListenersForControllersAreNotEnough() {
        assertThatThrownBy(() -> config(Map.of(
                        "KAFKA_LISTENERS", "CONTROLLER://:9094", "KAFKA_CONTROLLER_LISTENER_NAMES", "CONTROLLER")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("listeners is 'CONTROLLER://:9094'");
    }

    // ---- topics ----

    @Test
    void topicsAreCreatedFromTheEnvironment() {
        BrokerConfig config = config(Map.of("KAFKA_CREATE_TOPICS", "orders:3:1, plain,old:2:1:delete,"));

        assertThat(config.topicsAtStart())
                .containsExactly(
                        new TopicAtStart("orders", 3, Map.of()),
                        new TopicAtStart("plain", 1, Map.of()),
                        new TopicAtStart("old", 2, Map.of("cleanup.policy", "delete")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:0", "a:b", "a:1:3", "a:1:1:delete:more"})
    void aTopicThatCannotBeIsRefused(String topics) {
        assertThatThrownBy(() -> config(Map.of("KAFKA_CREATE_TOPICS", topics)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("rivulet.create.topics is '" + topics
                        + "'; allowed is a list of name:partitions:1[:cleanup policy]");
    }

    // ---- memory ----

    @ParameterizedTest
    @CsvSource({"32,16,8,8", "128,64,32,32", "256,128,64,64", "6000,256,64,64"})
    void theStoresMemoryFollowsTheHeap(long heapMib, long tailMib, long cacheMib, long waitingMib) {
        Map<String, String> properties = ContainerProperties.resolve(Map.of(), Map.of(), heapMib * MIB);

        assertThat(properties)
                .containsEntry("rivulet.tail.bytes", String.valueOf(tailMib * MIB))
                .containsEntry("rivulet.cache.bytes", String.valueOf(cacheMib * MIB))
                .containsEntry("rivulet.waiting.bytes", String.valueOf(waitingMib * MIB));
    }

    @Test
    void theReadyLinesAreKafkas() {
        assertThat(ReadyLines.of(7)[0]).matches(".*Transitioning from RECOVERY to RUNNING.*");
        assertThat(ReadyLines.of(7)[1]).matches(".*Kafka Server started.*");
        assertThat(ReadyLines.of(7)[2]).isEqualTo("[KafkaServer id=7] started");
    }

    private static Map<String, String> properties(Map<String, String> environment, Map<String, String> mounted) {
        return new HashMap<>(ContainerProperties.resolve(environment, mounted, HEAP_BYTES));
    }

    private static BrokerConfig config(Map<String, String> environment) {
        return BrokerConfig.of(properties(environment, Map.of()));
    }
}
