package io.rivulet.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.bookkeeper.BookKeeperEngine;
import io.rivulet.cluster.bookkeeper.TestBookies;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.shard.ShardTimes;
import io.rivulet.cluster.zookeeper.ZooKeeperRegistry;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import io.rivulet.store.shard.ShardService;
import io.rivulet.store.shard.ShardService.Membership;
import io.rivulet.store.shard.ShardStatus;
import io.rivulet.store.shard.ShardStatus.BookieState;
import io.rivulet.store.shard.ShardStatus.LedgerState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes with stores, on a ZooKeeper and bookies in this one. */
final class BookKeeperShardsTest {
    private static final int SHARD = 0;
    private static final int TIMEOUT_MILLIS = 6000;
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int BATCHES = 50;
    private static final Peer FIRST = new Peer(1, "PLAINTEXT://a:9092");
    private static final Peer SECOND = new Peer(2, "PLAINTEXT://b:9092");

    @TempDir
    static Path directory;

    private static TestBookies bookies;

    private final ShardService service =
            ServiceLoader.load(ShardService.class).findFirst().orElseThrow();

    private final List<Membership> joined = new ArrayList<>();

    @BeforeAll
    static void startBookies() throws Exception {
        bookies = new TestBookies(directory, 2);
    }

    @AfterAll
    static void stopBookies() {
        bookies.close();
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofMinutes(2))
                .until(condition);
    }

    @AfterEach
    void close() throws IOException {
        for (Membership membership : joined) {
            membership.close();
        }
    }

    /** As the service does it. */
    private void join(DyingRegistry registry, String name, StoreTenant tenant) {
        Participation made = new Participation(
                registry,
                SHARD,
                new Member(new Incarnation(FIRST.id(), 1), FIRST.endpoints()),
                tenant,
                new TenantOpener(
                        registry, SHARD, tenant, name, name, () -> new BookKeeperEngine(bookies.registry(), name)),
                ShardTimes.DEFAULT,
                PATIENCE_NANOS);
        joined.add(made);
        made.start();
    }

    private static List<byte[]> append(StoreTenant tenant, int first) throws Exception {
        List<byte[]> acknowledged = new ArrayList<>();
        for (int i = first; i < first + BATCHES; i++) {
            byte[] bytes = ("batch " + i).getBytes(StandardCharsets.UTF_8);
            assertThat(tenant.append(bytes)).isTrue();
            acknowledged.add(bytes);
        }
        return acknowledged;
    }

    @Test
    void theNextOwnerHasWhatTheOneThatDiedAcknowledged() throws Exception {
        StoreTenant first = new StoreTenant();
        StoreTenant second = new StoreTenant();
        DyingRegistry registry = new DyingRegistry(new ZooKeeperRegistry(bookies.registry(), "dies", TIMEOUT_MILLIS));
        join(registry, "dies", first);
        until(() -> first.isServing);
        joined.add(service.join(bookies.registry() + "/dies", SECOND, TIMEOUT_MILLIS, second));
        first.createQueue();
        List<byte[]> acknowledged = append(first, 0);

        registry.die();
        until(() -> second.isServing);

        assertThat(first.append(new byte[10])).as("an append of the past").isFalse();
        assertThat(first.opened().claim().mayAnswer()).isFalse();
        assertThat(second.readAll()).containsExactlyElementsOf(acknowledged);
        acknowledged.addAll(append(second, BATCHES));
        assertThat(second.readAll()).containsExactlyElementsOf(acknowledged);
        until(() -> new Overview(List.of(SECOND), SECOND.id(), 2).equals(second.overview));
        assertThat(second.opened().claim().epoch()).isEqualTo(2);
        until(() -> second.opened().claim().mayAnswer());
    }

    @Test
    void theStatusSaysWhoOwnsWhichLedgers() throws Exception {
        long before = System.currentTimeMillis();
        StoreTenant tenant = new StoreTenant();
        String address = bookies.registry() + "/status";
        Membership owner = service.join(address, FIRST, TIMEOUT_MILLIS, tenant);
        joined.add(owner);
        until(() -> tenant.isServing);
        tenant.createQueue();
        List<byte[]> acknowledged = append(tenant, 0);
        int ledgers = tenant.opened().claim().ledgers();

        ShardStatus owned = service.status(address, true);
        owner.close();
        ShardStatus released = service.status(address, true);

        assertThat(acknowledged).hasSize(BATCHES);
        assertThat(owned.name()).isEqualTo("status");
        assertThat(owned.isShared()).isTrue();
        assertThat(owned.ownerId()).isEqualTo(FIRST.id());
        assertThat(owned.epoch()).isEqualTo(1);
        assertThat(owned.sinceMillis()).isBetween(before, System.currentTimeMillis());
        assertThat(owned.peers()).containsExactly(FIRST);
        assertThat(owned.orphans()).isEmpty();
        assertThat(owned.bookies())
                .hasSize(2)
                .allSatisfy(bookie -> assertThat(bookie.state()).isEqualTo(BookieState.WRITABLE))
                .allSatisfy(bookie -> assertThat(bookie.address()).startsWith("127.0.0.1:"));
        assertThat(owned.ledgers()).hasSize(ledgers).hasSizeGreaterThan(0).allSatisfy(ledger -> {
            assertThat(ledger.state()).isEqualTo(LedgerState.OPEN);
            assertThat(ledger.bytes()).isPositive();
            assertThat(ledger.entries()).isPositive();
            assertThat(ledger.copies()).isEqualTo(2);
            assertThat(ledger.bookies()).hasSize(2);
            assertThat(ledger.createdMillis()).isGreaterThanOrEqualTo(before);
        });
        assertThat(released.ownerId()).isEqualTo(Overview.NOBODY);
        assertThat(released.peers()).isEmpty();
        assertThat(released.ledgers())
                .allSatisfy(ledger -> assertThat(ledger.state()).isEqualTo(LedgerState.CLOSED));
    }

    @Test
    void theStatusFindsLedgersThatTheLogDoesNotName() throws Exception {
        StoreTenant tenant = new StoreTenant();
        String address = bookies.registry() + "/orphans";
        joined.add(service.join(address, FIRST, TIMEOUT_MILLIS, tenant));
        until(() -> tenant.isServing);
        try (BookKeeperEngine engine = new BookKeeperEngine(bookies.registry(), "orphans")) {
            long orphan = engine.create(engine.reserve()).id();

            assertThat(service.status(address, true).orphans()).containsExactly(orphan);
            assertThat(service.status(address, false).orphans()).isNull();
            engine.delete(orphan);
        }
    }

    @Test
    void theStatusOfAnUnknownLogNamesThoseThatAreThere() throws Exception {
        StoreTenant tenant = new StoreTenant();
        joined.add(service.join(bookies.registry() + "/known", FIRST, TIMEOUT_MILLIS, tenant));
        until(() -> tenant.isServing);

        assertThatThrownBy(() -> service.status(bookies.registry() + "/unknown", false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no log unknown at " + bookies.registry())
                .hasMessageMatching(".*There is: .*\\bknown\\b.*");
    }

    @Test
    void whoJoinsBeforeZooKeeperIsThereServesLater() throws Exception {
        StoreTenant first = new StoreTenant();
        StoreTenant second = new StoreTenant();
        String address = bookies.registry() + "/later";
        bookies.stopKeeper();
        Membership early = service.join(address, FIRST, TIMEOUT_MILLIS, first);
        joined.add(early);
        bookies.startKeeper();
        until(() -> first.isServing);
        first.createQueue();
        List<byte[]> acknowledged = append(first, 0);

        early.close();

        joined.add(service.join(address, SECOND, TIMEOUT_MILLIS, second));
        until(() -> second.isServing);
        assertThat(second.readAll()).containsExactlyElementsOf(acknowledged);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "main", "a:2181;b:2181", "a:2181,", "a:2181/", "a:2181/x/y", "a:2181/..", "a:x"})
    void whatIsNoAddressIsRefused(String address) {
        assertThatThrownBy(() -> service.join(address, FIRST, TIMEOUT_MILLIS, new StoreTenant()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("address of a cluster: " + address)
                .hasMessageNotContaining("\n");
    }
}
