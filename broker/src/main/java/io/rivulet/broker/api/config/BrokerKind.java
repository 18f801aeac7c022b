package io.rivulet.broker.api.config;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.ConfigReference;
import io.rivulet.broker.config.ConfigType;
import io.rivulet.broker.config.DynamicKeys;
import io.rivulet.broker.config.KafkaKey;
import io.rivulet.broker.config.TopicConfigKey;
import io.rivulet.broker.config.UnservedKeys;
import io.rivulet.broker.dynamic.ConfigSource;
import io.rivulet.broker.dynamic.LiveConfig;
import io.rivulet.broker.dynamic.LiveConfig.Layer;
import io.rivulet.broker.dynamic.Resource;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.DescribeConfigsResponse.DescribeConfigsResourceResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configs of this broker, by its id, and those of all brokers, by the empty name. Keys that Kafka can change and
 * that have no effect here are kept. So are unknown keys, as in Kafka, where a plugin may use them. Of another broker
 * that is alive, only what was set while brokers ran is known. Thread-safe.
 */
record BrokerKind(ApiParts parts) implements ConfigKind {
    private LiveConfig live() {
        return parts.live();
    }

    /** Null if it is neither this broker nor the default. */
    private @Nullable Resource resource(String name) {
        Resource resource = new Resource(Resource.BROKER, name);
        return resource.equals(Resource.ALL_BROKERS) || resource.equals(live().broker()) ? resource : null;
    }

