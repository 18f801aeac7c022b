package io.rivulet.it.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.apache.kafka.server.config.QuotaConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Holds the broker's list of Kafka's keys against Kafka. */
final class KafkaKeysTest {
    private static final Path LIST = Path.of("../../broker/src/main/resources/io/rivulet/broker/config/kafka-keys.txt");

    /** They can only be set while the broker runs. */
    private static final List<String> NEVER_STATIC = List.of(
            QuotaConfig.LEADER_REPLICATION_THROTTLED_RATE_CONFIG,
            QuotaConfig.FOLLOWER_REPLICATION_THROTTLED_RATE_CONFIG,
            QuotaConfig.REPLICA_ALTER_LOG_DIRS_IO_MAX_BYTES_PER_SECOND_CONFIG);

    @Test
    void theListHasKafkasKeysTypesAndDefaults() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        AbstractKafkaConfig.CONFIG_DEF.configKeys().values().stream()
                .filter(key -> !key.internalConfig)
                .forEach(key -> expected.put(key.name, line(key)));
        NEVER_STATIC.forEach(name -> expected.put(name, name + "\tLONG\tdynamic\t" + Long.MAX_VALUE));

        List<String> listed = Files.readAllLines(LIST).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();

        assertThat(listed)
                .as("Bring kafka-keys.txt up to date, and decide for each new key whether it acts, does nothing, or"
                        + " stops the start (UnservedKeys)")
                .containsExactlyElementsOf(expected.values());
    }

    private static String line(ConfigKey key) {
        String mode = DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS.contains(key.name) ? "dynamic" : "fixed";
        return String.join("\t", key.name, key.type.name(), mode, text(key.hasDefault() ? key.defaultValue : null));
    }

    private static String text(@Nullable Object value) {
        if (value instanceof Collection<?> list) {
            return list.stream().map(String::valueOf).collect(Collectors.joining(","));
        }
        return value instanceof Class<?> type ? type.getName() : value == null ? "" : value.toString();
    }
}
