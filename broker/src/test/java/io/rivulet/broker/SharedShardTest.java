package io.rivulet.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.config.ConfigException;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.shard.Claim;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.ShardService;
import io.rivulet.store.shard.ShardStatus;
import io.rivulet.store.shard.Tenant;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Broker 1 of a shard, told by the test who owns it. */
final class SharedShardTest {
    private static final Peer SELF = new Peer(1, "PLAINTEXT://here:1");
    private static final int FAILED_MILLIS = 30_000;

    @TempDir
    private Path directory;

    private static volatile @Nullable Tenant tenant;
    private static volatile @Nullable Peer joinedAs;
    /** When the broker leaves. */
    private static volatile Work atEnd = () -> {};

    private interface Work {
        void run() throws IOException;
    }

    /** Found by its name. */
    public static final class Service implements ShardService {
        @Override
        public Membership join(String address, Peer self, int sessionMillis, Tenant of) {
            tenant = of;
            joinedAs = self;
            return () -> atEnd.run();
        }

        @Override
        public ShardStatus status(String address, boolean withOrphans) {
            throw new UnsupportedOperationException();
        }
    }

    /** An opening that ends when it asks for the log. */
    private record Opening(long epoch, Work meanwhile) implements Claim {
        @Override
        public LogLocation log(Disk disk) throws IOException {
            meanwhile.run();
            throw new IOException("there is no log");
        }

        @Override
        public boolean mayAnswer() {
            return true;
        }

        @Override
        public int ledgers() {
            return 3;
        }

        @Override
        public int groupsOnTheirWay() {
            return 2;
        }

        @Override
        public void progress() {}
    }

    private Broker broker;

    @BeforeEach
    void start() throws Exception {
        atEnd = () -> {};
        broker = started(directory.resolve("data"), "PLAINTEXT", Map.of());
    }