    private Resource require(String name) {
        Resource resource = resource(name);
        if (resource == null) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST,
                    (isAlive(name) ? "only the owner can change its own configs" : "there is no broker '" + name + "'")
                            + "; this is broker " + parts.nodeId());
        }
        return resource;
    }

    private boolean isAlive(String name) {
        return Arrays.stream(parts.nodes().ids()).mapToObj(String::valueOf).anyMatch(name::equals);
    }

    // ---- describe ----

    @Override
    public List<DescribeConfigsResourceResult> describe(String resource, Wanted wanted) {
        Resource of = isAlive(resource) ? new Resource(Resource.BROKER, resource) : require(resource);
        boolean ofThis = of.equals(live().broker());
        List<DescribeConfigsResourceResult> configs = new ArrayList<>();
        for (String name : ofThis ? names() : dynamicNames(of)) {
            List<Layer> layers = ofThis ? live().layers(name) : live().dynamicLayers(of, name);
            if (wanted.has(name) && isDescribed(name, layers)) {
                configs.add(describe(name, layers, wanted));
            }
        }
        return configs;
    }

    private static boolean isDescribed(String name, List<Layer> layers) {
        if (layers.isEmpty()) {
            return false;
        }
        KafkaKey kafkas = KafkaKey.forKey(name);
        return kafkas == null || !kafkas.optional() || layers.get(0).source() != ConfigSource.DEFAULT;
    }

    private Iterable<String> names() {
        TreeSet<String> names = new TreeSet<>();
        Stream.of(BrokerKey.values()).map(BrokerKey::key).forEach(names::add);
        KafkaKey.all().stream().map(KafkaKey::key).forEach(names::add);
        names.addAll(dynamicNames(live().broker()));
        return names;
    }

    private Set<String> dynamicNames(Resource of) {
        Set<String> names = new TreeSet<>(live().resources().of(of).keySet());
        names.addAll(live().resources().of(Resource.ALL_BROKERS).keySet());
        return names;
    }

    private DescribeConfigsResourceResult describe(String name, List<Layer> layers, Wanted wanted) {
        BrokerKey key = key(name);
        KafkaKey kafkas = KafkaKey.forKey(name);
        // What an unknown key means is unknown too, so it may be a secret.
        boolean secret =
                key == null ? kafkas == null || kafkas.isSecret() : key.type().isSecret();
        boolean isDefault = layers.get(0).source() == ConfigSource.DEFAULT;
        // A default may depend on the machine.
        String value =
                isDefault && key != null ? live().text(key) : layers.get(0).value();
        DescribeConfigsResourceResult described = wanted.describe(
                name,
                value,
                type(key, kafkas),
                secret ? List.of() : Wanted.synonyms(name, layers),
                () -> documentation(key));
        return described
                .readOnly(!canChange(name))
                .configSource(layers.get(0).source().code())
                .isSensitive(secret)
                .value(secret ? null : value);
    }

    /** The key, perhaps of one listener. Null if the broker does not have it. */
    private static @Nullable BrokerKey key(String name) {
        BrokerKey ofListener = UnservedKeys.ofListener(name);
        return ofListener == null ? BrokerKey.forKey(name) : ofListener;
    }

    private static ConfigType type(@Nullable BrokerKey key, @Nullable KafkaKey kafkas) {
        return key != null ? key.type() : kafkas == null ? ConfigType.UNKNOWN : kafkas.type();
    }

    private static String documentation(@Nullable BrokerKey key) {
        return key == null ? "A key of Kafka that has no effect here." : ConfigReference.documentation(key);
    }

    // ---- change ----

    @Override
    public Map<String, String> present(String resource) {
        Resource known = resource(resource);
        return known == null ? Map.of() : live().resources().of(known);
    }

    @Override
    public boolean isList(String key) {
        return type(key(key), KafkaKey.forKey(key)).isList();
    }

    @Override
    public String inherited(String key) {
        return live().text(key);
    }

    private static boolean canChange(String name) {
        BrokerKey ofListener = UnservedKeys.ofListener(name);
        if (ofListener != null) {
            return DynamicKeys.canChangeOfListener(ofListener);
        }
        BrokerKey key = BrokerKey.forKey(name);
        if (key != null) {
            return DynamicKeys.canChange(key);
        }
        KafkaKey kafkas = KafkaKey.forKey(name);
        return kafkas == null ? !name.startsWith("rivulet.") : kafkas.dynamic();
    }

    private static boolean isOfOneBroker(String name) {
        BrokerKey ofListener = UnservedKeys.ofListener(name);
        return ofListener != null && !DynamicKeys.canBeOfAllBrokers(ofListener);
    }

    /** A value that is not allowed is INVALID_REQUEST here, as in Kafka, and not INVALID_CONFIG. */
    @Override
    public void check(String resource, Map<String, String> configs) {
        Resource known = require(resource);
        List<String> fixed = configs.keySet().stream()
                .filter(name -> !canChange(name))
                .sorted()
                .toList();
        if (!fixed.isEmpty()) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "Cannot update these configs dynamically: " + fixed);
        }
        boolean ofAll = known.equals(Resource.ALL_BROKERS);
        if (ofAll && configs.keySet().stream().anyMatch(BrokerKind::isOfOneBroker)) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "keys of a listener can be set for one broker only, by its id");
        }
        configs.keySet().stream().filter(UnservedKeys::decides).findFirst().ifPresent(name -> {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "this broker does not serve " + name);
        });
        try {
            configs.forEach(
                    (name, value) -> type(key(name), KafkaKey.forKey(name)).check(name, value));
            live().check(known, configs);
        } catch (ConfigException e) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public CompletionStage<?> tryOut(String resource, Map<String, String> configs) {
        try {
            return live().tryOut(live().check(require(resource), configs));
        } catch (ConfigException e) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public CompletionStage<?> change(
            String resource, Map<String, @Nullable String> changes, Map<String, String> configs) {
        CompletionStage<?> changed = live().resources().change(parts.store(), require(resource), changes);
        return changesTopics(changes)
                ? changed.thenCompose(done ->
                        parts.admin().defaultsChanged(parts.longAnswers().parts()))
                : changed;
    }

    private static boolean changesTopics(Map<String, @Nullable String> changes) {
        return Stream.of(TopicConfigKey.values())
                .map(TopicConfigKey::brokerKey)
                .anyMatch(key -> key != null && changes.containsKey(key.key()));
    }
}
