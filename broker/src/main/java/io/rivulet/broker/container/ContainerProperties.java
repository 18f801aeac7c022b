package io.rivulet.broker.container;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The broker's properties in a container. From weak to strong: what the image sets, the mounted file, the environment.
 *
 * <p>A variable's name becomes a key as in apache/kafka: without {@code KAFKA_}, in lower case, {@code ___} for a
 * hyphen, {@code __} for an underscore and {@code _} for a dot.
 */
public final class ContainerProperties {
    private static final String PREFIX = "KAFKA_";
    /** Variables for the JVM and for logging, which are no keys. */
    private static final Set<String> NO_KEYS = Set.of(
            "KAFKA_VERSION",
            "KAFKA_HEAP_OPTS",
            "KAFKA_OPTS",
            "KAFKA_JMX_OPTS",
            "KAFKA_JMX_HOSTNAME",
            "KAFKA_JMX_PORT",
            "KAFKA_JVM_PERFORMANCE_OPTS",
            "KAFKA_GC_LOG_OPTS",
            "KAFKA_LOG4J_OPTS",
            "KAFKA_LOG4J_ROOT_LOGLEVEL",
            "KAFKA_LOG4J_LOGGERS",
            "KAFKA_TOOLS_LOG4J_LOGLEVEL");

    private static final Map<String, String> RENAMED = Map.of("KAFKA_CREATE_TOPICS", "rivulet.create.topics");

    private static final String LISTENERS = "listeners";
    private static final String ADVERTISED_LISTENERS = "advertised.listeners";
    private static final long MIB = 1 << 20;

    private ContainerProperties() {}

    /**
     * @param mounted the properties of the mounted file
     * @param heapBytes the largest heap; the store's memory is a share of it
     */
    public static Map<String, String> resolve(
            Map<String, String> environment, Map<String, String> mounted, long heapBytes) {
        Map<String, String> properties = new HashMap<>();
        properties.put("log.dirs", "/var/lib/kafka/data");
        properties.put("rivulet.http.listener", ":9644");
        properties.put("rivulet.tail.bytes", share(heapBytes / 2, 16, 256));
        properties.put("rivulet.cache.bytes", share(heapBytes / 4, 4, 64));
        properties.put("rivulet.waiting.bytes", share(heapBytes / 4, 8, 64));
        properties.putAll(mounted);
        environment.forEach((name, value) -> {
            boolean isKey = name.startsWith(PREFIX) && !NO_KEYS.contains(name) && !SecretFiles.isOne(name);
            if (isKey && !value.isBlank()) {
                properties.put(RENAMED.getOrDefault(name, key(name)), value);
            }
        });
        resolveListeners(properties);
        return properties;
    }

    private static String share(long bytes, long minMib, long maxMib) {
        return String.valueOf(Math.min(maxMib * MIB, Math.max(minMib * MIB, bytes)));
    }

    private static String key(String name) {
        return name.substring(PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace("___", "-")
                .replace("__", "\0")
                .replace('_', '.')
                .replace('\0', '_');
    }

    /** Without listeners, the broker listens on all interfaces, at the ports that are advertised. */
    private static void resolveListeners(Map<String, String> properties) {
        String advertised = properties.get(ADVERTISED_LISTENERS);
        if (advertised != null) {
            properties.putIfAbsent(LISTENERS, advertised.replaceAll("://[^,]*:", "://0.0.0.0:"));
        } else if (properties.putIfAbsent(LISTENERS, "PLAINTEXT://:9092") == null) {
            properties.put(ADVERTISED_LISTENERS, "PLAINTEXT://localhost:9092");
        }
    }
}
