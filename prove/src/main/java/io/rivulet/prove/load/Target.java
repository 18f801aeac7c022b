package io.rivulet.prove.load;

import java.util.Map;

/**
 * Where clients connect, and how. Immutable.
 *
 * @param servers host:port, separated by commas
 * @param settings of all clients, beside those of {@link Clients}
 * @param pauseNanos what a {@link MixedLoad} waits after each of its requests
 */
public record Target(String servers, Map<String, Object> settings, long pauseNanos) {
    public Target {
        settings = Map.copyOf(settings);
    }

    /** A broker of this machine, which gets all that it can take. */
    public static Target of(int port) {
        return new Target("localhost:" + port, Map.of(), 0);
    }
}
