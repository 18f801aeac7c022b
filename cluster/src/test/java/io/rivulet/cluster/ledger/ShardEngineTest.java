package io.rivulet.cluster.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.engine.Engine;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.FakeRegistryClient;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.cluster.shard.ShardEngine;
import io.rivulet.store.failure.OwnerChangedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Owners of a shard whose log decides through the node of the shard. {@code -Drivulet.seed} repeats a run. */
final class ShardEngineTest {
    private static final int SHARD = 0;
    private static final String LOG = "log";
    private static final int SEEDS = 300;
    private static final int STEPS = 300;
    private static final int BROKERS = 3;

    private final long firstSeed = Long.getLong("rivulet.seed", System.nanoTime());
    private final Engine ledgers = FakeEngine.eager().client();

    /** Claims, sleeps, and decides; nobody tells it that another broker has claimed the shard. */
    private final class Broker {
        private final int id;
        private final FakeRegistryClient client;
        private @Nullable ShardEngine engine;
        private @Nullable OwnedRecord record;

        Broker(int id, FakeRegistryClient client) {
            this.id = id;
            this.client = client;
        }

        void claim() throws IOException {
            Registry.Versioned found = client.load(SHARD);
            ShardNode claimed = (found == null ? ShardNode.NEW : found.node()).claimedBy(new Incarnation(id, 1));
            if (client.swap(SHARD, found, claimed) != Registry.NO_VERSION) {
                engine = new ShardEngine(ledgers, client, SHARD, claimed);
                record = null;
            }
        }

        void open() throws IOException {
            if (engine != null) {
                record = OwnedRecord.claim(engine, LOG, true);
            }
        }

        /** Whether it is decided that this ledger belongs to the log. */
        boolean decide(long ledger) throws IOException {
            if (record == null) {
                return false;
            }
            record.decide(before -> before.with(ledger));
            return true;
        }
    }

    @Test
    void noDecisionIsLost() throws IOException {
        long decided = 0;
        for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
            decided += run(seed, FakeRegistry.Bug.NONE);
        }
        assertThat(decided).isGreaterThan(10L * SEEDS);
    }

    @Test
    void aRegistryThatDoesNotCompareIsFound() {
        assertThatThrownBy(() -> {
                    for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
                        long unused = run(seed, FakeRegistry.Bug.NO_COMPARE);
                    }
                })
                .isInstanceOf(AssertionError.class);
    }

    private long run(long seed, FakeRegistry.Bug bug) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        FakeRegistry registry = new FakeRegistry(random.nextLong(), bug);
        registry.loseOneIn(random.nextBoolean() ? 0 : 12);
        List<Broker> brokers = new ArrayList<>();
        for (int id = 0; id < BROKERS; id++) {
            brokers.add(new Broker(id, registry.client()));
        }
        List<Long> decided = new ArrayList<>();
        for (long step = 0; step < STEPS; step++) {
            Broker broker = brokers.get(random.nextInt(BROKERS));
            try {
                switch (random.nextInt(12)) {
                    case 0 -> broker.claim();
                    case 1, 2 -> broker.open();
                    case 3 -> registry.expire(broker.client);
                    case 4, 5 -> {
                        boolean unused = registry.deliverOne();
                    }
                    default -> {
                        if (broker.decide(step)) {
                            decided.add(step);
                        }
                    }
                }
            } catch (IOException e) {
                // It does not know whether it was done, or another broker has the shard.
            }
            assertThat(ledgersOf(registry).stream().filter(decided::contains))
                    .as("rivulet.seed=" + seed)
                    .containsExactlyElementsOf(decided);
        }
        return decided.size();
    }

    private static List<Long> ledgersOf(FakeRegistry registry) throws IOException {
        Registry.Versioned found = registry.current(SHARD);
        if (found == null || !found.node().log().hasRemaining()) {
            return List.of();
        }
        return LogRecord.decode(LOG, found.node().log()).ledgers().stream()
                .map(LogRecord.Part::id)
                .toList();
    }

    /** An older record would name ledgers of the log among those that nobody needs. */
    @Test
    void aReadOfTheRecordIsNeverOld() throws IOException {
        for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
            FakeRegistry registry = new FakeRegistry(seed, FakeRegistry.Bug.NONE);
            Broker broker = new Broker(0, registry.client());
            broker.claim();
            broker.open();
            assertThat(broker.decide(7)).isTrue();
            assertThat(broker.decide(8)).isTrue();
            registry.expire(broker.client);
            try {
                Engine.Versioned found = Objects.requireNonNull(broker.engine).load(LOG);
                assertThat(Objects.requireNonNull(found).version())
                        .as("rivulet.seed=" + seed)
                        .isEqualTo(
                                Objects.requireNonNull(registry.current(SHARD)).version());
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("old states");
            }
        }
    }

    @Test
    void anOwnerThatSleptAfterItsClaimTakesNothing() throws IOException {
        FakeRegistry registry = new FakeRegistry(firstSeed, FakeRegistry.Bug.NONE);
        Broker slept = new Broker(0, registry.client());
        Broker next = new Broker(1, registry.client());
        slept.claim();
        while (registry.deliverOne()) {
            // until the next one knows of it
        }
        next.claim();
        next.open();
        assertThat(next.decide(7)).isTrue();

        assertThatThrownBy(slept::open).isInstanceOf(IOException.class);

        assertThat(ledgersOf(registry)).containsExactly(7L);
        assertThat(Objects.requireNonNull(next.record).record().epoch()).isEqualTo(1);
    }

    @Test
    void anOwnerLearnsThatItsClaimIsOver() throws IOException {
        FakeRegistry registry = new FakeRegistry(firstSeed, FakeRegistry.Bug.NONE);
        Broker old = new Broker(0, registry.client());
        Broker next = new Broker(1, registry.client());
        old.claim();
        old.open();
        while (registry.deliverOne()) {
            // until the next one knows of it
        }
        next.claim();
        while (registry.deliverOne()) {
            // until the old one knows of it
        }

        assertThatThrownBy(() -> old.decide(7)).isInstanceOf(OwnerChangedException.class);
    }

    /** The node of the next one has the version of the first one's, and a lower epoch. */
    @Test
    void anOwnerWhoseNodeWasDeletedDecidesNothing() throws IOException {
        FakeRegistry registry = new FakeRegistry(firstSeed, FakeRegistry.Bug.NONE);
        Broker old = new Broker(0, registry.client());
        Broker next = new Broker(1, registry.client());
        old.claim();
        old.claim();
        old.open();
        registry.deleteNode(SHARD);
        assertThatThrownBy(() -> old.decide(6)).isInstanceOf(OwnerChangedException.class);
        while (registry.deliverOne()) {
            // until the next one knows that there is none
        }
        next.claim();
        next.open();
        assertThat(next.decide(7)).isTrue();

        assertThatThrownBy(() -> old.decide(8)).isInstanceOf(OwnerChangedException.class);
        assertThat(ledgersOf(registry)).containsExactly(7L);
    }
}
