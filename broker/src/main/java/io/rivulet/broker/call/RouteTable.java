package io.rivulet.broker.call;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ApiVersionsResponse.ApiVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The APIs that this broker serves: one {@link Route} for each. Other APIs are not advertised.
 *
 * <p>Filled while the broker starts, before the first connection; not changed after that.
 */
public final class RouteTable {
    private final Map<ApiKey, Route> routes = new EnumMap<>(ApiKey.class);
    private final List<ApiVersion> advertised = new ArrayList<>();

    public void add(List<Route> rows) {
        for (Route route : rows) {
            if (routes.put(route.key(), route) != null) {
                throw new IllegalStateException(route.key() + " has two routes");
            }
        }
        advertised.clear();
        for (Route route : routes.values()) {
            advertised.add(new ApiVersion()
                    .apiKey(route.key().id())
                    .minVersion(route.lowestVersion())
                    .maxVersion(route.highestVersion()));
        }
    }

    /** Answers requests of APIs that no other route serves, without advertising them. */
    public void addUnserved(List<Route> rows) {
        for (Route route : rows) {
            routes.putIfAbsent(route.key(), route);
        }
    }

    /** The route of requests of this API and version; null if they are not served. */
    public @Nullable Route find(short apiKey, short version) {
        ApiKey key = ApiKey.forId(apiKey);
        Route route = key == null ? null : routes.get(key);
        return route != null && route.serves(version) ? route : null;
    }

    /** The content of the answer to ApiVersions. */
    public List<ApiVersion> advertised() {
        return Collections.unmodifiableList(advertised);
    }
}
