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
import org.jspecify.annotations.Nullable;

/**
 * An address that the broker listens on, and the address that clients connect to. Immutable.
 *
 * @param host empty for all interfaces
 * @param port 0 for a free port
 * @param advertisedPort 0 for the port that the listener got
 * @param tls how connections are encrypted; null if they are not
 */
public record Listener(
        String name,
        String host,
        int port,
        String advertisedHost,
        int advertisedPort,
        @Nullable TlsSettings tls) {
    private static final String ALLOWED = "a list of NAME://host:port, each name and port once";
    private static final String SEPARATOR = "://";

    /** The listeners to open: not those for controllers. */
    static List<Listener> parse(ConfigValues values) {
        String listeners = values.text(BrokerKey.LISTENERS);
        Map<String, HostPort> advertisedEndpoints =
                endpoints(BrokerKey.ADVERTISED_LISTENERS, values.text(BrokerKey.ADVERTISED_LISTENERS));
        String securityMap = values.text(BrokerKey.LISTENER_SECURITY_PROTOCOL_MAP);
        Map<String, String> protocols = protocols(securityMap);
        Set<String> unused = Arrays.stream(
                        values.text(BrokerKey.CONTROLLER_LISTENER_NAMES).split(",", -1))
                .map(name -> name.strip().toUpperCase(Locale.ROOT))
                .collect(Collectors.toSet());
        List<Listener> parsed = new ArrayList<>();
        endpoints(BrokerKey.LISTENERS, listeners).forEach((name, endpoint) -> {
            if (!unused.contains(name)) {
                boolean isEncrypted = isEncrypted(name, protocols, securityMap);
                HostPort advertisedEndpoint = advertisedEndpoints.getOrDefault(name, endpoint);
                String advertisedHost =
                        advertisedEndpoint.hasWildcardHost() ? localHostName() : advertisedEndpoint.host();
                parsed.add(new Listener(
                        name,
                        endpoint.host(),
                        endpoint.port(),
                        advertisedHost,
                        advertisedEndpoint.port(),
                        isEncrypted ? TlsSettings.of(values, name) : null));
            }
        });
        if (parsed.isEmpty()) {
            throw new ConfigException(BrokerKey.LISTENERS.key(), listeners, ALLOWED);
        }
        return List.copyOf(parsed);
    }

    /** Whether only clients with a certificate that is trusted can use it. */
    boolean requiresCertificate() {
        return tls != null && tls.clientAuth() == TlsSettings.ClientAuth.REQUIRED;
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

    private static boolean isEncrypted(String name, Map<String, String> protocols, String securityMap) {
        String protocol = protocols.getOrDefault(name, name);
        return switch (protocol.toUpperCase(Locale.ROOT)) {
            case "PLAINTEXT" -> false;
            case "SSL" -> true;
            default ->
                throw new ConfigException(
                        BrokerKey.LISTENER_SECURITY_PROTOCOL_MAP.key(),
                        securityMap,
                        "PLAINTEXT or SSL for each listener; " + name + " would be " + protocol);
        };
    }

    private static String localHostName() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
