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
 * @param sasl how clients log in; null if they do not
 */
public record Listener(
        String name,
        String host,
        int port,
        String advertisedHost,
        int advertisedPort,
        @Nullable TlsSettings tls,
        @Nullable SaslSettings sasl) {
    private static final String ALLOWED = "a list of NAME://host:port, each name and port once";
    private static final String SEPARATOR = "://";
    private static final String SASL = "SASL_";
    private static final List<String> PROTOCOLS = List.of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL");

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
                String protocol = protocol(name, protocols, securityMap);
                HostPort advertisedEndpoint = advertisedEndpoints.getOrDefault(name, endpoint);
                String advertisedHost =
                        advertisedEndpoint.hasWildcardHost() ? localHostName() : advertisedEndpoint.host();
                parsed.add(new Listener(
                        name,
                        endpoint.host(),
                        endpoint.port(),
                        advertisedHost,
                        advertisedEndpoint.port(),
                        protocol.endsWith("SSL") ? tls(values, name, protocol) : null,
                        protocol.startsWith(SASL) ? SaslSettings.of(values, name) : null));
            }
        });
        if (parsed.isEmpty()) {
            throw new ConfigException(BrokerKey.LISTENERS.key(), listeners, ALLOWED);
        }
        return List.copyOf(parsed);
    }

    /** Null if there is none of this name. */
    static @Nullable Listener named(String name, List<Listener> listeners) {
        return listeners.stream()
                .filter(listener -> listener.name.equalsIgnoreCase(name.strip()))
                .findFirst()
                .orElse(null);
    }

    /** @throws ConfigException if the key names a listener that is not open */
    static void requireKnown(BrokerKey key, ConfigValues values, List<Listener> listeners) {
        String name = values.text(key);
        if (!name.isBlank() && named(name, listeners) == null) {
            throw new ConfigException(
                    key.key(),
                    name,
                    "one of " + listeners.stream().map(Listener::name).collect(Collectors.joining(", ")));
        }
    }

    /** Whether it is open on each address of this machine. */
    public boolean isOnAllInterfaces() {
        return new HostPort(host, port).hasWildcardHost();
    }

    /** Whether only clients that say who they are can use it: with a login, or a certificate that is trusted. */
    boolean requiresIdentity() {
        return sasl != null || (tls != null && tls.clientAuth() == TlsSettings.ClientAuth.REQUIRED);
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

    private static String protocol(String name, Map<String, String> protocols, String securityMap) {
        String protocol = protocols.getOrDefault(name, name).toUpperCase(Locale.ROOT);
        if (!PROTOCOLS.contains(protocol)) {
            throw new ConfigException(
                    BrokerKey.LISTENER_SECURITY_PROTOCOL_MAP.key(),
                    securityMap,
                    "one of " + String.join(", ", PROTOCOLS) + " for each listener; " + name + " would be " + protocol);
        }
        return protocol;
    }

    /** Where clients log in, they show certificates only if that is set for the listener itself, as in Kafka. */
    private static TlsSettings tls(ConfigValues values, String name, String protocol) {
        TlsSettings tls = TlsSettings.of(values, name);
        return protocol.startsWith(SASL) && !values.isGivenFor(name, BrokerKey.SSL_CLIENT_AUTH)
                ? tls.withoutClientAuth()
                : tls;
    }

    private static String localHostName() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
