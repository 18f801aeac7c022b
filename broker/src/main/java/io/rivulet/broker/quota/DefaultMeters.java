package io.rivulet.broker.quota;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The meters of users and clients that only the rule for all of their kind limits. Clients choose their names, so those
 * that are not used for the longest are forgotten. Thread-safe, guarded by its monitor.
 */
final class DefaultMeters {
    static final int MOST = 10_000;

    /** Longer names share a meter if they begin with the same characters and have the same hash. */
    private static final int MOST_CHARS = 128;

    private record Key(
            QuotaKind kind, @Nullable String user, @Nullable String clientId) {}

    private final Map<Key, Meters> meters = new LinkedHashMap<>(16, 0.75f, true);

    synchronized Meters of(QuotaKind kind, QuotaLevel level, String user, String clientId) {
        Key key = new Key(kind, level.isByUser() ? cut(user) : null, level.isByClient() ? cut(clientId) : null);
        Meters known = meters.get(key);
        if (known == null) {
            known = new Meters();
            meters.put(key, known);
            if (meters.size() > MOST) {
                meters.remove(meters.keySet().iterator().next());
            }
        }
        return known;
    }

    private static String cut(String name) {
        return name.length() <= MOST_CHARS ? name : name.substring(0, MOST_CHARS) + '#' + name.hashCode();
    }

    synchronized int size() {
        return meters.size();
    }
}
