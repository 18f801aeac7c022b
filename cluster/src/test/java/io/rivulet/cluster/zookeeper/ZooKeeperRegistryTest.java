package io.rivulet.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.RegistryContractTest;
import io.rivulet.cluster.registry.ShardNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract with a ZooKeeper in this process, and lost answers. Each test has a cluster of its own. */
final class ZooKeeperRegistryTest extends RegistryContractTest {
    private static final int TIMEOUT_MILLIS = 6000;
    private static final int PATIENCE_MILLIS = 100;
    private static final int ANY_VERSION = -1;
    private static final AtomicInteger CLUSTERS = new AtomicInteger();
    private static final ShardNode NODE = ShardNode.NEW.claimedBy(new Incarnation(1, 2));

    @TempDir
    static Path directory;

    private static TestKeeper keeper;

    private final String cluster = "c" + CLUSTERS.incrementAndGet();
    private final Object events = new Object();

    @BeforeAll
    static void startKeeper() throws Exception {
        keeper = new TestKeeper(directory);
    }

    @AfterAll
    static void stopKeeper() {
        keeper.close();
    }

    /** Loses answers to changes. */
    private final class Lossy extends ZooKeeperRegistry {
        private int lost;

        Lossy(int lost) throws IOException {
            super(keeper.address(), cluster, TIMEOUT_MILLIS);
            this.lost = lost;
        }

        @Override
        void answered() throws KeeperException {
            if (lost > 0) {
                lost--;
                throw new KeeperException.ConnectionLossException();
            }
        }
    }

    /** What happens elsewhere once. */
    private interface Incident {
        void happen() throws IOException;
    }

    /** Something happens within its first swap that compares. */
    private final class Interrupted extends ZooKeeperRegistry {
        private final Incident incident;
        private boolean hasHappened;

        Interrupted(Incident incident) throws IOException {
            super(keeper.address(), cluster, TIMEOUT_MILLIS);
            this.incident = incident;
        }

        @Override
        void compared() {
            if (!hasHappened) {
                hasHappened = true;
                try {
                    incident.happen();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    @Override
    protected Registry open() throws IOException {
        ZooKeeperRegistry registry = new ZooKeeperRegistry(keeper.address(), cluster, TIMEOUT_MILLIS);
        registry.listen(event -> {
            synchronized (events) {
                events.notifyAll();
            }
        });
        return registry;
    }

    @Override
    protected void expire(Registry client) throws IOException {
        keeper.endSession(((ZooKeeperRegistry) client).sessionId());
    }

    @Override
    protected void deleteNode(int shard) throws IOException {
        asOperator(operator -> operator.delete(path("shards/" + shard), ANY_VERSION));
    }

    @Override
    protected void deleteMember(int brokerId) throws IOException {
        asOperator(operator -> operator.delete(path("members/" + brokerId), ANY_VERSION));
    }

    private String path(String node) {
        return "/rivulet-cluster/" + cluster + "/" + node;
    }

    /** Something that is done by hand. */
    private interface Operation {
        void with(ZooKeeper operator) throws KeeperException, InterruptedException;
    }

    @SuppressWarnings("try") // an interrupt ends the test
    private static void asOperator(Operation operation) throws IOException {
        try (ZooKeeper operator = new ZooKeeper(keeper.address(), TIMEOUT_MILLIS, event -> {})) {
            operation.with(operator);
        } catch (KeeperException | InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** An event may come between the check and the wait, so it is checked again from time to time. */
    @Override
    protected void await(Condition condition) throws IOException {
        while (!condition.holds()) {
            synchronized (events) {
                try {
                    events.wait(PATIENCE_MILLIS);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }
    }

    @Test
    void aSwapIsMadeOnceWhenItsAnswersAreLost() throws Exception {
        try (Lossy registry = new Lossy(2)) {
            assertThat(registry.swap(0, null, NODE)).isZero();
            registry.lost = 2;
            assertThat(registry.swap(0, new Registry.Versioned(0, NODE), NODE.released(true)))
                    .isEqualTo(1);
            assertThat(registry.load(0)).isEqualTo(new Registry.Versioned(1, NODE.released(true)));
        }
    }

    @Test
    void aSwapOfAnotherClientIsNotTakenForTheLostOne() throws Exception {
        try (Registry other = open();
                Lossy registry = new Lossy(1)) {
            other.swap(0, null, NODE);

            assertThat(registry.swap(0, null, NODE.released(true))).isEqualTo(Registry.NO_VERSION);
            assertThat(registry.load(0)).isEqualTo(new Registry.Versioned(0, NODE));
        }
    }

    /** In the moment after the comparison, which compares more than ZooKeeper does. */
    @Test
    void aNodeThatIsMadeAgainDuringASwapIsNotReplaced() throws Exception {
        ShardNode other = NODE.released(true);
        try (Registry second = open();
                Interrupted registry = new Interrupted(() -> {
                    deleteNode(0);
                    second.swap(0, null, other);
                })) {
            registry.swap(0, null, NODE);

            assertThat(registry.swap(0, new Registry.Versioned(0, NODE), NODE)).isEqualTo(Registry.NO_VERSION);
            assertThat(second.load(0)).isEqualTo(new Registry.Versioned(0, other));
        }
    }

    @Test
    void aSwapIsMadeAlthoughTheNodeOfAnotherShardIsMadeMeanwhile() throws Exception {
        try (Registry second = open();
                Interrupted registry = new Interrupted(() -> second.swap(1, null, NODE))) {
            registry.swap(0, null, NODE);

            assertThat(registry.swap(0, new Registry.Versioned(0, NODE), NODE)).isEqualTo(1);
        }
    }

    @Test
    void aClientIsAMemberWhenTheAnswerIsLost() throws Exception {
        Member self = new Member(new Incarnation(1, 2), "PLAINTEXT://a:1");
        try (Lossy registry = new Lossy(1)) {
            assertThat(registry.join(self)).isTrue();
            assertThat(registry.members()).containsExactly(self);
        }
    }

    @Test
    void aNodeAmongTheMembersThatIsNoneIsLeftOut() throws Exception {
        Member self = new Member(new Incarnation(1, 2), "PLAINTEXT://a:1");
        try (Registry registry = open()) {
            registry.join(self);
            for (String stray : List.of("test", "7")) {
                asOperator(operator -> operator.create(
                        path("members/" + stray), new byte[1], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            }

            await(() -> registry.members().equals(List.of(self)));
        }
    }

    @Test
    void aBrokenConnectionEndsNoMembershipAndHidesNoChange() throws Exception {
        Member self = new Member(new Incarnation(1, 2), "PLAINTEXT://a:1");
        try (Registry registry = open();
                Registry other = open()) {
            registry.join(self);
            other.swap(0, null, NODE);
            AtomicInteger changes = new AtomicInteger();
            AtomicInteger expired = new AtomicInteger();
            registry.listen(event -> {
                (event == Registry.Event.EXPIRED ? expired : changes).incrementAndGet();
            });

            keeper.breakConnections();
            await(() -> changes.get() > 0);
            changes.set(0);
            assertThat(other.swap(0, new Registry.Versioned(0, NODE), NODE.released(true)))
                    .isEqualTo(1);

            await(() -> changes.get() > 0 && registry.confirm(0, new Registry.Versioned(1, NODE.released(true))));
            assertThat(registry.members()).containsExactly(self);
            assertThat(expired).hasValue(0);
        }
    }
}
