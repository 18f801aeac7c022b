package io.rivulet.broker.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key that Kafka's broker has, from the resource {@code kafka-keys.txt}. Immutable; the resource is read when a key
 * is first asked for.
 *
 * @param kind the type in Kafka's words, such as INT
 * @param defaultValue empty if there is none
 * @param dynamic whether Kafka's broker can change it while it runs
 * @param optional whether Kafka's broker describes it only if it is set
 */
public record KafkaKey(String key, String kind, String defaultValue, boolean dynamic, boolean optional) {
    private static final int FIELDS = 4;

    private static final class Holder {
        static final Map<String, KafkaKey> KEYS = read();
    }

    private static Map<String, KafkaKey> read() {
        Map<String, KafkaKey> keys = new LinkedHashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(KafkaKey.class.getResourceAsStream("kafka-keys.txt")),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    String[] fields = line.split("\t", FIELDS);
                    boolean optional = fields[2].equals("optional");
                    boolean dynamic = optional || fields[2].equals("dynamic");
                    keys.put(fields[0], new KafkaKey(fields[0], fields[1], fields[3], dynamic, optional));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("kafka-keys.txt can't be read from the jar", e);
        }
        return keys;
    }

    /** Null if Kafka has no such key. */
    public static @Nullable KafkaKey forKey(String key) {
        return Holder.KEYS.get(key);
    }

    /** All keys, by name. */
    public static Collection<KafkaKey> all() {
        return Holder.KEYS.values();
    }

    /** A value may be anything that has the type. */
    public ConfigType type() {
        return switch (kind) {
            case "BOOLEAN" -> ConfigType.FLAG;
            case "INT", "SHORT" -> ConfigType.ints(Integer.MIN_VALUE);
            case "LONG" -> ConfigType.longs(Long.MIN_VALUE);
            case "DOUBLE" -> ConfigType.fraction(-Double.MAX_VALUE, Double.MAX_VALUE);
            case "LIST" -> ConfigType.ANY_LIST;
            case "PASSWORD" -> ConfigType.PASSWORD;
            default -> ConfigType.TEXT;
        };
    }

    public boolean isSecret() {
        return kind.equals("PASSWORD");
    }
}
