package io.rivulet.broker.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits of connections. Immutable.
 *
 * @param max of all listeners
 * @param maxPerAddress of an address that has none of its own
 * @param maxByAddress of those that have
 * @param maxCreationRate how many a second, of all listeners
 * @param idleMillis when a silent connection is closed; not positive for never
 */
public record ConnectionSettings(
        int max,
        int maxPerAddress,
        Map<InetAddress, Integer> maxByAddress,
        int maxCreationRate,
        long idleMillis,
        int sendBufferBytes) {
    /** How many there may be from there. */
    public int maxOf(InetAddress address) {
        return maxByAddress.getOrDefault(address, maxPerAddress);
    }

    /**
     * @param text as Kafka has it: {@code hostName:100,127.0.0.1:200}
     */
    static Map<InetAddress, Integer> parseOverrides(String text) {
        Map<InetAddress, Integer> overrides = new HashMap<>();
        for (String pair : text.split(",", -1)) {
            if (!pair.isBlank()) {
                int colon = pair.lastIndexOf(':');
                try {
                    overrides.put(
                            InetAddress.getByName(
                                    pair.substring(0, Math.max(0, colon)).strip()),
                            Integer.parseUnsignedInt(pair.substring(colon + 1).strip()));
                } catch (UnknownHostException | NumberFormatException e) {
                    throw new ConfigException(
                            BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES.key(), pair, "a host, a colon, and a number");
                }
            }
        }
        return Map.copyOf(overrides);
    }
}
