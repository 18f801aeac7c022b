package io.rivulet.broker.node;

import io.rivulet.broker.config.HostPort;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a broker is reached, listener by listener. Immutable.
 *
 * @param byListener the names in capitals
 */
public record Endpoints(Map<String, HostPort> byListener) {
    private static final String SEPARATOR = "://";

    public Endpoints {
        byListener = Map.copyOf(byListener);
    }

    /**
     * @param text {@code NAME://host:port} for each listener, separated by commas. It comes from another process, so
     *     what no client could connect to is left out.
     */
    public static Endpoints parse(String text) {
        Map<String, HostPort> endpoints = new HashMap<>();
        for (String part : text.split(",", -1)) {
            String listener = part.strip();
            int at = listener.indexOf(SEPARATOR);
            HostPort endpoint = at < 1 ? null : HostPort.parse(listener.substring(at + SEPARATOR.length()));
            if (endpoint != null && !endpoint.host().isEmpty() && endpoint.port() > 0) {
                endpoints.putIfAbsent(capitals(listener.substring(0, at)), endpoint);
            }
        }
        return new Endpoints(endpoints);
    }

    /** Null if there is no listener of this name. */
    public @Nullable HostPort of(String listener) {
        return byListener.get(capitals(listener));
    }

    private static String capitals(String listener) {
        return listener.toUpperCase(Locale.ROOT);
    }
}
