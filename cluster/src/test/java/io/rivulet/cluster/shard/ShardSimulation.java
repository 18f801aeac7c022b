package io.rivulet.cluster.shard;

import io.rivulet.cluster.registry.FakeRegistry;
import io.rivulet.cluster.registry.Incarnation;
import io.rivulet.cluster.registry.Registry.Versioned;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Three brokers and one shard; a function of its seed. Brokers die at any call, start again, are paused, cut off from
 * the registry, or from the bookies; they release the shard and leave; sessions end without a reason; clocks run at
 * different rates; openings fail or hang; calls last, fail, and are made after they have failed. Then all this ends,
 * except for dead brokers and one that can't open the shard.
 *
 * <p>Invariants:
 * <ol>
 * <li>latest: an answer from state, which the lease lets out, lacks nothing that was acknowledged to anybody when the
 * state was read.
 * <li>epochs: a node's epoch never falls, and no two openings have the same. No broker opens twice at a time.
 * <li>owner: in the end exactly one broker serves; it appends, and answers from state.
 * </ol>
 */
final class ShardSimulation {
    /** An invariant is broken. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what);
        }
    }

    /** A thread of a broker. */
    private static final class Task {
        final SimulatedBroker broker;
        final SimulatedThread thread;
        long wakeNanos;

        Task(SimulatedBroker broker, SimulatedThread thread, long wakeNanos) {
            this.broker = broker;
            this.thread = thread;
            this.wakeNanos = wakeNanos;
        }

        long dueNanos() {
            return Math.max(wakeNanos, broker.pausedUntilNanos);
        }
    }

    static final int SHARD = 0;
    static final long LOAD_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final int BROKERS = 3;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CHAOS_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SESSION_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final long LATENCY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int EVENT_ONE_IN = 30;
    private static final int HEAL_ONE_IN = 50;
    private static final int LOST_ONE_IN = 10;

    private final long seed;
    private final ShardBug bug;
    private final SplittableRandom random;
    private final FakeRegistry registry;
    private final SimulatedLog log = new SimulatedLog();
    private final List<Task> tasks = new ArrayList<>();
    private final List<SimulatedBroker> brokers = new ArrayList<>();
    /** Their sessions have not expired yet. */
    private final List<SimulatedBroker> dead = new ArrayList<>();

    private final Set<Long> epochs = new HashSet<>();
    private long nowNanos;
    private long nextTickNanos;
    private boolean isCalm;
    private boolean countsLast;
    private long lastEpoch;
    private long answers;
    private long lastAnswers;
    private long lastAppends;
    private @Nullable Task running;
    private @Nullable Violation broken;

    ShardSimulation(long seed, ShardBug bug) {
        this.seed = seed;
        this.bug = bug;
        this.random = new SplittableRandom(seed);
        this.registry = new FakeRegistry(random.nextLong(), bug.ofRegistry());
        registry.duringCalls(this::pause);
    }

    /** How many claims and how many answers from state there were; throws at the first broken invariant. */
    long[] run() {
        try {
            for (int id = 1; id <= BROKERS; id++) {
                startBroker(id);
            }
            runUntil(CHAOS_NANOS);
            calm();
            runUntil(CHAOS_NANOS + CALM_NANOS);
            countsLast = true;
            runUntil(CHAOS_NANOS + CALM_NANOS + LAST_NANOS);
            requireOneOwner();
            return new long[] {epochs.size(), answers};
        } finally {
            List.copyOf(brokers).forEach(this::kill);
        }
    }

    private void runUntil(long endNanos) {
        while (nowNanos < endNanos) {
            Task next =
                    tasks.stream().min(Comparator.comparingLong(Task::dueNanos)).orElse(null);
            if (next == null || next.dueNanos() >= nextTickNanos) {
                nowNanos = nextTickNanos;
                nextTickNanos += TICK_NANOS;
                tick();
            } else {
                nowNanos = Math.max(nowNanos, next.dueNanos());
                running = next;
                next.thread.resume();
                tasks.removeIf(task -> task.thread.hasEnded());
                if (broken != null) {
                    throw broken; // a broker may have taken it for a failure of the shard
                }
            }
        }
    }

