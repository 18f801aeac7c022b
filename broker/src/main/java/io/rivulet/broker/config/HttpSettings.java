package io.rivulet.broker.config;

import org.jspecify.annotations.Nullable;

/**
 * The listener for the pages of operators. Immutable.
 *
 * @param listener null if there is none
 * @param mayMove whether any free port will do when its own is in use: nobody has chosen that port
 */
public record HttpSettings(@Nullable HostPort listener, boolean mayMove) {
    static HttpSettings of(ConfigValues values) {
        String text = values.text(BrokerKey.HTTP_LISTENER);
        HostPort listener = HostPort.parse(text);
        if (listener == null && !text.isEmpty() && !text.equals("none")) {
            throw new ConfigException(BrokerKey.HTTP_LISTENER.key(), text, "host:port, or none");
        }
        return new HttpSettings(listener, !values.isGiven(BrokerKey.HTTP_LISTENER));
    }
}
