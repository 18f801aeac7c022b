package io.rivulet.broker.quota;

import io.rivulet.broker.coordinator.EntryText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log entry of {@link QuotaRules}. Numbers are big-endian. A text is its length in two bytes and UTF-8.
 *
 * <pre>
 * | version 1, one byte | count 2 | for each: entity, changes 1 | for each change: kind 1, limit 8 | ...
 *
 * entity: | names 1 | for each: type text, name text, which is of length -1 for the default |
 * </pre>
 *
 * <p>A limit of 0 removes the rule. Kinds that are not in the entry keep their limits.
 *
 * <p>Crash policy: durable and checksummed with its group. To apply the entries of a time again, in their order,
 * changes nothing.
 */
final class QuotaEntryLayout {
    private static final byte VERSION = 1;
    private static final double NONE = 0;

    private QuotaEntryLayout() {}

    /** @param changes new limits; null removes the rule */
    static ByteBuffer entry(List<QuotaChange> changes) {
        int bytes = 1 + Short.BYTES;
        for (QuotaChange change : changes) {
            bytes += bytes(change);
        }
        ByteBuffer entry = ByteBuffer.allocate(bytes).put(VERSION).putShort((short) changes.size());
        for (QuotaChange change : changes) {
            Map<String, @Nullable String> names = change.entity().names();
            entry.put((byte) names.size());
            names.forEach((type, name) -> {
                EntryText.put(entry, type);
                EntryText.put(entry, name);
            });
            entry.put((byte) change.limits().size());
            change.limits().forEach((kind, limit) -> entry.put(kind.code()).putDouble(limit == null ? NONE : limit));
        }
        return entry.flip();
    }

    /** The most bytes that a change takes. */
    static int bytes(QuotaChange change) {
        int bytes = 2 + change.limits().size() * (1 + Double.BYTES);
        for (Map.Entry<String, @Nullable String> name : change.entity().names().entrySet()) {
            bytes += EntryText.maxBytes(name.getKey()) + EntryText.maxBytes(name.getValue());
        }
        return bytes;
    }

    static List<QuotaChange> take(ByteBuffer entry) {
        byte version = entry.get();
        if (version != VERSION) {
            throw new IllegalStateException("an entry of quotas has the unknown version " + version);
        }
        List<QuotaChange> changes = new ArrayList<>();
        for (int left = entry.getShort(); left > 0; left--) {
            Map<String, @Nullable String> names = new LinkedHashMap<>();
            for (int name = entry.get(); name > 0; name--) {
                names.put(EntryText.take(entry), EntryText.takeOrNull(entry));
            }
            Map<QuotaKind, @Nullable Double> limits = new LinkedHashMap<>();
            for (int limit = entry.get(); limit > 0; limit--) {
                byte code = entry.get();
                QuotaKind kind = QuotaKind.ofCode(code);
                if (kind == null) {
                    throw new IllegalStateException("an entry of quotas has the unknown kind " + code);
                }
                double value = entry.getDouble();
                limits.put(kind, value == NONE ? null : Double.valueOf(value));
            }
            changes.add(new QuotaChange(QuotaEntity.of(names), limits));
        }
        return changes;
    }
}
