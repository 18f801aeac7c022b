package io.rivulet.broker.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.rivulet.broker.call.ConnectionOfATest;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which brokers clients are told of. The connection of the test advertises localhost:9092. */
final class NodesTest {
    private static final Peer TWO = new Peer(2, "PLAINTEXT://two:9092,CLIENTS://two.example:19092");
    private static final Peer THREE = new Peer(3, "PLAINTEXT://three:9092,CLIENTS://three.example:19092");
    private static final Peer FIVE = new Peer(5, "PLAINTEXT://[2001:db8::5]:9092");

    private final ConnectionOfATest connection = new ConnectionOfATest();
    private Overview overview = overview(TWO, THREE, FIVE);

    @AfterEach
    void close() throws InterruptedException {
        connection.close();
    }

    private static Overview overview(Peer... peers) {
        return new Overview(List.of(peers), 3, 7);
    }

    private static BrokerConfig config(int replicationFactor) {
        return BrokerConfig.of(Map.of(
                "log.dirs",
                "unused",
                "node.id",
                "3",
                "broker.rack",
                "r3",
                "default.replication.factor",
                String.valueOf(replicationFactor)));
    }

    private Nodes cluster(int replicationFactor) {
        return Nodes.cluster(config(replicationFactor), () -> overview, 7);
    }

    private List<Node> reachable() {
        return cluster(1).reachableFrom(connection);
    }

    @Test
    void aBrokerAloneIsWhereItsListenerIs() {
        Nodes nodes = Nodes.single(config(3));

        assertThat(nodes.reachableFrom(connection)).containsExactly(new Node(3, "localhost", 9092, "r3"));
        assertThat(nodes.replicas()).containsExactly(3);
        assertThat(nodes.epochs().current()).isZero();
        assertThat(nodes.count()).isEqualTo(1);
        assertThat(nodes.isAlive(3)).isTrue();
        assertThat(nodes.isAlive(2)).isFalse();
        assertThat(nodes.answersFor(3)).isTrue();
        assertThat(nodes.answersFor(2)).isFalse();
    }

    @Test
    void aBrokerIsNamedByItsEndpointForTheListenerThatWasAsked() {
        assertThat(reachable())
                .containsExactly(
                        new Node(2, "two", 9092, null),
                        new Node(3, "localhost", 9092, "r3"),
                        new Node(5, "2001:db8::5", 9092, null));

        connection.listenerName("CLIENTS");

        assertThat(reachable())
                .as("broker 5 has no such listener")
                .containsExactly(new Node(2, "two.example", 19_092, null), new Node(3, "localhost", 9092, "r3"));
    }

    @Test
    void namesOfListenersHaveNoCase() {
        overview = overview(new Peer(2, "plaintext://two:9092"));

        assertThat(reachable()).extracting(Node::id).containsExactly(2, 3);
    }

    @Test
    void theOwnerIsThereEvenIfTheOverviewDoesNotKnowIt() {
        overview = overview();

        Nodes nodes = cluster(3);

        assertThat(nodes.reachableFrom(connection)).containsExactly(new Node(3, "localhost", 9092, "r3"));
        assertThat(nodes.isAlive(3)).isTrue();
        assertThat(nodes.replicas()).containsExactly(3);
    }

    @Test
    void theNextOverviewCounts() {
        Nodes nodes = cluster(3);
        assertThat(nodes.count()).isEqualTo(3);

        overview = overview(THREE, FIVE);

        assertThat(nodes.count()).isEqualTo(2);
        assertThat(nodes.isAlive(2)).isFalse();
        assertThat(nodes.replicas()).containsExactly(3, 5);
    }

    @ParameterizedTest
    @CsvSource({"1, '3'", "2, '3,5'", "3, '3,5,2'", "4, '3,5,2'"})
    void replicasAreThisBrokerAndThoseAfterIt(int factor, String expected) {
        assertThat(cluster(factor).replicas())
                .containsExactly(List.of(expected.split(",", -1)).stream()
                        .mapToInt(Integer::parseInt)
                        .toArray());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "://",
                "PLAINTEXT",
                "PLAINTEXT:/two:9092",
                "PLAINTEXT://",
                "PLAINTEXT://two",
                "PLAINTEXT://two:",
                "PLAINTEXT://:9092",
                "PLAINTEXT://two:0",
                "PLAINTEXT://two:65536",
                "PLAINTEXT://two:-1",
                "PLAINTEXT://two:99999999999999999999",
                "://two:9092",
                "PLAINTEXT://[]:9092",
            })
    void aMalformedEndpointIsNone(String text) {
        overview = overview(new Peer(2, text), FIVE);

        assertThat(reachable()).extracting(Node::id).containsExactly(3, 5);
        assertThat(cluster(1).isAlive(2)).isTrue();
    }

    @Test
    void aMalformedEndpointHidesNoOther() {
        overview = overview(new Peer(2, "CLIENTS://?, ,x, PLAINTEXT://two:9092 ,,PLAINTEXT://again:1"));

        assertThat(reachable()).contains(new Node(2, "two", 9092, null));
    }

    @Test
    void noTextOfEndpointsFails() {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        String[] pieces = {"PLAINTEXT", "://", ":", ",", "[", "]", "two", "9092", "-", " ", "\0", "\u0130", "0"};
        for (int run = 0; run < 10_000; run++) {
            StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(12), 0, pieces.length).forEach(i -> text.append(pieces[i]));
            overview = overview(new Peer(2, text.toString()));

            assertThatCode(() -> assertThat(reachable())
                            .filteredOn(node -> node.id() == 2)
                            .allMatch(node -> node.port() > 0 && !node.host().isEmpty()))
                    .as("seed %d, text '%s'", seed, text)
                    .doesNotThrowAnyException();
        }
    }
}
