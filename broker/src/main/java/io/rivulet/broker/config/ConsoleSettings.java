package io.rivulet.broker.config;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is a console, where, and by which names browsers reach it. Immutable.
 *
 * @param listener of the console alone; null if it has none
 * @param tls how connections of that listener are encrypted; null if they are not
 * @param hosts names and addresses besides those of loopback, in lower case
 * @param writes whether it may change something
 * @param login whether it asks for a name and a password
 * @param failureDelayMillis how long a wrong password waits for its answer
 */
public record ConsoleSettings(
        boolean isOn,
        @Nullable HostPort listener,
        @Nullable TlsSettings tls,
        Set<String> hosts,
        boolean writes,
        boolean login,
        long failureDelayMillis) {
    /** Keys of the configuration that begin with {@code listener.name.console.} are for the console. */
    public static final String LISTENER_NAME = "CONSOLE";

    private static final String HTTPS = "https://";

    public ConsoleSettings {
        hosts = Set.copyOf(hosts);
    }

    /** @throws ConfigException if passwords would travel in the clear */
    static ConsoleSettings of(ConfigValues values, List<Listener> listeners) {
        boolean login = listeners.stream().map(Listener::sasl).anyMatch(sasl -> sasl != null && sasl.takesPasswords());
        boolean open = !AccessSettings.of(values).isOn() && !listeners.stream().allMatch(Listener::requiresIdentity);
        boolean on = values.isGiven(BrokerKey.CONSOLE)
                ? values.text(BrokerKey.CONSOLE).equals("on")
                : login || open;
        String place = values.text(BrokerKey.CONSOLE_LISTENER);
        boolean encrypted = place.startsWith(HTTPS);
        HostPort listener =
                HttpSettings.place(BrokerKey.CONSOLE_LISTENER, encrypted ? place.substring(HTTPS.length()) : place);
        if (on && login && listener != null && !encrypted && !listener.isLoopback()) {
            throw new ConfigException(
                    BrokerKey.CONSOLE_LISTENER.key(),
                    place,
                    HTTPS + place
                            + ", or an address of loopback: the console asks for passwords, because clients log in");
        }
        Set<String> hosts = Stream.of(values.text(BrokerKey.CONSOLE_HOSTS).split(",", -1))
                .map(host -> host.strip().toLowerCase(Locale.ROOT))
                .filter(host -> !host.isEmpty())
                .collect(Collectors.toSet());
        return new ConsoleSettings(
                on,
                on ? listener : null,
                on && encrypted ? tls(values, listeners) : null,
                hosts,
                values.flag(BrokerKey.CONSOLE_WRITES),
                login,
                values.number(BrokerKey.CONNECTION_FAILED_AUTHENTICATION_DELAY_MS));
    }

    private static TlsSettings tls(ConfigValues values, List<Listener> listeners) {
        if (listeners.stream().anyMatch(listener -> listener.name().equals(LISTENER_NAME))) {
            throw new ConfigException(
                    BrokerKey.LISTENERS.key(), LISTENER_NAME, "another name: this one is for the console over https");
        }
        return TlsSettings.of(values, LISTENER_NAME).withoutClientAuth();
    }
}
