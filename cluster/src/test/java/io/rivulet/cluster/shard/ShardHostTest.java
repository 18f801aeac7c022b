package io.rivulet.cluster.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Registry.Versioned;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.shard.Takeover;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.simple.SimpleLogger;
import org.slf4j.spi.LocationAwareLogger;

/** Openings and closings that hang, fail or last; clocks that leap. {@code -Drivulet.seed} repeats a run. */
final class ShardHostTest {
    private static final int SHARD = 0;
    private static final int MOST_STEPS = 1000;
    private static final ShardTimes TIMES = ShardTimes.DEFAULT;

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final FakeRegistry registry = new FakeRegistry(seed, FakeRegistry.Bug.NONE);
    private long nowNanos = seed;
    private final TestBroker first = new TestBroker(registry, SHARD, 1, () -> nowNanos);
    private final TestBroker second = new TestBroker(registry, SHARD, 2, () -> nowNanos);

    /** Steps of the broker alone, with its tasks, until it serves. */
    private void untilServes(TestBroker broker) {
        for (int i = 0; i < MOST_STEPS && !broker.host.isServing(); i++) {
            nowNanos += broker.host.step();
            broker.runTasks();
            registry.deliverOne();
        }
        assertThat(broker.host.isServing()).as("serves, seed %d", seed).isTrue();
    }

    /** Until it has something to open. */
    private void untilClaims(TestBroker broker) {
        for (int i = 0; i < MOST_STEPS && broker.tasks.isEmpty(); i++) {
            nowNanos += broker.host.step();
            registry.deliverOne();
        }
        assertThat(broker.tasks).as("openings, seed %d", seed).isNotEmpty();
    }

    /** Somebody served, and may answer from state until its lease is over. */
    private void anOwnerHasDied() {
        TestBroker before = new TestBroker(registry, SHARD, 3, () -> nowNanos);
        untilServes(before);
        registry.expire(before.client);
        before.client.die();
    }

    private ShardNode node() {
        Versioned current = registry.current(SHARD);
        return Objects.requireNonNull(current).node();
    }

    private void requireReleased(boolean mustWait) {
        assertThat(node().owner()).as("owner, seed %d", seed).isNull();
        assertThat(node().mustWait()).as("must wait, seed %d", seed).isEqualTo(mustWait);
    }

    @Test
    void whoServesKnowsHowLongEachStepTook() {
        anOwnerHasDied();
        first.opening = progress -> {
            nowNanos += 5;
            progress.fenced();
            nowNanos += 7;
        };

        untilServes(first);

        Takeover steps = Objects.requireNonNull(first.takeover);
        assertThat(steps.claimNanos()).as("seed %d", seed).isNotNegative();
        assertThat(steps.fenceNanos()).as("seed %d", seed).isEqualTo(5);
        assertThat(steps.loadNanos()).as("seed %d", seed).isEqualTo(7);
        assertThat(steps.fenceNanos() + steps.loadNanos() + steps.waitNanos())
                .as("from the claim on, seed %d", seed)
                .isGreaterThanOrEqualTo(TIMES.waitNanos());
    }

    @Test
    void aNodeSaysSinceWhenItIsOwned() {
        long before = System.currentTimeMillis();

        untilServes(first);

        assertThat(node().sinceMillis()).isBetween(before, System.currentTimeMillis());
    }

    @Test
    void anErrorInAnOpeningGivesTheShardToOthers() {
        anOwnerHasDied();
        first.opening = progress -> {
            throw new StackOverflowError();
        };
        untilClaims(first);
        first.runTasks();
        first.host.step();

        requireReleased(true);
        untilServes(second);
    }

    @Test
    void anOwnerWhoseNodeWasDeletedServesNoMore() {
        untilServes(first);
        Lease lease = Objects.requireNonNull(first.lease);
        registry.deleteNode(SHARD);

        untilServesNoMore(first);
        assertThat(lease.holds()).isFalse();
    }

    private void untilServesNoMore(TestBroker broker) {
        for (int i = 0; i < MOST_STEPS && broker.host.isServing(); i++) {
            nowNanos += broker.host.step();
            registry.deliverOne();
        }
        assertThat(broker.host.isServing()).as("serves, seed %d", seed).isFalse();
    }

    /** The new node has the versions that the one before had. */
    @Test
    void anOwnerWhoseNodeWasDeletedHasNoLeaseByTheNodeOfTheNextOne() throws IOException {
        untilServes(first);
        Lease lease = Objects.requireNonNull(first.lease);
        int version = Objects.requireNonNull(registry.current(SHARD)).version();
        registry.deleteNode(SHARD);
        untilServes(second);
        assertThat(registry.current(SHARD)).satisfies(made -> {
            assertThat(made.version()).isEqualTo(version);
            assertThat(made.node().isOwnedBy(new Incarnation(2, 2))).isTrue();
        });

        first.host.step();
        assertThat(lease.holds()).as("seed %d", seed).isFalse();
        untilServesNoMore(first);
        assertThat(second.host.isServing()).isTrue();
    }

