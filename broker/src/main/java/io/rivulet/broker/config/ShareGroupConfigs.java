package io.rivulet.broker.config;

/**
 * The configuration of each share group. Thread-safe; does not block. Ask again for each request, so that a change
 * takes effect with the next one.
 */
@FunctionalInterface
public interface ShareGroupConfigs {
    /** A group need not exist to have a configuration. */
    ShareGroupConfig of(String groupId);
}
