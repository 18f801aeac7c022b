package io.rivulet.broker.dynamic;

import io.rivulet.broker.coordinator.EntryText;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log entry of {@link ResourceConfigs}. Numbers are big-endian. A text is its length in two bytes and UTF-8.
 *
 * <pre>
 * | version 1, one byte | resource type 1 | resource name text | count 2 | for each: key text, value text |
 * </pre>
 *
 * <p>A value without text, of length -1, removes the key. Keys that are not in the entry keep their values.
 *
 * <p>Crash policy: durable and checksummed with its group. To apply the entries of a time again, in their order,
 * changes nothing.
 */
final class ResourceEntryLayout {
    private static final byte VERSION = 1;

    private ResourceEntryLayout() {}

    /** @param changes new values; null removes the key */
    static ByteBuffer entry(Resource resource, Map<String, @Nullable String> changes) {
        int bytes = 2 + EntryText.maxBytes(resource.name()) + Short.BYTES;
        for (Map.Entry<String, @Nullable String> change : changes.entrySet()) {
            bytes += EntryText.maxBytes(change.getKey()) + EntryText.maxBytes(change.getValue());
        }
        ByteBuffer entry = ByteBuffer.allocate(bytes).put(VERSION).put(resource.type());
        EntryText.put(entry, resource.name());
        entry.putShort((short) changes.size());
        changes.forEach((key, value) -> {
            EntryText.put(entry, key);
            EntryText.put(entry, value);
        });
        return entry.flip();
    }

    static Resource takeResource(ByteBuffer entry) {
        byte version = entry.get();
        if (version != VERSION) {
            throw new IllegalStateException("an entry of configs has the unknown version " + version);
        }
        return new Resource(entry.get(), EntryText.take(entry));
    }

    static Map<String, @Nullable String> takeChanges(ByteBuffer entry) {
        Map<String, @Nullable String> changes = new LinkedHashMap<>();
        for (int left = entry.getShort(); left > 0; left--) {
            changes.put(EntryText.take(entry), EntryText.takeOrNull(entry));
        }
        return changes;
    }
}
