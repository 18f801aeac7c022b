package io.rivulet.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Registry.Versioned;
import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.cluster.shard.ShardTimes;
import io.rivulet.store.failure.OwnerChangedException;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.shard.Overview;
import io.rivulet.store.shard.Peer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two processes with threads of their own, and a registry in memory. {@code -Drivulet.seed} repeats its choices. */
final class ParticipationTest {
    private static final int SHARD = 7;
    private static final String THREADS = "shard-" + SHARD;
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int EVENTS = 20;

    /** Whoever waits for the clock waits too long. */
    private static final ShardTimes EVENTS_ONLY =
            new ShardTimes(4 * HOUR_NANOS, HOUR_NANOS, MILLI_NANOS, MILLI_NANOS, HOUR_NANOS);

    private static final ShardTimes QUICK =
            new ShardTimes(60 * MILLI_NANOS, 80 * MILLI_NANOS, MILLI_NANOS, 60 * MILLI_NANOS, 100 * MILLI_NANOS);

    private final long seed = Long.getLong("rivulet.seed", System.nanoTime());
    private final FakeRegistry registry = new FakeRegistry(seed, FakeRegistry.Bug.NONE);
    private final FakeEngine engine = FakeEngine.eager();
    private final List<TestTenant> tenants = new ArrayList<>();
    private final CountDownLatch hanging = new CountDownLatch(1);

    private TestTenant tenant(int id, ShardTimes times) {
        TestTenant tenant = new TestTenant(registry, engine, SHARD, id, times);
        tenants.add(tenant);
        return tenant;
    }

    private TestTenant joined(int id, ShardTimes times) {
        TestTenant tenant = tenant(id, times);
        tenant.participation.start();
        return tenant;
    }

