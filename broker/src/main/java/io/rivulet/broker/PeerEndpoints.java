package io.rivulet.broker;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.HostPort;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.net.Relay;
import io.rivulet.broker.node.Endpoints;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a broker of a shard is reached, as the others read it: {@code NAME://host:port} for the clients of each listener,
 * and {@code RELAY+NAME://host:port} for brokers that relay clients to it, where that is another place. Stateless.
 */
final class PeerEndpoints {
    /** No listener can have this in its name. */
    private static final String RELAY = "RELAY+";

    private PeerEndpoints() {}

    /** @param bound the addresses of the listeners, in their order */
    static String of(BrokerConfig config, List<InetSocketAddress> bound) {
        Listener between = config.interBrokerListener();
        List<String> endpoints = new ArrayList<>();
        for (int i = 0; i < config.listeners().size(); i++) {
            Listener listener = config.listeners().get(i);
            int boundPort = bound.get(i).getPort();
            int port = listener.advertisedPort() != 0 ? listener.advertisedPort() : boundPort;
            endpoints.add(endpoint(listener.name(), listener.advertisedHost(), port));
            if (between != null && !listener.equals(between) && listener.isOnAllInterfaces()) {
                endpoints.add(endpoint(RELAY + listener.name(), between.advertisedHost(), boundPort));
            }
        }
        return String.join(",", endpoints);
    }

    private static String endpoint(String name, String host, int port) {
        return name + "://" + host + ":" + port;
    }

    /** Where to relay clients to. */
    static Relay.Owner ownerAt(String text) {
        Endpoints endpoints = Endpoints.parse(text);
        return listener -> {
            HostPort place = endpoints.of(RELAY + listener);
            return address(place != null ? place : endpoints.of(listener));
        };
    }

    private static @Nullable InetSocketAddress address(@Nullable HostPort place) {
        return place == null ? null : InetSocketAddress.createUnresolved(place.host(), place.port());
    }
}
