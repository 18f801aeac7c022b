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
 * An address that the broker listens on, and the address that clients connect to. Immutable.
 *
 * @param host empty for all interfaces
 * @param port 0 for a free port
 * @param advertisedPort 0 for the port that the listener got
 */
public record Listener(String name, String host, int port, String advertisedHost, int advertisedPort) {
    private static final String ALLOWED = "a list of NAME://host:port, each name and port once";
    private static final String SEPARATOR = "://";

    /**
     * @param controllers names of listeners for controllers, which are not opened
     */
    static List<Listener> parse(String listeners, String advertised, String securityMap, String controllers) {
        Map<String, HostPort> advertisedEndpoints = endpoints(BrokerKey.ADVERTISED_LISTENERS, advertised);
        Map<String, String> protocols = protocols(securityMap);
        Set<String> unused = Arrays.stream(controllers.split(",", -1))
                .map(name -> name.strip().toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
        List<Listener> parsed = new ArrayList<>();
        endpoints(BrokerKey.LISTENERS, listeners).forEach((name, endpoint) -> {
            if (!unused.contains(name)) {
                requirePlaintext(name, protocols, securityMap);
                HostPort advertisedEndpoint = advertisedEndpoints.getOrDefault(name, endpoint);
                String advertisedHost =
                        advertisedEndpoint.hasWildcardHost() ? localHostName() : advertisedEndpoint.host();
                parsed.add(new Listener(
                        name, endpoint.host(), endpoint.port(), advertisedHost, advertisedEndpoint.port()));
            }
        });
        if (parsed.isEmpty()) {
            throw new ConfigException(BrokerKey.LISTENERS.key(), listeners, ALLOWED);
        }
        return List.copyOf(parsed);
    }

    private static Map<String, HostPort> endpoints(BrokerKey key, String text) {
        Map<String, HostPort> endpoints = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            String listener = part.strip();
            int at = listener.indexOf(SEPARATOR);
            HostPort endpoint = at < 1 ? null : HostPort.parse(listener.substring(at + SEPARATOR.length()));
            boolean isValid = endpoint != null
                    && endpoints.put(listener.substring(0, at).toUpperCase(Locale.ROOT), endpoint) == null;
            if (!isValid && !listener.isEmpty()) {
                throw new ConfigException(key.key(), text, ALLOWED);
            }
        }
        return endpoints;
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