    @AfterEach
    void closeAll() throws IOException {
        hanging.countDown();
        for (TestTenant tenant : tenants) {
            tenant.participation.close();
        }
        until(() -> threads().isEmpty());
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(THREADS))
                .toList();
    }

    /** Without events. */
    private void until(Callable<Boolean> condition) {
        Awaitility.await("seed " + seed)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofMinutes(1))
                .until(condition);
    }

    private void untilWithEvents(Callable<Boolean> condition) {
        until(() -> {
            synchronized (registry) {
                for (int i = 0; i < EVENTS; i++) {
                    boolean unused = registry.deliverOne();
                }
            }
            return condition.call();
        });
    }

    private void deliverAll() {
        synchronized (registry) {
            while (registry.deliverOne()) {
                // until nothing is on its way
            }
        }
    }

    private ShardNode node() {
        synchronized (registry) {
            Versioned current = registry.current(SHARD);
            return current == null ? ShardNode.NEW : current.node();
        }
    }

    private static Overview overview(int ownerId, long epoch, int... ids) {
        List<Peer> peers = new ArrayList<>();
        for (int id : ids) {
            peers.add(new Peer(id, TestTenant.endpoints(id)));
        }
        return new Overview(peers, ownerId, epoch);
    }

    private void hang() throws IOException {
        try {
            hanging.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void theEndOfAnOpeningIsNotWaitedFor() {
        TestTenant tenant = tenant(1, EVENTS_ONLY);
        tenant.opening = claim -> hang();
        tenant.participation.start();
        untilWithEvents(() -> tenant.openings.get() == 1);
        deliverAll();
        until(() -> threads().stream()
                .anyMatch(
                        thread -> thread.getName().equals(THREADS) && thread.getState() == Thread.State.TIMED_WAITING));

        hanging.countDown();

        until(() -> tenant.serves.get() == 1);
        assertThat(Objects.requireNonNull(tenant.claim).mayAnswer()).isTrue();
        assertThat(tenant.claim.epoch()).isEqualTo(1);
    }

    @Test
    void whoIsMissedIsReplacedAndClosesWhenItLearnsThat() throws IOException {
        TestTenant first = joined(1, QUICK);
        untilWithEvents(first::isServing);
        TestTenant second = joined(2, QUICK);
        synchronized (registry) {
            first.registry.client.cut(true);
            registry.expire(first.registry.client);
        }
        untilWithEvents(second::isServing);
        assertThat(Objects.requireNonNull(first.claim).mayAnswer()).isFalse();

        synchronized (registry) {
            first.registry.client.cut(false);
        }
        untilWithEvents(() -> first.closings.get() == 1 && overview(2, 2, 1, 2).equals(first.overview()));
        assertThat(second.isServing()).isTrue();
        assertThat(Objects.requireNonNull(second.claim).epoch()).isEqualTo(2);
        LogLocation log = first.claim.log(new CrashDisk());
        assertThatThrownBy(log::exists).hasCauseInstanceOf(OwnerChangedException.class);
    }

    @Test
    void whoseTenureFailsLosesTheShard() {
        TestTenant first = joined(1, QUICK);
        untilWithEvents(first::isServing);
        TestTenant second = joined(2, QUICK);
        first.hasFailed = true;
        untilWithEvents(second::isServing);
        untilWithEvents(() -> first.closings.get() == 1);
    }

    @Test
    void whoClosesGivesTheShardToOthersAtOnce() throws IOException {
        TestTenant first = joined(1, EVENTS_ONLY);
        untilWithEvents(first::isServing);
        TestTenant second = joined(2, EVENTS_ONLY);

        first.participation.close();

        assertThat(first.closings).hasValue(1);
        assertThat(node().since(0))
                .isEqualTo(ShardNode.NEW.claimedBy(new Incarnation(1, 1)).released(false));
        untilWithEvents(second::isServing);
        untilWithEvents(() -> overview(2, 2, 2).equals(second.overview()));
        first.participation.close();
        assertThat(first.closings).hasValue(1);
    }

    @Test
    void whoCanNotOpenLeavesTheShardToOthers() {
        AtomicInteger left = new AtomicInteger();
        TestTenant first = tenant(1, QUICK);
        first.opening = claim -> {
            left.incrementAndGet();
            throw new StackOverflowError();
        };
        first.participation.start();
        untilWithEvents(() -> left.get() > 0);
        TestTenant second = joined(2, QUICK);
        untilWithEvents(second::isServing);
    }

    @Test
    void theLogOfAnOpeningThatFailsIsClosedOnce() {
        TestTenant first = tenant(1, QUICK);
        first.opening = claim -> {
            LogLocation log = claim.log(new CrashDisk());
            if (first.openings.get() % 2 == 0) {
                log.close();
            }
            throw new IOException("a test wants it");
        };
        first.participation.start();
        untilWithEvents(() -> first.openings.get() > 2);
        first.opening = claim -> {};
        untilWithEvents(first::isServing);

        assertThat(first.disconnections.get()).isEqualTo(first.connections.get());
    }

    @Test
    void whoseOpeningHangsLeavesTheShardToOthersAndCloses() throws IOException {
        TestTenant first = tenant(1, QUICK);
        first.opening = claim -> hang();
        first.participation.start();
        untilWithEvents(() -> first.openings.get() == 1);
        TestTenant second = joined(2, QUICK);
        untilWithEvents(second::isServing);

        first.participation.close();

        hanging.countDown();
        until(() -> first.closings.get() == 1);
        assertThat(first.serves).hasValue(0);
    }

    @Test
    void everybodyLearnsWhoIsThereAndWhoOwnsTheShard() {
        TestTenant first = joined(1, EVENTS_ONLY);
        untilWithEvents(() -> overview(1, 1, 1).equals(first.overview()));
        TestTenant second = joined(2, EVENTS_ONLY);
        untilWithEvents(() -> overview(1, 1, 1, 2).equals(first.overview()));
        untilWithEvents(() -> overview(1, 1, 1, 2).equals(second.overview()));
        deliverAll();

        assertThat(first.overviews).doesNotHaveDuplicates();
        assertThat(second.overviews).doesNotHaveDuplicates();
    }

    @Test
    void aTenantThatDoesNotListenHearsOfTheNextChange() {
        TestTenant first = tenant(1, EVENTS_ONLY);
        first.telling = () -> {
            throw new StackOverflowError();
        };
        first.participation.start();
        untilWithEvents(first::isServing);
        deliverAll();
        first.telling = () -> {};
        joined(2, EVENTS_ONLY);
        untilWithEvents(() -> overview(1, 1, 1, 2).equals(first.overview()));
    }

    @Test
    void anErrorEndsNothing() {
        TestTenant tenant = tenant(1, QUICK);
        tenant.registry.failure = new OutOfMemoryError("a test wants it");
        tenant.participation.start();
        until(() -> threads().stream().anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));

        tenant.registry.failure = null;
        untilWithEvents(tenant::isServing);
    }

    @Test
    void aRegistryThatDoesNotAnswerKeepsNobodyFromTheEnd() throws IOException {
        TestTenant owner = joined(1, QUICK);
        untilWithEvents(owner::isServing);
        Thread test = Thread.currentThread();
        owner.closing = () -> until(() -> owner.registry.isClosed && test.getState() == Thread.State.TIMED_WAITING);
        TestTenant stranger = tenant(2, QUICK);
        synchronized (registry) {
            owner.registry.client.cut(true);
            stranger.registry.client.cut(true);
        }
        stranger.participation.start();

        stranger.participation.close();
        owner.participation.close();

        assertThat(owner.closings).hasValue(1);
        until(() -> threads().isEmpty());
    }

    @Test
    void anInterruptIsKeptForLater() throws IOException {
        TestTenant tenant = joined(1, QUICK);
        untilWithEvents(tenant::isServing);

        Thread.currentThread().interrupt();
        tenant.participation.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(tenant.closings).hasValue(1);
        assertThat(node().owner()).isNull();
    }
}
