package io.rivulet.broker.config;

import io.netty.util.NetUtil;
import io.rivulet.store.open.StoreEnvironment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits of connections. Immutable.
 *
 * @param max over all listeners
 * @param maxPerAddress the limit of an address that is not in {@code maxByAddress}
 * @param overrides the text of {@code maxByAddress}
 * @param maxCreationRate new connections a second, over all listeners
 * @param maxCreationRateByListener the same of single listeners, by name in lower case
 * @param idleMillis a connection that is idle for so long is closed; none is if it is not positive
 * @param sendBufferBytes of each connection, see {@link #sendBufferBytes(int)}; null if it is not configured
 */
public record ConnectionSettings(
        int max,
        int maxPerAddress,
        String overrides,
        Map<InetAddress, Integer> maxByAddress,
        int maxCreationRate,
        Map<String, Integer> maxCreationRateByListener,
        long idleMillis,
        @Nullable Integer sendBufferBytes) {
    /** An answer of 1 MiB fits, so that the event loop writes it at once and need not wait for its reader. */
    private static final int LARGE_SEND_BUFFER_BYTES = 512 << 10;
    /** The kernel may take twice of it for each connection, so these take 64 MiB. */
    private static final int MOST_LARGE_SEND_BUFFERS = 64;

    private static final int SEND_BUFFER_BYTES = Integer.parseInt(BrokerKey.SOCKET_SEND_BUFFER_BYTES.defaultValue());

    static ConnectionSettings of(ConfigValues values) {
        String overrides = values.text(BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES);
        return of(values, parseOverrides(overrides));
    }

    /** For connections that take a second descriptor each. */
    public ConnectionSettings ofRelay() {
        return new ConnectionSettings(
                Math.min(max, StoreEnvironment.connectionDescriptors() / 2),
                maxPerAddress,
                overrides,
                maxByAddress,
                maxCreationRate,
                maxCreationRateByListener,
                idleMillis,
                sendBufferBytes);
    }

    /** Does not look up the names of hosts, because that can take long. */
    ConnectionSettings with(ConfigValues values) {
        String text = values.text(BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES);
        return of(
                values,
                text.equals(overrides)
                        ? maxByAddress
                        : parseOverrides(text, NetUtil::createInetAddressFromIpAddressString));
    }

    private static ConnectionSettings of(ConfigValues values, Map<InetAddress, Integer> maxByAddress) {
        return new ConnectionSettings(
                values.isGiven(BrokerKey.MAX_CONNECTIONS)
                        ? values.integer(BrokerKey.MAX_CONNECTIONS)
                        : StoreEnvironment.connectionDescriptors(),
                values.integer(BrokerKey.MAX_CONNECTIONS_PER_IP),
                values.text(BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES),
                maxByAddress,
                values.integer(BrokerKey.MAX_CONNECTION_CREATION_RATE),
                creationRates(values),
                values.number(BrokerKey.CONNECTIONS_MAX_IDLE_MS),
                values.isGiven(BrokerKey.SOCKET_SEND_BUFFER_BYTES)
                        ? values.integer(BrokerKey.SOCKET_SEND_BUFFER_BYTES)
                        : null);
    }

    private static Map<String, Integer> creationRates(ConfigValues values) {
        Map<String, Integer> rates = new HashMap<>();
        values.given().forEach((key, value) -> {
            if (UnservedKeys.ofListener(key) == BrokerKey.MAX_CONNECTION_CREATION_RATE) {
                String listener = key.substring(TlsSettings.PREFIX.length(), key.indexOf(".max."));
                rates.put(listener.toLowerCase(Locale.ROOT), Integer.parseInt(value));
            }
        });
        return Map.copyOf(rates);
    }

    /** The largest number of new connections a second on the listener. */
    public int maxCreationRate(String listener) {
        return maxCreationRateByListener.isEmpty()
                ? Integer.MAX_VALUE
                : maxCreationRateByListener.getOrDefault(listener.toLowerCase(Locale.ROOT), Integer.MAX_VALUE);
    }

    /**
     * How much the kernel may hold of the answers to a new connection; not positive if that is left to it.
     *
     * @param open how many others are open
     */
    public int sendBufferBytes(int open) {
        if (sendBufferBytes != null) {
            return sendBufferBytes;
        }
        return open < MOST_LARGE_SEND_BUFFERS ? LARGE_SEND_BUFFER_BYTES : SEND_BUFFER_BYTES;
    }

    /** The largest number of connections from the address. */
    public int maxOf(InetAddress address) {
        return maxByAddress.getOrDefault(address, maxPerAddress);
    }

    /** Null if the host is unknown. */
    private static @Nullable InetAddress resolve(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** @param text {@code hostName:100,127.0.0.1:200}, as in Kafka */
    static Map<InetAddress, Integer> parseOverrides(String text) {
        return parseOverrides(text, ConnectionSettings::resolve);
    }

    /**
     * @param addressOf the address of a host, or null
     */
    private static Map<InetAddress, Integer> parseOverrides(
            String text, Function<String, @Nullable InetAddress> addressOf) {
        Map<InetAddress, Integer> overrides = new HashMap<>();
        for (String pair : text.split(",", -1)) {
            if (!pair.isBlank()) {
                int colon = pair.lastIndexOf(':');
                InetAddress address =
                        addressOf.apply(pair.substring(0, Math.max(0, colon)).strip());
                if (address == null) {
                    throw notAllowed(pair);
                }
                overrides.put(address, limit(pair, colon));
            }
        }
        return Map.copyOf(overrides);
    }

    private static int limit(String pair, int colon) {
        try {
            return Integer.parseUnsignedInt(pair.substring(colon + 1).strip());
        } catch (NumberFormatException e) {
            throw notAllowed(pair);
        }
    }

    private static ConfigException notAllowed(String pair) {
        return new ConfigException(
                BrokerKey.MAX_CONNECTIONS_PER_IP_OVERRIDES.key(), pair, "host:number, separated by commas");
    }
}
