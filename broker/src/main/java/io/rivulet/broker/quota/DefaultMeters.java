package io.rivulet.broker.quota;

import io.rivulet.broker.limit.SecretHash;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The meters of users and clients that only the rule for all of their kind limits. Clients choose their names, so those
 * that are not used for the longest are forgotten. Thread-safe, guarded by its monitor.
 */
final class DefaultMeters {
    static final int MOST = 10_000;

    /** The rest of a longer name is a hash, which clients can't foresee. */
    private static final int MOST_CHARS = 128;

    /**
     * Whose meter it is. It has an order, because clients may choose any number of names that have one hash.
     *
     * @param user null if the rule does not ask for it; so is the client id
     */
    record Key(
            QuotaKind kind, @Nullable String user, @Nullable String clientId) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int kinds = kind.compareTo(other.kind);
            int users = kinds != 0 ? kinds : compare(user, other.user);
            return users != 0 ? users : compare(clientId, other.clientId);
        }

        private static int compare(@Nullable String one, @Nullable String other) {
            if (one == null || other == null) {
                return Boolean.compare(one != null, other != null);
            }
            return one.compareTo(other);
        }
    }

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
        if (name.length() <= MOST_CHARS) {
            return name;
        }
        // Not 0: characters of value 0 would not count.
        long hash = SecretHash.of(name.length());
        for (int i = MOST_CHARS; i < name.length(); i++) {
            hash = SecretHash.with(hash, name.charAt(i));
        }
        return name.substring(0, MOST_CHARS) + '#' + SecretHash.of(hash);
    }

    synchronized int size() {
        return meters.size();
    }
}
