package io.rivulet.cluster.ledger;

import static io.rivulet.store.simulation.Invariant.OPENS_AND_WORKS;

import io.rivulet.cluster.fake.FakeClient;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.store.Durability;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.open.SimulatedStore;
import io.rivulet.store.open.StateCheck;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.Tampering;
import io.rivulet.store.simulation.History;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.Violation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Lives of one store whose log is on ledgers; a function of its seed. Each life has another owner. An owner ends by
 * closing the store, by a kill or a power cut, at any I/O or call of the engine, or by being paused: then the next one
 * opens a copy of its directory, and it goes on meanwhile and after. A shared log is opened by three machines, each
 * with a directory of its own. Messages are late, bookies are down one at a time, no ledger can be made for a while,
 * and answers to decisions are lost.
 *
 * <p>In each life, what a power cut would leave at some moments is opened and checked with the invariants of every
 * store. Whatever was acknowledged must be there: an append is acknowledged when two bookies have it.
 */
final class LedgerStoreSimulation {
    private static final int STEPS = 220;
    private static final long[] MAX_REPLAY_BYTES = {1, 64 << 10, 128 << 10, 512 << 10};
    private static final int MOST_PAUSED = 2;
    private static final int MACHINES = 3;
    /** I/Os and calls between two looks, at most. */
    private static final int LOOK_WITHIN = 500;

    private final long seed;
    private final SplittableRandom random;
    private final UnaryOperator<CommitLog> bug;
    private final int looksPerLife;
    /** Requests may be refused. Then nothing has limits: the model does not know which trims were refused. */
    private final boolean refuses;

    private final List<StoreOwner> paused = new ArrayList<>();
    /** Of the machines that open the log by turns; one if it is not shared. */
    private final List<CrashDisk> directories = new ArrayList<>();

    private int machine;
    private StoreOnLedgers ground;
    private History history = new History(new Model());
    /** The latest owner that has opened the store; the next one may be opening it. */
    private @Nullable StoreOwner latest;

    private @Nullable FakeClient opening;
    private @Nullable StoreOnLedgers keptGround;
    private History keptHistory = history;

    private long clock;
    private int looksLeft;
    private int untilLook;
    private boolean elsewhere;
    private @Nullable RuntimeException found;
    private final Tally tally = new Tally();

    /** What was met, and a number that tells whether two runs were the same. */
    static final class Tally {
        long states;
        long takeovers;
        long merges;
        long expiries;
        long answersLost;
        long fingerprint;

        void add(Tally other) {
            states += other.states;
            takeovers += other.takeovers;
            merges += other.merges;
            expiries += other.expiries;
            answersLost += other.answersLost;
        }

        private void met(Object seen) {
            fingerprint = 31 * fingerprint + seen.hashCode();
        }
    }

