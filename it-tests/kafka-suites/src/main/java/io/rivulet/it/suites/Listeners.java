package io.rivulet.it.suites;

import io.rivulet.store.faults.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** The listeners that a test asks for. Immutable. */
final class Listeners {
    /** The one listener of a test that names none. */
    static final String DEFAULT = "EXTERNAL";

    /** One listener. Immutable. */
    record Listener(String name, SecurityProtocol protocol, int port) {
        boolean hasTls() {
            return protocol == SecurityProtocol.SSL || protocol == SecurityProtocol.SASL_SSL;
        }

        boolean hasLogin() {
            return protocol == SecurityProtocol.SASL_PLAINTEXT || protocol == SecurityProtocol.SASL_SSL;
        }

        /** A key of this listener alone. */
        String key(String key) {
            return "listener.name." + name.toLowerCase(Locale.ROOT) + "." + key;
        }
    }

    private final List<Listener> all;

    private Listeners(List<Listener> all) {
        this.all = List.copyOf(all);
    }

    /**
     * Those of the server properties, without the listeners of controllers.
     *
     * @param name the listener of a test that names none
     * @param protocol its protocol, if the properties do not name one
     */
    static Listeners of(Map<?, ?> wanted, String name, SecurityProtocol protocol) {
        Map<String, String> protocols = words(wanted, "listener.security.protocol.map").stream()
                .map(pair -> pair.split(":", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, again) -> again));
        Set<String> controllers = Set.copyOf(words(wanted, "controller.listener.names"));
        List<Listener> listeners = new ArrayList<>();
        for (String listener : words(wanted, "listeners")) {
            String[] parts = listener.split("://", 2);
            if (!controllers.contains(parts[0])) {
                int port = Integer.parseInt(parts[1].substring(parts[1].lastIndexOf(':') + 1));
                SecurityProtocol known = SecurityProtocol.forName(protocols.getOrDefault(parts[0], parts[0]));
                listeners.add(new Listener(parts[0], known, port == 0 ? freePort() : port));
            }
        }
        if (listeners.isEmpty()) {
            SecurityProtocol known = SecurityProtocol.forName(protocols.getOrDefault(name, protocol.name()));
            listeners.add(new Listener(name, known, freePort()));
        }
        return new Listeners(listeners);
    }

    private static List<String> words(Map<?, ?> wanted, String key) {
        Object value = wanted.get(key);
        return value == null || value.toString().isBlank()
                ? List.of()
                : List.of(value.toString().strip().split("\\s*,\\s*"));
    }

    List<Listener> all() {
        return all;
    }

    Listener first() {
        return all.get(0);
    }

    /** The first one, if there is none of this name. */
    Listener named(String name) {
        return all.stream()
                .filter(listener -> listener.name().equals(name))
                .findFirst()
                .orElse(first());
    }

    boolean haveTls() {
        return all.stream().anyMatch(Listener::hasTls);
    }

    boolean haveLogin() {
        return all.stream().anyMatch(Listener::hasLogin);
    }

    static int freePort() {
        try {
            return Ports.free();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