    private Broker started(Path data, String protocol, Map<String, String> settings) throws IOException {
        Path services = Files.createDirectories(directory.resolve("jar/META-INF/services"));
        Files.writeString(services.resolve(ShardService.class.getName()), Service.class.getName());
        Map<String, String> all = new HashMap<>(settings);
        all.put("listeners", protocol + "://localhost:0");
        all.put("rivulet.http.listener", "localhost:0");
        all.put("node.id", "1");
        all.put("log.dirs", data.toString());
        all.put("rivulet.cluster", "nowhere:1/x");
        all.put("rivulet.cluster.failover", "true");
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        URL jar = directory.resolve("jar").toUri().toURL();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, before)) {
            current.setContextClassLoader(loader);
            return Broker.start(BrokerConfig.of(all), new FailureLatch());
        } finally {
            current.setContextClassLoader(before);
        }
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    private static Tenant tenant() {
        return Objects.requireNonNull(tenant);
    }

    private static Overview owned(long epoch, int owner) {
        return owned(epoch, owner, new Peer(2, "PLAINTEXT://elsewhere:1"));
    }

    private static Overview owned(long epoch, int owner, Peer other) {
        return new Overview(List.of(SELF, other), owner, epoch);
    }

    private static Peer peer(int id, ServerSocket listening) {
        return new Peer(id, "PLAINTEXT://localhost:" + listening.getLocalPort());
    }

    private void open(long epoch, Work meanwhile) {
        assertThatThrownBy(() -> tenant().open(new Opening(epoch, meanwhile))).hasMessageContaining("there is no log");
    }

    @ParameterizedTest
    @CsvSource({"PLAINTEXT,rivulet.add.scram,alice", "SASL_PLAINTEXT,rivulet.users,alice"})
    void whatNoShardCanBeOpenedWithStopsTheStart(String protocol, String key, String value) {
        tenant = null;
        assertThatThrownBy(() -> started(directory.resolve("mistaken"), protocol, Map.of(key, value))
                        .close())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key);
        assertThat(tenant).as("who has joined").isNull();
    }

    private String ready() {
        return page("/readyz");
    }

    private String page(String path) {
        URI page = URI.create("http://localhost:"
                + Objects.requireNonNull(broker.httpAddress()).getPort() + path);
        try {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoOpensTheShardIsNotReady() {
        tenant().changed(owned(1, 2));
        assertThat(ready()).startsWith("200 ready: the shard belongs to broker 2");

        open(2, () -> {
            tenant().changed(owned(2, 1));
            assertThat(ready()).startsWith("503 starting");
        });
    }

    @Test
    void aFollowerHasMetricsOfItsPart() {
        tenant().changed(owned(7, 2));

        assertThat(page("/metrics").lines())
                .contains(
                        "rivulet_cluster_role{role=\"follower\"} 1",
                        "rivulet_cluster_role{role=\"owner\"} 0",
                        "rivulet_cluster_owner 2",
                        "rivulet_cluster_epoch 7",
                        "rivulet_cluster_brokers 2",
                        "rivulet_cluster_takeovers_begun_total 0",
                        "kafka_server_socket_server_metrics_connection_count{listener=\"PLAINTEXT\"} 0")
                .anyMatch(line -> line.startsWith("process_resident_memory_bytes "));
    }

    @Test
    void anOpeningThatFailsIsATakeoverThatWasBegun() {
        open(2, () -> {
            tenant().changed(owned(2, 1));
            assertThat(page("/metrics").lines())
                    .contains(
                            "rivulet_cluster_role{role=\"opening\"} 1",
                            "rivulet_cluster_ledgers 3",
                            "rivulet_cluster_groups_on_their_way 2");
        });

        assertThat(page("/metrics").lines())
                .contains(
                        "rivulet_cluster_role{role=\"follower\"} 1",
                        "rivulet_cluster_ledgers 0",
                        "rivulet_cluster_takeovers_begun_total 1",
                        "rivulet_cluster_takeovers_completed_total 0",
                        "rivulet_cluster_losses_total 0");
    }

    @Test
    void theConsoleOfAFollowerLeadsToThatOfTheOwner() {
        tenant().changed(owned(7, 2, new Peer(2, "PLAINTEXT://elsewhere:1,http+console://elsewhere:9644")));

        assertThat(page("/console/api/shard"))
                .startsWith("200 {\"role\":\"follower\",\"owner\":2,"
                        + "\"ownersConsole\":\"http://elsewhere:9644/console/\",\"epoch\":7,");
        assertThat(page("/console/api/broker")).startsWith("503 another broker owns the log");
        tenant().changed(owned(8, Overview.NOBODY));
        assertThat(page("/console/api/shard")).startsWith("200 {\"role\":\"follower\",\"ownersConsole\":null,");
    }

    @Test
    void othersLearnWhereItsConsoleIs() {
        int port = Objects.requireNonNull(broker.httpAddress()).getPort();

        assertThat(joinedAs).isNotNull();
        assertThat(Objects.requireNonNull(joinedAs).endpoints())
                .isEqualTo("PLAINTEXT://localhost:" + broker.addresses().get(0).getPort() + ",http+console://localhost:"
                        + port);
    }

    @Test
    void whoStopsIsNotReady() throws Exception {
        tenant().changed(owned(1, 2));
        atEnd = () -> {
            tenant().changed(owned(1, Overview.NOBODY));
            assertThat(ready()).startsWith("503 stopping");
        };
        broker.close();
    }

    /** The owner before follows by then, and relays its clients to this broker: they would go round without an end. */
    @Test
    void whoOpensTheShardRelaysNobodyToTheOwnerBefore() throws Exception {
        try (ServerSocket before = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ServerSocket after = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            after.setSoTimeout(FAILED_MILLIS);
            tenant().changed(owned(1, 2, peer(2, before)));
            open(2, () -> {
                try (Socket client =
                        new Socket("localhost", broker.addresses().get(0).getPort())) {
                    client.getOutputStream().write(7);
                    awaitAccepted();
                    tenant().changed(owned(3, 2, peer(2, after)));
                    try (Socket taken = after.accept()) {
                        assertThat(taken.getInputStream().read()).isEqualTo(7);
                    }
                }
            });
        }
    }

    @Test
    void aClientWithNothingInFlightKeepsItsConnectionWhenTheOwnerChanges() throws Exception {
        byte[] frame = {0, 0, 0, 1, 7};
        try (ServerSocket before = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ServerSocket after = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            before.setSoTimeout(FAILED_MILLIS);
            after.setSoTimeout(FAILED_MILLIS);
            tenant().changed(owned(1, 2, peer(2, before)));
            try (Socket client =
                            new Socket("localhost", broker.addresses().get(0).getPort());
                    Socket taken = before.accept()) {
                pass(client, taken, frame);
                pass(taken, client, frame);

                tenant().changed(owned(2, 3, peer(3, after)));
                assertThat(taken.getInputStream().read()).isEqualTo(-1);
                client.getOutputStream().write(frame);
                try (Socket next = after.accept()) {
                    assertThat(next.getInputStream().readNBytes(frame.length)).isEqualTo(frame);
                    pass(next, client, frame);
                }
            }
        }
    }

    private static void pass(Socket from, Socket to, byte[] bytes) throws IOException {
        from.getOutputStream().write(bytes);
        assertThat(to.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
    }

    @Test
    void clientsAreRelayedToWhereTheOwnerIsReachedByBrokers() throws Exception {
        try (ServerSocket owner = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            owner.setSoTimeout(FAILED_MILLIS);
            tenant().changed(owned(
                    1, 2, new Peer(2, "PLAINTEXT://localhost:1,RELAY+PLAINTEXT://localhost:" + owner.getLocalPort())));
            try (Socket client =
                            new Socket("localhost", broker.addresses().get(0).getPort());
                    Socket taken = owner.accept()) {
                client.getOutputStream().write(7);
                assertThat(taken.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    /** This page asks all event loops: what came before it was accepted after the first time, and begun after that. */
    private void awaitAccepted() {
        assertThat(page("/livez")).startsWith("200");
        assertThat(page("/livez")).startsWith("200");
    }
}
