package io.rivulet.broker.dynamic;

import io.rivulet.broker.coordinator.SnapshotEntries;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.limit.Admission;
import io.rivulet.store.Store;
import io.rivulet.store.View;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The configs of resources other than topics: a view of the log, made from entries in {@link ResourceEntryLayout}. A
 * resource without configs is not in it.
 *
 * <p>The log writer changes it. Any thread reads it and sees a change as soon as its entry is durable.
 */
public final class ResourceConfigs implements View {
    public static final int VIEW_ID = 6;

    /** Of names and values. Clients may name as many groups as they like. */
    private static final long MAX_BYTES = 2 << 20;

    /** With all of them, an entry fits into a log group. */
    private static final int MAX_CHANGES = 1000;

    private static final int MAX_TEXT_CHARS = 8192;
    private static final int BYTES_PER_CONFIG = 128;

    private final Map<Resource, Map<String, String>> configs = new ConcurrentHashMap<>();
    private final Admission room = new Admission(MAX_BYTES, this::bytes);
    private final Consumer<Resource> changed;
    private volatile long bytes;

    /** @param changed called on the log-writer thread after a change of the resource */
    public ResourceConfigs(Consumer<Resource> changed) {
        this.changed = changed;
    }

    // ---- any thread ----

    /** Empty if the resource has none. */
    public Map<String, String> of(Resource resource) {
        return configs.getOrDefault(resource, Map.of());
    }

    /** The names of resources of a type that have configs, in order. */
    public List<String> names(byte type) {
        return configs.keySet().stream()
                .filter(resource -> resource.type() == type)
                .map(Resource::name)
                .sorted()
                .toList();
    }

    private long bytes() {
        return bytes;
    }

    /**
     * Completes when the change is durable and in effect.
     *
     * @param changes new values; null removes the key
     * @throws RefusedException if there is no room for them
     */
    public CompletionStage<Integer> change(Store store, Resource resource, Map<String, @Nullable String> changes) {
        if (changes.size() > MAX_CHANGES) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "a request may change " + MAX_CHANGES + " configs of a resource");
        }
        long more = 0;
        for (Map.Entry<String, @Nullable String> change : changes.entrySet()) {
            requireShort(change.getKey());
            String value = change.getValue();
            if (value != null) {
                requireShort(value);
                more += bytes(resource, change.getKey(), value);
            }
        }
        requireShort(resource.name());
        long reserved = more;
        if (!room.reserve(reserved)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION,
                    "configs of groups, brokers and client metrics may take " + MAX_BYTES + " bytes");
        }
        return store.appendState(VIEW_ID, ResourceEntryLayout.entry(resource, changes))
                .whenComplete((written, failure) -> room.release(reserved));
    }

    private static void requireShort(String text) {
        if (text.length() > MAX_TEXT_CHARS) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST,
                    "names and values of configs may have " + MAX_TEXT_CHARS + " characters, not " + text.length());
        }
    }

    private static long bytes(Resource resource, String key, String value) {
        return BYTES_PER_CONFIG + 2L * (resource.name().length() + key.length() + value.length());
    }

    private static long bytes(Resource resource, Map<String, String> values) {
        long sum = 0;
        for (Map.Entry<String, String> value : values.entrySet()) {
            sum += bytes(resource, value.getKey(), value.getValue());
        }
        return sum;
    }

    // ---- log-writer thread ----

    @Override
    public int id() {
        return VIEW_ID;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void apply(long groupTimestamp, ByteBuffer entry) {
        Resource resource = ResourceEntryLayout.takeResource(entry);
        Map<String, String> before = of(resource);
        Map<String, String> after = new TreeMap<>(before);
        ResourceEntryLayout.takeChanges(entry).forEach((key, value) -> {
            if (value == null) {
                after.remove(key);
            } else {
                after.put(key, value);
            }
        });
        if (after.isEmpty()) {
            configs.remove(resource);
        } else {
            configs.put(resource, Map.copyOf(after));
        }
        bytes += bytes(resource, after) - bytes(resource, before);
        changed.accept(resource);
    }

    @Override
    public Snapshot snapshot() {
        List<ByteBuffer> entries = new ArrayList<>();
        new TreeMap<>(byName())
                .forEach((name, resource) ->
                        entries.add(ResourceEntryLayout.entry(resource, new TreeMap<>(of(resource)))));
        return out -> {
            SnapshotEntries.write(entries.stream().map(ByteBuffer::duplicate).toList(), out);
            SnapshotEntries.writeEnd(out);
        };
    }

    /** In an order that does not depend on a hash table. */
    private Map<String, Resource> byName() {
        Map<String, Resource> resources = new TreeMap<>();
        configs.keySet().forEach(resource -> resources.put(resource.type() + ":" + resource.name(), resource));
        return resources;
    }

    @Override
    public void load(ReadableByteChannel in) throws IOException {
        DataInputStream entries = SnapshotEntries.reader(in);
        SnapshotEntries.read(entries, entry -> apply(0, entry));
    }
}