    @Test
    void aMemberThatWasDeletedJoinsAgain() {
        untilServes(first);
        second.host.step();
        assertThat(registry.isMember(2)).isTrue();
        registry.deleteMember(2);

        for (int i = 0; i < MOST_STEPS && !registry.isMember(2); i++) {
            nowNanos += second.host.step();
            registry.deliverOne();
        }
        assertThat(registry.isMember(2)).as("seed %d", seed).isTrue();
    }

    @Test
    void whoCanNotOpenLeavesTheOthersTimeToClaim() {
        first.opening = progress -> {
            throw new IOException("no bookie answers");
        };
        untilClaims(first);
        first.runTasks();
        long failedNanos = nowNanos;
        first.host.step();
        untilClaims(first);

        assertThat(nowNanos - failedNanos).isGreaterThanOrEqualTo(TIMES.retryNanos());
    }

    @Test
    void anOpeningThatHangsIsLeftToOthers() {
        untilClaims(first);
        nowNanos += TIMES.stuckNanos() + 1;
        first.host.step();

        requireReleased(false); // the wait was over long ago
        untilServes(second);
    }

    @Test
    void nothingIsOpenedWhileAnEarlierOpeningHangs() {
        untilClaims(first);
        nowNanos += TIMES.stuckNanos() + 1;
        for (int i = 0; i < MOST_STEPS; i++) {
            nowNanos += first.host.step();
        }
        assertThat(node().epoch()).isEqualTo(1);

        first.runTasks();
        untilServes(first);
        assertThat(node().epoch()).isEqualTo(2);
    }

    @Test
    void anOpeningThatGoesOnMayTakeLong() {
        first.opening = progress -> {
            for (int i = 0; i < 100; i++) {
                nowNanos += TIMES.stuckNanos() - 1;
                progress.made();
                first.host.step();
            }
        };
        untilServes(first);

        assertThat(node().epoch()).isEqualTo(1);
        assertThat(Objects.requireNonNull(first.lease).holds()).isTrue();
    }

    @Test
    void whatWasGivenUpStopsAtItsNextProgress() {
        AtomicReference<Throwable> stopped = new AtomicReference<>();
        first.opening = progress -> {
            nowNanos += TIMES.stuckNanos() + 1;
            first.host.step();
            try {
                progress.made();
            } catch (IOException e) {
                stopped.set(e);
            }
        };
        untilClaims(first);
        first.runTasks();

        assertThat(stopped.get()).hasMessageContaining("given up");
        // It went on nevertheless.
        assertThat(first.closed).isEqualTo(1);
        assertThat(first.served).isZero();
    }

    @Test
    void aShardThatIsLostWhileItOpensIsNotServed() {
        first.opening = progress -> {
            registry.expire(first.client);
            first.client.cut(true);
            untilServes(second);
            first.client.cut(false);
        };
        untilClaims(first);
        first.runTasks();
        for (int i = 0; i < MOST_STEPS && first.closed == 0; i++) {
            nowNanos += first.host.step();
            first.runTasks();
            registry.deliverOne();
        }

        assertThat(first.served).isZero();
        assertThat(first.closed).isEqualTo(1);
        assertThat(second.host.isServing()).isTrue();
    }

    @Test
    void aShardThatDoesNotServeIsGivenToOthers() {
        first.serving = () -> {
            throw new LinkageError("a class is missing");
        };
        for (int i = 0; i < 20 && first.served == 0; i++) {
            nowNanos += first.host.step();
            first.runTasks();
        }
        first.host.step();

        assertThat(first.host.isServing()).isFalse();
        requireReleased(false);
        untilServes(second);
        assertThat(first.served).isEqualTo(1);
    }

    @Test
    void aClosingThatHangsKeepsTheShardFromNobody() {
        untilServes(first);
        first.hasFailed = true;
        first.host.step();

        assertThat(Objects.requireNonNull(first.lease).holds()).isFalse();
        requireReleased(false);
        untilServes(second);
    }

    @Test
    void anErrorInAClosingIsTheEndOfIt() {
        untilServes(first);
        first.closing = () -> {
            throw new StackOverflowError();
        };
        first.hasFailed = true;
        first.host.step();
        first.runTasks();
        first.hasFailed = false;

        untilServes(first);
        assertThat(node().epoch()).isEqualTo(2);
    }

    /** Then there is no memory for the line about it, either. */
    @Test
    void aClosingWithoutMemoryIsTheEndOfIt() throws ReflectiveOperationException {
        untilServes(first);
        first.closing = () -> {
            throw new OutOfMemoryError() {
                @Override
                public void printStackTrace(PrintStream stream) {
                    throw new OutOfMemoryError();
                }
            };
        };
        first.hasFailed = true;
        first.host.step();
        withLogLines(() -> assertThatThrownBy(first::runTasks).isInstanceOf(OutOfMemoryError.class));
        first.hasFailed = false;

        untilServes(first);
        assertThat(node().epoch()).isEqualTo(2);
    }

