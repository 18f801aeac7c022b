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
 * @param hosts names and addresses besides those of loopback, in lower case
 * @param writes whether it may change something
 */
public record ConsoleSettings(boolean isOn, @Nullable HostPort listener, Set<String> hosts, boolean writes) {
    public ConsoleSettings {
        hosts = Set.copyOf(hosts);
    }

    static ConsoleSettings of(ConfigValues values, List<Listener> listeners) {
        boolean on = values.isGiven(BrokerKey.CONSOLE)
                ? values.text(BrokerKey.CONSOLE).equals("on")
                : !AccessSettings.of(values).isOn() && !listeners.stream().allMatch(Listener::requiresIdentity);
        HostPort listener = HttpSettings.place(values, BrokerKey.CONSOLE_LISTENER);
        Set<String> hosts = Stream.of(values.text(BrokerKey.CONSOLE_HOSTS).split(",", -1))
                .map(host -> host.strip().toLowerCase(Locale.ROOT))
                .filter(host -> !host.isEmpty())
                .collect(Collectors.toSet());
        return new ConsoleSettings(on, on ? listener : null, hosts, values.flag(BrokerKey.CONSOLE_WRITES));
    }
}
