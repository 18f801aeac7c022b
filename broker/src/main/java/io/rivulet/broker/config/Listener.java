package io.rivulet.broker.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An address that the broker listens on, and the address that clients are told. Immutable.
 *
 * @param host empty for all interfaces
 * @param port 0 for a free port
 * @param advertisedPort 0 for the port that the listener got
 */
public record Listener(String name, String host, int port, String advertisedHost, int advertisedPort) {
    private static final String ALLOWED = "a list of NAME://host:port, each name and port once";
    private static final int MAX_PORT = 65_535;
    private static final String SEPARATOR = "://";

    private record Endpoint(String host, int port) {
        boolean hasWildcardHost() {
            return host.isEmpty() || host.equals("0.0.0.0") || host.equals("::");
        }
    }

    /**
     * @param controllers names of listeners for controllers, which are not opened
     */
    static List<Listener> parse(String listeners, String advertised, String securityMap, String controllers) {
        Map<String, Endpoint> advertisedEndpoints = endpoints(BrokerKey.ADVERTISED_LISTENERS, advertised);
        Map<String, String> protocols = protocols(securityMap);
        Set<String> unused = Arrays.stream(controllers.split(",", -1))
                .map(name -> name.strip().toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
        List<Listener> parsed = new ArrayList<>();
        endpoints(BrokerKey.LISTENERS, listeners).forEach((name, endpoint) -> {
            if (!unused.contains(name)) {
                requirePlaintext(name, protocols, securityMap);
                Endpoint advertisedEndpoint = advertisedEndpoints.getOrDefault(name, endpoint);
                String advertisedHost =
                        advertisedEndpoint.hasWildcardHost() ? localHostName() : advertisedEndpoint.host;
                parsed.add(new Listener(name, endpoint.host, endpoint.port, advertisedHost, advertisedEndpoint.port));
            }
        });
        if (parsed.isEmpty()) {
            throw new ConfigException(BrokerKey.LISTENERS.key(), listeners, ALLOWED);
        }
        return List.copyOf(parsed);
    }

    private static Map<String, Endpoint> endpoints(BrokerKey key, String text) {
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank() && endpoints.put(name(key, text, part.strip()), endpoint(key, text, part)) != null) {
                throw new ConfigException(key.key(), text, ALLOWED);
            }
        }
        return endpoints;
    }

    private static String name(BrokerKey key, String text, String part) {
        int at = part.indexOf(SEPARATOR);
        if (at < 1) {
            throw new ConfigException(key.key(), text, ALLOWED);
        }
        return part.substring(0, at).toUpperCase(Locale.ROOT);
    }

    private static Endpoint endpoint(BrokerKey key, String text, String part) {
        String place = part.strip().substring(part.strip().indexOf(SEPARATOR) + SEPARATOR.length());
        int colon = place.lastIndexOf(':');
        if (colon < 0) {
            throw new ConfigException(key.key(), text, ALLOWED);
        }
        String host = place.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = Integer.parseInt(place.substring(colon + 1));
            if (port >= 0 && port <= MAX_PORT) {
                return new Endpoint(host, port);
            }
        } catch (NumberFormatException e) {
            throw new ConfigException(key.key(), text, ALLOWED);
        }
        throw new ConfigException(key.key(), text, ALLOWED);
    }

    private static Map<String, String> protocols(String securityMap) {
        Map<String, String> protocols = new HashMap<>();
        for (String part : securityMap.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon > 0) {
                protocols.put(
                        part.substring(0, colon).strip().toUpperCase(Locale.ROOT),
                        part.substring(colon + 1).strip());
            }
        }
        return protocols;
    }

    private static void requirePlaintext(String name, Map<String, String> protocols, String securityMap) {
        String protocol = protocols.getOrDefault(name, name);
        if (!protocol.equals("PLAINTEXT")) {
            throw new ConfigException(
                    BrokerKey.LISTENER_SECURITY_PROTOCOL_MAP.key(),
                    securityMap,
                    "PLAINTEXT for each listener; " + name + " would be " + protocol);
        }
    }

    private static String localHostName() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