    /** As in a broker; tests write no lines. */
    private static void withLogLines(Runnable action) throws ReflectiveOperationException {
        Logger logger = LoggerFactory.getLogger(ClaimedShard.class);
        Field level = SimpleLogger.class.getDeclaredField("currentLogLevel");
        level.setAccessible(true);
        int before = level.getInt(logger);
        level.setInt(logger, LocationAwareLogger.WARN_INT);
        try {
            action.run();
        } finally {
            level.setInt(logger, before);
        }
    }

    /** It may hang, so it never runs within a step. */
    @Test
    void aClosingThatHasNoThreadBeginsAfterTheShardIsGivenBack() {
        untilServes(first);
        List<ShardNode> whenClosed = new ArrayList<>();
        first.closing = () -> whenClosed.add(node());
        first.hasNoThreads = true;
        first.hasFailed = true;
        first.host.step();
        requireReleased(false);
        first.host.step();
        assertThat(first.host.isClosing()).isTrue();
        assertThat(whenClosed).isEmpty();

        first.hasNoThreads = false;
        first.host.step();
        first.runTasks();
        assertThat(whenClosed).hasSize(1).allMatch(node -> node.owner() == null);
        first.hasFailed = false;
        untilServes(first);
        assertThat(first.closed).isEqualTo(1);
    }

    @Test
    void whoLeavesClosesFirst() {
        untilServes(first);
        first.host.release();
        first.host.step();
        first.host.step();
        assertThat(node().owner()).isNotNull();
        assertThat(first.host.hasLeft()).isFalse();

        first.runTasks();
        first.host.step();

        requireReleased(false);
        assertThat(first.host.hasLeft()).isTrue();
    }

    @Test
    void whoLeavesDoesNotWaitForAClosingThatHangs() {
        untilServes(first);
        first.host.release();
        first.host.step();
        nowNanos += TIMES.stuckNanos() + 1;
        first.host.step();

        requireReleased(false);
        assertThat(first.host.hasLeft()).isTrue();
    }

    @Test
    void whoLeavesDoesNotWaitForAnOpening() {
        anOwnerHasDied();
        untilClaims(first);
        first.host.release();
        first.host.step();
        first.host.step();

        requireReleased(true);
        assertThat(first.host.hasLeft()).isTrue();
    }

    @Test
    void aBrokerWithoutThreadsGivesTheShardToOthers() {
        anOwnerHasDied();
        first.hasNoThreads = true;
        for (int i = 0; i < MOST_STEPS && node().owner() != null; i++) {
            nowNanos += first.host.step();
        }

        requireReleased(true);
        untilServes(second);
    }

    @Test
    void aStepThatFailsIsNotTheLast() {
        untilServes(first);
        first.clockFailure = new IllegalStateException("a test wants it");
        assertThat(first.host.step()).isPositive();
        assertThatThrownBy(() -> Objects.requireNonNull(first.lease).holds()).isInstanceOf(IllegalStateException.class);

        first.clockFailure = null;
        nowNanos += TIMES.leaseNanos();
        assertThat(Objects.requireNonNull(first.lease).holds()).isFalse();
        first.host.step();
        assertThat(first.lease.holds()).isTrue();
    }

    @Test
    void aLeapOfTheClockEndsTheLeaseUntilTheRegistryIsAsked() {
        untilServes(first);
        Lease lease = Objects.requireNonNull(first.lease);
        assertThat(lease.holds()).isTrue();

        nowNanos += Long.MAX_VALUE / 4;
        assertThat(lease.holds()).isFalse();
        first.host.step();
        assertThat(lease.holds()).isTrue();

        nowNanos -= Long.MAX_VALUE / 4;
        first.host.step();
        nowNanos += TIMES.leaseNanos();
        assertThat(lease.holds()).as("a lease from before the leap").isFalse();
    }

    @Test
    void aLeaseBeginsWithTheQuestionAndNotWithItsAnswer() {
        untilServes(first);
        Lease lease = Objects.requireNonNull(first.lease);
        long askedNanos = nowNanos;
        registry.duringCalls(() -> nowNanos += TIMES.leaseNanos() / 4); // on both ways
        first.host.step();
        assertThat(lease.holds()).isTrue();

        nowNanos = askedNanos + TIMES.leaseNanos();
        assertThat(lease.holds()).isFalse();
    }

    @Test
    void aLeaseThatEndedWithItsClaimNeverHoldsAgain() {
        untilServes(first);
        Lease before = Objects.requireNonNull(first.lease);
        first.hasFailed = true;
        first.host.step();
        first.hasFailed = false;
        first.runTasks();
        untilServes(first);

        assertThat(before.holds()).isFalse();
        assertThat(first.lease).isNotSameAs(before);
        assertThat(Objects.requireNonNull(first.lease).holds()).isTrue();
    }
}
