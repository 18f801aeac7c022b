package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.net.Relay;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PeerEndpointsTest {
    private static final List<InetSocketAddress> BOUND =
            List.of(new InetSocketAddress("0.0.0.0", 9092), new InetSocketAddress("0.0.0.0", 29092));

    private static String of(Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "rivulet.cluster", "nowhere:2181",
                "rivulet.cluster.failover", "true",
                "listeners", "INSIDE://:9092,OUTSIDE://:0",
                "advertised.listeners", "INSIDE://broker2:9092,OUTSIDE://localhost:39092",
                "listener.security.protocol.map", "INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT"));
        properties.putAll(more);
        return PeerEndpoints.of(BrokerConfig.of(properties), BOUND);
    }

    @Test
    void brokersConnectAsClientsDo() {
        String endpoints = of(Map.of());

        assertThat(endpoints).isEqualTo("INSIDE://broker2:9092,OUTSIDE://localhost:39092");
        assertThat(PeerEndpoints.ownerAt(endpoints).listening("OUTSIDE")).hasToString("localhost/<unresolved>:39092");
    }

    @Test
    void withAListenerForBrokersTheyConnectToItsHostAndThePortOfTheOther() {
        Relay.Owner owner = PeerEndpoints.ownerAt(of(Map.of("inter.broker.listener.name", "inside")));

        assertThat(owner.listening("OUTSIDE")).hasToString("broker2/<unresolved>:29092");
        assertThat(owner.listening("outside")).hasToString("broker2/<unresolved>:29092");
        assertThat(owner.listening("INSIDE")).hasToString("broker2/<unresolved>:9092");
        assertThat(owner.listening("OTHER")).isNull();
    }

    /** Another address of the machine does not lead to it. */
    @Test
    void aListenerOnOneAddressIsReachedWhereItIsAdvertised() {
        Relay.Owner owner = PeerEndpoints.ownerAt(of(Map.of(
                "inter.broker.listener.name", "INSIDE", "listeners", "INSIDE://:9092,OUTSIDE://10.0.0.5:29092")));

        assertThat(owner.listening("OUTSIDE")).hasToString("localhost/<unresolved>:39092");
    }
}
