package io.rivulet.broker.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The value of each key of the broker. Immutable.
 *
 * @param given values from files, environment and command line, by key
 * @param resolved values of keys that were not given and whose defaults depend on the machine, by key
 * @param unknown values that were given for keys that the broker does not have, by key
 */
public record ConfigValues(Map<String, String> given, Map<String, String> resolved, Map<String, String> unknown) {
    static final long MILLIS_PER_MINUTE = 60_000;
    private static final long MILLIS_PER_HOUR = 3_600_000;

    /** Older names, which Kafka accepts too. */
    private static final Map<String, BrokerKey> ALIASES =
            Map.of("log.dir", BrokerKey.LOG_DIRS, "broker.id", BrokerKey.NODE_ID);

    /** @throws ConfigException if a value is not allowed */
    static ConfigValues read(Map<String, String> properties) {
        UnservedKeys.refuse(properties);
        Map<String, String> known = new TreeMap<>();
        Map<String, String> unknown = new TreeMap<>();
        properties.forEach((key, value) -> {
            BrokerKey ofListener = UnservedKeys.ofListener(key);
            BrokerKey brokerKey = ofListener == null ? find(key) : ofListener;
            if (brokerKey == null) {
                unknown.put(key, value.strip());
            } else {
                brokerKey.type().check(key, value);
                known.put(ofListener == null ? brokerKey.key() : key, value.strip());
            }
        });
        resolveUnits(known);
        return new ConfigValues(Map.copyOf(known), Map.of(), Map.copyOf(unknown));
    }

    /** The key with the name, or with the older name; null if the broker has none. */
    static @Nullable BrokerKey find(String key) {
        BrokerKey alias = ALIASES.get(key);
        return alias == null ? BrokerKey.forKey(key) : alias;
    }

    /** The finest unit that is given wins, as in Kafka. */
    private static void resolveUnits(Map<String, String> known) {
        convert(known, BrokerKey.LOG_RETENTION_MINUTES, BrokerKey.LOG_RETENTION_MS, MILLIS_PER_MINUTE);
        convert(known, BrokerKey.LOG_RETENTION_HOURS, BrokerKey.LOG_RETENTION_MS, MILLIS_PER_HOUR);
        convert(known, BrokerKey.LOG_ROLL_HOURS, BrokerKey.LOG_ROLL_MS, MILLIS_PER_HOUR);
        convert(known, BrokerKey.LOG_ROLL_JITTER_HOURS, BrokerKey.LOG_ROLL_JITTER_MS, MILLIS_PER_HOUR);
    }

    private static void convert(Map<String, String> known, BrokerKey from, BrokerKey toMillis, long unitMillis) {
        String value = known.get(from.key());
        if (value != null) {
            long number = Long.parseLong(value);
            known.putIfAbsent(toMillis.key(), String.valueOf(number < 0 ? -1 : number * unitMillis));
        }
    }

    ConfigValues withResolved(Map<String, String> newResolved) {
        return new ConfigValues(given, newResolved, unknown);
    }

    /**
     * These values with those that were set while the broker runs. A value that is no longer allowed has no effect.
     */
    ConfigValues with(Map<String, String> dynamic) {
        Map<String, String> all = new HashMap<>(given);
        dynamic.forEach((name, value) -> {
            BrokerKey ofListener = UnservedKeys.ofListener(name);
            BrokerKey key = ofListener == null ? BrokerKey.forKey(name) : ofListener;
            boolean canChange = ofListener == null
                    ? key != null && DynamicKeys.canChange(key)
                    : DynamicKeys.canChangeOfListener(ofListener);
            if (key != null && canChange && key.type().allows(value)) {
                all.put(name, value.strip());
            }
        });
        return new ConfigValues(Map.copyOf(all), resolved, unknown);
    }

    /** In order. */
    public List<String> unknownKeys() {
        return unknown.keySet().stream().sorted().toList();
    }

    boolean isGiven(BrokerKey key) {
        return given.containsKey(key.key());
    }

    /** The value, given or default. */
    public String text(BrokerKey key) {
        return given.getOrDefault(key.key(), resolved.getOrDefault(key.key(), key.defaultValue()));
    }

    /** The value for the listener: its own, or that of all listeners. */
    String ofListener(String listener, BrokerKey key) {
        return given.getOrDefault(TlsSettings.prefix(listener) + key.key(), text(key));
    }

    boolean isGivenFor(String listener, BrokerKey key) {
        return given.containsKey(TlsSettings.prefix(listener) + key.key());
    }

    /** The value for a mechanism of the listener. */
    String ofMechanism(String listener, SaslMechanism mechanism, BrokerKey key, String otherwise) {
        return given.getOrDefault(TlsSettings.prefix(listener) + mechanism.keyPart() + "." + key.key(), otherwise);
    }

    /** The text for a mechanism of the listener: its own, that of the listener, or that of all. */
    String textOfMechanism(String listener, SaslMechanism mechanism, BrokerKey key) {
        return ofMechanism(listener, mechanism, key, ofListener(listener, key));
    }

    /** The number for a mechanism of the listener: its own, that of the listener, or that of all. */
    long numberOfMechanism(String listener, SaslMechanism mechanism, BrokerKey key) {
        return key.type().parse(key.key(), ofMechanism(listener, mechanism, key, ofListener(listener, key)));
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
