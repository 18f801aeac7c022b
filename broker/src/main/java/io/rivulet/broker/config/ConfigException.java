package io.rivulet.broker.config;

/** A key has a value that is not allowed. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String key, String value, String allowed) {
        super(key + " is '" + value + "'; allowed is " + allowed);
    }
}
