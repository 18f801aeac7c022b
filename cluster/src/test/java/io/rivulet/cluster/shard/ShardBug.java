package io.rivulet.cluster.shard;

import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.FakeRegistryClient;
import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.ShardNode;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Mistakes that the simulation must find. */
enum ShardBug {
    NONE,
    /** Ledgers of the owner before are not fenced. */
    DOES_NOT_FENCE,
    /** A new owner serves at once. */
    DOES_NOT_WAIT,
    /** A lease is longer than the wait. */
    HAS_A_LEASE_LONGER_THAN_THE_WAIT,
    /** The rates of clocks differ by more than is assumed. */
    HAS_CLOCKS_THAT_DIFFER_TOO_MUCH,
    /** The lease is asked before the state is read. */
    CHECKS_THE_LEASE_BEFORE_IT_READS,
    /** Each release says that nobody needs to wait. */
    FORGETS_THE_WAIT_AT_A_RELEASE,
    /** Only the first candidate claims. */
    HAS_ONE_CANDIDATE,
    /** Claims do not compare. */
    CLAIMS_WITHOUT_COMPARING,
    /** The lease is extended by a read, which may be old. */
    EXTENDS_THE_LEASE_BY_AN_OLD_READ,
    /** Nobody gives up an opening that hangs. */
    WAITS_FOR_EVER_FOR_AN_OPENING;

    private static final long NEVER = 1L << 50;
    private static final double DRIFT = 0.05;
    private static final double WILD_DRIFT = 0.5;

    ShardTimes times() {
        long lease = 2_000_000_000L;
        return new ShardTimes(
                this == HAS_A_LEASE_LONGER_THAN_THE_WAIT ? 6 * lease : lease,
                this == DOES_NOT_WAIT ? 0 : 2_500_000_000L,
                this == HAS_ONE_CANDIDATE ? NEVER : 100_000_000L,
                1_000_000_000L,
                this == WAITS_FOR_EVER_FOR_AN_OPENING ? NEVER : 5_000_000_000L);
    }

    double rate(SplittableRandom random) {
        double drift = this == HAS_CLOCKS_THAT_DIFFER_TOO_MUCH ? WILD_DRIFT : DRIFT;
        return random.nextBoolean() ? 1 - drift : 1 + drift;
    }

    FakeRegistry.Bug ofRegistry() {
        return switch (this) {
            case CLAIMS_WITHOUT_COMPARING -> FakeRegistry.Bug.NO_COMPARE;
            case EXTENDS_THE_LEASE_BY_AN_OLD_READ -> FakeRegistry.Bug.OLD_CONFIRM;
            default -> FakeRegistry.Bug.NONE;
        };
    }

    Registry registry(FakeRegistryClient client) {
        return this == FORGETS_THE_WAIT_AT_A_RELEASE ? new WithoutWait(client) : client;
    }

    private record WithoutWait(Registry registry) implements Registry {
        @Override
        public @Nullable Versioned load(int shard) throws IOException {
            return registry.load(shard);
        }

        @Override
        public int swap(int shard, @Nullable Versioned state, ShardNode node) throws IOException {
            return registry.swap(shard, state, node.owner() == null ? node.released(false) : node);
        }

        @Override
        public boolean confirm(int shard, @Nullable Versioned state) throws IOException {
            return registry.confirm(shard, state);
        }

        @Override
        public boolean join(Member self) throws IOException {
            return registry.join(self);
        }

        @Override
        public List<Member> members() throws IOException {
            return registry.members();
        }

        @Override
        public void listen(Consumer<Event> listener) {
            registry.listen(listener);
        }

        @Override
        public void close() throws IOException {
            registry.close();
        }
    }
}