    // ---- for brokers ----

    ShardBug bug() {
        return bug;
    }

    SimulatedLog log() {
        return log;
    }

    long nowNanos() {
        return nowNanos;
    }

    /** Returns what wakes the thread when it sleeps. */
    Runnable start(SimulatedBroker broker, Runnable work) {
        Task task = new Task(broker, new SimulatedThread(work), nowNanos);
        tasks.add(task);
        return () -> task.wakeNanos = nowNanos;
    }

    /** Called by a thread of a broker. */
    void sleep(long nanos) {
        Task task = running;
        if (task == null) {
            return;
        }
        task.wakeNanos = nowNanos + nanos;
        if (task.thread.dies() || !isNext(task)) {
            task.thread.pause();
        } else {
            nowNanos = Math.max(nowNanos, task.dueNanos());
        }
    }

    /** Whether nothing happens before this one wakes, so that its thread can run on. */
    private boolean isNext(Task task) {
        long dueNanos = task.dueNanos();
        return dueNanos < nextTickNanos
                && broken == null
                && tasks.stream().allMatch(other -> other == task || other.dueNanos() > dueNanos);
    }

    /** Something takes its time. */
    void pause() {
        sleep(random.nextLong(random.nextInt(20) == 0 ? 50 * LATENCY_NANOS : LATENCY_NANOS));
    }

    void claimed(long epoch, int openings) {
        require(openings == 1, openings + " openings at a time");
        require(epochs.add(epoch), "epoch " + epoch + " was claimed twice");
    }

    void answered(SimulatedBroker broker, long known, long acknowledged) {
        require(
                known >= acknowledged,
                "broker " + broker.id() + " answers from " + known + " of " + acknowledged + " acknowledged appends");
        answers++;
        lastAnswers += countsLast ? 1 : 0;
    }

    void appended(boolean acknowledged) {
        lastAppends += countsLast && acknowledged ? 1 : 0;
    }

    // ---- what happens to brokers ----

    private void startBroker(int id) {
        Incarnation who = new Incarnation(id, random.nextLong());
        brokers.add(new SimulatedBroker(this, registry.client(), who, random.split()));
    }

    private void kill(SimulatedBroker broker) {
        broker.client.die();
        for (Task task : List.copyOf(tasks)) {
            if (task.broker == broker) {
                tasks.remove(task);
                running = task;
                task.thread.die();
            }
        }
        brokers.remove(broker);
        dead.add(broker);
    }

    private void tick() {
        for (int i = random.nextInt(8); i > 0; i--) {
            registry.deliverOne();
        }
        brokers.stream().filter(broker -> broker.host.hasLeft()).toList().forEach(this::kill);
        sessions();
        if (!isCalm && random.nextInt(HEAL_ONE_IN) == 0) {
            brokers.forEach(ShardSimulation::heal);
        }
        Versioned node = registry.current(SHARD);
        if (node != null) {
            require(
                    node.node().epoch() >= lastEpoch,
                    "the epoch has fallen to " + node.node().epoch());
            lastEpoch = node.node().epoch();
        }
        if (!isCalm && random.nextInt(EVENT_ONE_IN) == 0) {
            happen();
        }
    }

    private void sessions() {
        for (SimulatedBroker broker : List.copyOf(brokers)) {
            if (broker.client.isCut() || broker.pausedUntilNanos > nowNanos) {
                expireIfSilent(broker);
            } else {
                broker.heardNanos = nowNanos;
            }
        }
        dead.removeIf(this::expireIfSilent);
    }

    private boolean expireIfSilent(SimulatedBroker broker) {
        boolean silent = nowNanos - broker.heardNanos > SESSION_NANOS;
        if (silent) {
            registry.expire(broker.client);
        }
        return silent;
    }

