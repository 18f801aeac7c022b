package io.rivulet.broker.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listener for the pages of operators. Immutable.
 *
 * @param listener null if there is none
 * @param mayMove whether any free port will do when its own is in use: the configuration does not name that port
 */
public record HttpSettings(@Nullable HostPort listener, boolean mayMove, ConsoleSettings console) {
    static HttpSettings of(ConfigValues values, List<Listener> listeners) {
        return new HttpSettings(
                place(BrokerKey.HTTP_LISTENER, values.text(BrokerKey.HTTP_LISTENER)),
                !values.isGiven(BrokerKey.HTTP_LISTENER),
                ConsoleSettings.of(values, listeners));
    }

    /** Null if the value is empty or none. */
    static @Nullable HostPort place(BrokerKey key, String text) {
        HostPort place = HostPort.parse(text);
        if (place == null && !text.isEmpty() && !text.equals("none")) {
            throw new ConfigException(key.key(), text, "host:port, or none");
        }
        return place;
    }
}
