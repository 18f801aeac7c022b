package io.rivulet.broker.config;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The value of each key of the broker. Immutable.
 *
 * @param given values from files, environment and command line, by key
 * @param resolved values of keys that were not given and whose defaults depend on the machine, by key
 * @param unknownKeys keys that were given and that the broker does not have
 */
public record ConfigValues(Map<String, String> given, Map<String, String> resolved, List<String> unknownKeys) {
    static final long MILLIS_PER_MINUTE = 60_000;
    private static final long MILLIS_PER_HOUR = 3_600_000;

    /** Older names, which Kafka accepts too. */
    private static final Map<String, BrokerKey> ALIASES =
            Map.of("log.dir", BrokerKey.LOG_DIRS, "broker.id", BrokerKey.NODE_ID);

    /** @throws ConfigException if a value is not allowed */
    static ConfigValues read(Map<String, String> properties) {
        Map<String, String> known = new TreeMap<>();
        TreeSet<String> unknown = new TreeSet<>();
        properties.forEach((key, value) -> {
            BrokerKey alias = ALIASES.get(key);
            BrokerKey brokerKey = alias == null ? BrokerKey.forKey(key) : alias;
            if (brokerKey == null) {
                unknown.add(key);
            } else {
                brokerKey.type().check(key, value);
                known.put(brokerKey.key(), value.strip());
            }
        });
        resolveRetention(known);
        return new ConfigValues(Map.copyOf(known), Map.of(), List.copyOf(unknown));
    }

    /** The finest unit that is given wins, as in Kafka. */
    private static void resolveRetention(Map<String, String> known) {
        String minutes = known.get(BrokerKey.LOG_RETENTION_MINUTES.key());
        String hours = known.get(BrokerKey.LOG_RETENTION_HOURS.key());
        if (minutes != null) {
            known.putIfAbsent(BrokerKey.LOG_RETENTION_MS.key(), millis(minutes, MILLIS_PER_MINUTE));
        } else if (hours != null) {
            known.putIfAbsent(BrokerKey.LOG_RETENTION_MS.key(), millis(hours, MILLIS_PER_HOUR));
        }
    }

    private static String millis(String value, long unitMillis) {
        long number = Long.parseLong(value);
        return String.valueOf(number < 0 ? -1 : number * unitMillis);
    }

    ConfigValues withResolved(Map<String, String> newResolved) {
        return new ConfigValues(given, newResolved, unknownKeys);
    }

    boolean isGiven(BrokerKey key) {
        return given.containsKey(key.key());
    }

    /** The value, given or default. */
    public String text(BrokerKey key) {
        return given.getOrDefault(key.key(), resolved.getOrDefault(key.key(), key.defaultValue()));
    }

    long number(BrokerKey key) {
        return key.type().parse(key.key(), text(key));
    }

    int integer(BrokerKey key) {
        return (int) number(key);
    }

    boolean flag(BrokerKey key) {
        return Boolean.parseBoolean(text(key));
    }
}
