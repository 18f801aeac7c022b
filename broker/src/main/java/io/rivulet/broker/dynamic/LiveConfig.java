package io.rivulet.broker.dynamic;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.BrokerKey;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.broker.config.ConfigValues;
import io.rivulet.broker.config.GroupKey;
import io.rivulet.broker.config.KafkaKey;
import io.rivulet.broker.config.LiveSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the broker as it is now: the values at the start, those set for all brokers, and those set for
 * this one. The last of them wins.
 *
 * <p>Changed by the log-writer thread. Any thread reads it.
 */
public final class LiveConfig {
    /** A value of a key, and where it comes from. Immutable. */
    public record Layer(String value, ConfigSource source) {}

    private final LiveSettings atStart;
    private final Resource broker;
    private final ResourceConfigs resources = new ResourceConfigs(this::resourceChanged);
    private volatile LiveSettings now;
    private Consumer<LiveSettings> changed = settings -> {};
    private Function<LiveSettings, CompletionStage<?>> trial = settings -> CompletableFuture.completedFuture(null);

    public LiveConfig(BrokerConfig config) {
        this.atStart = LiveSettings.of(config);
        this.broker = Resource.broker(config.nodeId());
        this.now = atStart;
    }

    /**
     * Must be called before the store opens.
     *
     * @param action called on the log-writer thread with the new settings of this broker
     */
    public void whenChanged(Consumer<LiveSettings> action) {
        changed = changed.andThen(action);
    }

    /**
     * Must be called before the store opens.
     *
     * @param action tries out settings before they are stored, and fails if they can't be used
     */
    public void tryOutBy(Function<LiveSettings, CompletionStage<?>> action) {
        trial = action;
    }

    // ---- any thread ----

    public ResourceConfigs resources() {
        return resources;
    }

    public Resource broker() {
        return broker;
    }

    public LiveSettings settings() {
        return now;
    }

    /** The value that is in effect; empty if there is none. */
    public String text(BrokerKey key) {
        return now.values().text(key);
    }

    /** The value of a key of Kafka that the broker may not have; empty if there is none. */
    public String text(String name) {
        BrokerKey key = BrokerKey.forKey(name);
        return key == null ? layers(name).get(0).value() : text(key);
    }

    /** The number that a group has: its own or else the broker's, within the bounds that the broker has now. */
    public int ofGroup(String groupId, GroupKey key) {
        String own = resources.of(new Resource(Resource.GROUP, groupId)).get(key.key());
        if (own == null) {
            return number(key.brokerKey(), 0);
        }
        int number = Integer.parseInt(own.strip());
        return Math.max(Math.min(number, most(key)), least(key));
    }

    /** The text that a group has: its own or else the default, for a key without one of the broker. */
    public String textOfGroup(String groupId, GroupKey key) {
        String own = resources.of(new Resource(Resource.GROUP, groupId)).get(key.key());
        return own == null ? Objects.requireNonNull(key.ownDefault(), key.key()) : own.strip();
    }

    /** The largest value that a group may have. */
    public int most(GroupKey key) {
        return key.isBounded() ? number(key.boundKey("max"), Integer.MAX_VALUE) : Integer.MAX_VALUE;
    }

    /** The smallest value that a group may have. */
    public int least(GroupKey key) {
        return key.isBounded() ? number(key.boundKey("min"), 0) : 0;
    }

    /** @param otherwise if there is no such number: values of keys that the broker does not have are not checked */
    private int number(String name, int otherwise) {
        try {
            return Integer.parseInt(text(name).strip());
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** All values of a key, the one in effect first and the default last. */
    public List<Layer> layers(String name) {
        List<Layer> layers = dynamicLayers(broker, name);
        ConfigValues values = atStart.values();
        add(layers, values.given().getOrDefault(name, values.unknown().get(name)), ConfigSource.STATIC_BROKER);
        add(layers, defaultValue(name), ConfigSource.DEFAULT);
        return layers;
    }

    /**
     * The values of a key that were set while brokers ran.
     *
     * @param of any broker, or all of them
     */
    public List<Layer> dynamicLayers(Resource of, String name) {
        List<Layer> layers = new ArrayList<>(4);
        if (!of.equals(Resource.ALL_BROKERS)) {
            add(layers, resources.of(of).get(name), ConfigSource.DYNAMIC_BROKER);
        }
        add(layers, resources.of(Resource.ALL_BROKERS).get(name), ConfigSource.DYNAMIC_DEFAULT_BROKER);
        return layers;
    }

    private static String defaultValue(String name) {
        BrokerKey key = BrokerKey.forKey(name);
        if (key != null) {
            return key.defaultValue();
        }
        KafkaKey kafkas = KafkaKey.forKey(name);
        return kafkas == null ? "" : kafkas.defaultValue();
    }

    private static void add(List<Layer> layers, @Nullable String value, ConfigSource source) {
        if (value != null) {
            layers.add(new Layer(value, source));
        }
    }

    /**
     * The settings that a change would lead to.
     *
     * @param values the new values of the resource, which is this broker or all of them
     * @throws ConfigException if a value is not allowed
     */
    public LiveSettings check(Resource resource, Map<String, String> values) {
        boolean forAll = resource.equals(Resource.ALL_BROKERS);
        return settings(forAll ? values : resources.of(Resource.ALL_BROKERS), forAll ? resources.of(broker) : values);
    }

    /**
     * Completes when settings, as {@link #check} has returned them, were tried out. Fails if they can't be used. Any
     * thread; does not block.
     *
     * @throws ConfigException if a value is not allowed
     */
    public CompletionStage<?> tryOut(LiveSettings next) {
        return trial.apply(next);
    }

    private LiveSettings settings(Map<String, String> ofAll, Map<String, String> ofThis) {
        Map<String, String> dynamic = new HashMap<>(ofAll);
        dynamic.putAll(ofThis);
        return atStart.with(dynamic);
    }

    // ---- log-writer thread ----

    private void resourceChanged(Resource resource) {
        if (resource.equals(broker) || resource.equals(Resource.ALL_BROKERS)) {
            now = settings(resources.of(Resource.ALL_BROKERS), resources.of(broker));
            changed.accept(now);
        }
    }
}
