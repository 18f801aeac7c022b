package io.rivulet.broker.config;

import io.rivulet.store.open.StoreEnvironment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits of connections. Immutable.
 *
 * @param max over all listeners
 * @param maxPerAddress the limit of an address that is not in {@code maxByAddress}
 * @param maxCreationRate new connections a second, over all listeners
 * @param idleMillis a connection that is idle for so long is closed; none is if it is not positive
 */
public record ConnectionSettings(
        int max,
        int maxPerAddress,
        Map<InetAddress, Integer> maxByAddress,
        int maxCreationRate,
        long idleMillis,
        int sendBufferBytes) {
    static ConnectionSettings of(ConfigValues values) {
        return new ConnectionSettings(
                values.isGiven(BrokerKey.MAX_CONNECTIONS)
                        ? values.integer(BrokerKey.MAX_CONNECTIONS)
                        : StoreEnvironment.connectionDescriptors(),
                values.integer(BrokerKey.MAX_CONNECTIONS_PER_IP),
                parseOverrides(values.text(BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES)),
                values.integer(BrokerKey.MAX_CONNECTION_CREATION_RATE),
                values.number(BrokerKey.CONNECTIONS_MAX_IDLE_MS),
                values.integer(BrokerKey.SOCKET_SEND_BUFFER_BYTES));
    }

    /** The largest number of connections from the address. */
    public int maxOf(InetAddress address) {
        return maxByAddress.getOrDefault(address, maxPerAddress);
    }

    /**
     * @param text {@code hostName:100,127.0.0.1:200}, as in Kafka
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
                            BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES.key(), pair, "host:number, separated by commas");
                }
            }
        }
        return Map.copyOf(overrides);
    }
}