    LedgerStoreSimulation(long seed, int looksPerLife, FakeEngine.Bug engineBug, UnaryOperator<CommitLog> bug) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.bug = bug;
        this.looksPerLife = looksPerLife;
        this.refuses = random.nextInt(3) == 0;
        FakeEngine engine = new FakeEngine(random.nextLong(), engineBug);
        boolean isShared = random.nextBoolean();
        StoreOnLedgers.createLog(engine, random.nextLong(), isShared);
        for (int i = 0; i < (isShared ? MACHINES : 1); i++) {
            directories.add(new CrashDisk());
        }
        StoreConfig config =
                SimulatedStore.config(Durability.FSYNC, MAX_REPLAY_BYTES[random.nextInt(MAX_REPLAY_BYTES.length)]);
        this.ground =
                new StoreOnLedgers(directories.get(0), engine, isShared, config, () -> clock, () -> new Tampering() {
                    @Override
                    public CommitLog log(CommitLog log) {
                        return bug.apply(log);
                    }
                });
        engine.duringCalls(this::elsewhere);
    }

    /** Throws at the first broken invariant. */
    Tally run(int lives) {
        for (int life = 0; life < lives; life++) {
            try {
                live();
            } catch (Violation e) {
                throw e.at("seed " + seed + ", life " + life);
            }
        }
        return tally;
    }

    // ---- one life ----

    private void live() {
        looksLeft = looksPerLife;
        untilLook = 1 + random.nextInt(LOOK_WITHIN);
        keptGround = null;
        boolean pauses = random.nextInt(3) == 0;
        StoreOwner now = open();
        latest = now;
        if (!refuses) {
            now.client().expires();
        }
        if (!pauses && !ground.isShared() && random.nextBoolean()) {
            now.client().sendsHuge(); // Their files are on the disk: another owner would not have them.
        }
        int clientShare = 30 + random.nextInt(60);
        int steps = pauses ? random.nextInt(STEPS) : Integer.MAX_VALUE;
        for (int i = 0; i < steps && !now.client().isDone(); i++) {
            clock++;
            trouble(now);
            now.step(random.nextInt(100) < clientShare);
            requireNothingFound();
        }
        end(now, pauses);
        move();
        tally.merges += now.simulated().metric(StoreMetric.MERGES);
        tally.expiries += now.client().expiries();
        requireNothingFound();
    }

    private void trouble(StoreOwner now) {
        FakeEngine engine = ground.engine();
        boolean fails = now.simulated().failure() != null;
        switch (random.nextInt(40)) {
            case 0 -> engine.takeDown(random.nextInt(engine.bookieCount()));
            case 1 -> engine.allUp();
            case 2, 3 -> {
                if (!fails) {
                    now.check();
                }
            }
            case 4, 5, 6 -> elsewhere();
            case 7 -> engine.full(now.fate().mayFail() && random.nextBoolean());
            default -> {}
        }
    }

    private void end(StoreOwner now, boolean pauses) {
        FakeEngine engine = ground.engine();
        engine.loseAnswers(0);
        tally.answersLost = engine.answersLost();
        if (pauses) {
            now.fate().mayEnd();
            ground = ground.with(ground.disk().afterKill(), engine);
            paused.add(now);
            if (paused.size() > MOST_PAUSED) {
                paused.remove(0).die();
            }
            return;
        }
        engine.full(false);
        boolean closed = false;
        switch (random.nextInt(4)) {
            case 0 -> {
                now.close();
                closed = true;
            }
            case 1 -> now.settle();
            default -> {}
        }
        now.client().tellRefused();
        now.die();
        StoreOnLedgers kept = keptGround;
        if (closed) {
            ground = ground.with(ground.disk().afterKill(), engine);
        } else if (kept != null && random.nextBoolean()) {
            goOnAt(kept);
        } else {
            CrashDisk disk = ground.disk();
            ground = ground.with(
                    random.nextBoolean() ? disk.afterKill() : disk.afterPowerCut(disk.traceLength(), random.nextLong()),
                    engine);
        }
    }

    /** The next owner may be on another machine, which may have had the log before. */
    private void move() {
        directories.set(machine, ground.disk());
        machine = random.nextInt(directories.size());
        ground = ground.with(directories.get(machine), ground.engine());
    }

    /** What happened after that moment has not happened. */
    private void goOnAt(StoreOnLedgers kept) {
        paused.forEach(StoreOwner::die);
        paused.clear();
        ground = kept;
        history = keptHistory;
        ground.engine().duringCalls(this::elsewhere);
    }

    // ---- opening ----

    private StoreOwner open() {
        FakeEngine engine = ground.engine();
        StoreOwner before = paused.isEmpty() ? null : paused.get(paused.size() - 1);
        StoreOwner.Fate fate = new StoreOwner.Fate(bug, this::lookSometimes);
        SimulatedWorkers workers = new SimulatedWorkers(random.nextLong(), 1 + random.nextInt(6));
        SimulatedStore simulated = null;
        FakeClient process = engine.client();
        while (simulated == null) {
            process = engine.client();
            opening = process;
            int lostBefore = engine.answersLost();
            engine.loseAnswers(random.nextInt(8) == 0 ? 3 : 0);
            try {
                simulated = roomyOrNot().open(process, workers, fate);
            } catch (IOException | RuntimeException e) {
                requireNothingFound();
                if (engine.answersLost() == lostBefore) {
                    throw OPENS_AND_WORKS.violated("the store does not open", e);
                }
                process.die();
                workers = new SimulatedWorkers(random.nextLong(), 1 + random.nextInt(6));
            }
        }
        engine.loseAnswers(0);
        opening = null;
        requireNothingFound();
        String summary = simulated.summary();
        tally.met(summary);
        tally.met(engine.delivered());
        tally.met(ground.disk().traceLength());
        Model model = history.afterKill(summary);
        if (before != null && before.history() == history) {
            before.superseded(summary);
            tally.takeovers++;
        }
        if (refuses) {
            doom(fate, engine);
        }
        StoreOwner now = new StoreOwner(process, workers, fate, simulated, model, random, random.nextInt(STEPS));
        history = now.history();
        return now;
    }

    private void doom(StoreOwner.Fate fate, FakeEngine engine) {
        fate.mayRefuse();
        if (random.nextInt(4) == 0) {
            engine.loseAnswers(4);
        }
    }

    /** Sweeps late, and leaves more to replay than the tail can hold. */
    private StoreOnLedgers roomyOrNot() {
        return random.nextInt(3) == 0 ? ground.with(ground.config().withMemory(1 << 20, 1 << 20)) : ground;
    }

    // ---- what happens meanwhile ----

    /** While an owner waits for the engine: others go on, and messages arrive. */
    private void elsewhere() {
        if (elsewhere) {
            return;
        }
        elsewhere = true;
        try {
            for (StoreOwner old : paused) {
                if (isAwake(old)) {
                    for (int i = random.nextInt(4); i > 0; i--) {
                        old.step(random.nextBoolean());
                    }
                    old.requireNothingNew();
                }
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                ground.engine().deliverOne();
            }
        } catch (RuntimeException e) {
            found = found != null ? found : e;
        } finally {
            elsewhere = false;
        }
        lookSometimes();
    }

    /** It slept while its directory was copied, and until the log had another owner. */
    private boolean isAwake(StoreOwner old) {
        FakeClient other = opening;
        return other == null || other.swaps() > 0 || old.history() != history;
    }

    /** At some I/Os and calls: what a power cut would leave now. */
    private void lookSometimes() {
        if (elsewhere || looksLeft == 0 || --untilLook > 0) {
            return;
        }
        elsewhere = true;
        try {
            looksLeft--;
            untilLook = 1 + random.nextInt(LOOK_WITHIN);
            tally.states++;
            if (latest != null) {
                latest.client().tellRefused(); // its parts of requests that are not complete
            }
            keptGround = ground.left(random);
            keptHistory = history.copy();
            StoreOnLedgers left = ground.left(random);
            int by = random.nextInt(directories.size());
            if (by != machine) {
                left = left.with(directories.get(by).afterKill(), left.engine());
            }
            StateCheck.check(left, history::afterKill, random.nextLong());
        } catch (RuntimeException e) {
            found = found != null ? found : e;
        } finally {
            elsewhere = false;
        }
    }

    private void requireNothingFound() {
        if (found != null) {
            throw found;
        }
    }
}