    private void happen() {
        int id = 1 + random.nextInt(BROKERS);
        SimulatedBroker broker =
                brokers.stream().filter(each -> each.id() == id).findFirst().orElse(null);
        if (broker == null) {
            startBroker(id);
            return;
        }
        SimulatedBroker owner = brokers.stream()
                .filter(each -> each.host.isServing())
                .findFirst()
                .orElse(broker);
        if (random.nextBoolean()) {
            loseUnnoticed(owner);
        } else {
            happen(random.nextBoolean() ? owner : broker);
        }
    }

    private void happen(SimulatedBroker broker) {
        switch (random.nextInt(9)) {
            case 0 -> kill(broker);
            case 1, 2 -> broker.pausedUntilNanos = nowNanos + random.nextLong(PAUSE_NANOS);
            case 3 -> broker.client.cut(true);
            case 4 -> opensNothing(broker);
            case 5 -> broker.leave();
            case 6 -> broker.client.behind(true);
            case 7 -> registry.expire(broker.client);
            default -> registry.loseOneIn(random.nextBoolean() ? LOST_ONE_IN : 0);
        }
    }

    /** The session ends, and the owner learns of nothing. */
    private void loseUnnoticed(SimulatedBroker owner) {
        registry.expire(owner.client);
        owner.readsOnly(true);
        switch (random.nextInt(3)) {
            case 0 -> owner.client.cut(true);
            case 1 -> owner.client.behind(true);
            default -> owner.pausedUntilNanos = nowNanos + random.nextLong(PAUSE_NANOS);
        }
        // The first candidate may fail at once, so that the second one claims while the lease still holds.
        boolean firstFails = random.nextBoolean();
        SimulatedBroker first = brokers.stream()
                .filter(each -> each != owner)
                .min(Comparator.comparingInt(SimulatedBroker::id))
                .orElse(null);
        brokers.forEach(each -> each.opensNothing(each == first && firstFails));
    }

    private void opensNothing(SimulatedBroker broker) {
        if (random.nextBoolean()) {
            broker.hangs(true);
        } else {
            broker.opensNothing(true);
        }
    }

    private static void heal(SimulatedBroker broker) {
        broker.client.cut(false);
        broker.client.behind(false);
        broker.opensNothing(false);
        broker.hangs(false);
        broker.readsOnly(false);
    }

    /** At least one broker can open the shard; the one with the lowest id can't if there are others. */
    private void calm() {
        isCalm = true;
        registry.loseOneIn(0);
        if (random.nextBoolean()) {
            brokers.stream().filter(broker -> broker.host.isServing()).toList().forEach(this::kill);
        }
        for (int id = 1; id <= BROKERS; id++) {
            int each = id;
            if (brokers.stream().noneMatch(broker -> broker.id() == each) && random.nextBoolean()) {
                startBroker(id);
            }
        }
        if (brokers.isEmpty() || brokers.stream().allMatch(SimulatedBroker::isLeaving)) {
            List.copyOf(brokers).forEach(this::kill);
            startBroker(BROKERS);
        }
        for (SimulatedBroker broker : brokers) {
            broker.pausedUntilNanos = nowNanos;
            heal(broker);
        }
        List<SimulatedBroker> staying =
                brokers.stream().filter(broker -> !broker.isLeaving()).toList();
        if (staying.size() > 1) {
            staying.stream()
                    .min(Comparator.comparingInt(SimulatedBroker::id))
                    .filter(broker -> !broker.host.isServing())
                    .ifPresent(this::opensNothing);
        }
    }

    // ---- checks ----

    private void requireOneOwner() {
        long serving =
                brokers.stream().filter(broker -> broker.host.isServing()).count();
        require(serving == 1, serving + " brokers serve in the end, of " + brokers.size());
        require(lastAppends > 0, "the owner appends nothing");
        require(lastAnswers > 0, "the owner answers nothing from state");
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            Violation violation = new Violation("seed " + seed + ", after " + nowNanos + " ns: " + what);
            broken = broken == null ? violation : broken;
            throw violation;
        }
    }
}
