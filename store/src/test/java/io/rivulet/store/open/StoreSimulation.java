package io.rivulet.store.open;

import static io.rivulet.store.simulation.Invariant.NOTHING_FORGOTTEN;
import static io.rivulet.store.simulation.Invariant.OPENS_AND_WORKS;
import static io.rivulet.store.simulation.Invariant.VIEWS_EQUAL_AFTER_REPLAY;

import io.rivulet.store.Durability;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.simulation.History;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.Violation;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Lives of one store, each ended by a power cut, a kill or a close, and started on what the last one left; a function
 * of its seed. At the end of each life, the results of cuts at other moments are opened and checked, too.
 */
final class StoreSimulation {
    private static final int STEPS = Integer.getInteger("rivulet.crash.steps", 220);
    private static final long[] MAX_REPLAY_BYTES = {1, 64 << 10, 128 << 10, 512 << 10};

    private final long seed;
    private final SplittableRandom random;
    /** One for each life, and one for all states that are only checked. */
    private final Function<SplittableRandom, Tampering> lying;

    private final Tampering looking;
    private final StoreConfig config;
    private final boolean losesAcknowledged;
    private CrashDisk disk = new CrashDisk();
    private Model model = new Model();
    private int states;
    private long merges;
    private long expiries;
    private boolean hugeBatches;

    StoreSimulation(long seed, Tampering tampering) {
        this(seed, Durability.FSYNC, tampering);
    }

    StoreSimulation(long seed, Durability durability, Tampering tampering) {
        this(seed, durability, random -> tampering, tampering);
    }

    StoreSimulation(long seed, Durability durability, Function<SplittableRandom, Tampering> lying, Tampering looking) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.lying = lying;
        this.looking = looking;
        this.losesAcknowledged = durability != Durability.FSYNC;
        this.config = SimulatedStore.config(durability, MAX_REPLAY_BYTES[random.nextInt(MAX_REPLAY_BYTES.length)]);
    }

    /** Clients send huge batches too. */
    StoreSimulation withHugeBatches() {
        hugeBatches = true;
        return this;
    }

    /** How many states were opened and checked; throws at the first one that breaks an invariant. */
    int run(int lives, int looksPerLife) {
        for (int life = 0; life < lives; life++) {
            String where = "seed " + seed + ", life " + life;
            try {
                live(looksPerLife);
            } catch (Violation e) {
                throw e.at(where);
            }
        }
        return states;
    }

    private void live(int looks) {
        History history = new History(model);
        boolean closed = liveUntilTheEnd(history);
        int moments = disk.traceLength();
        for (int look = 0; look < looks; look++) {
            cut(history, random.nextInt(moments + 1), random.nextLong());
        }
        if (closed || random.nextInt(4) == 0) {
            CrashDisk left = disk.afterKill();
            model = check(disk.afterKill(), history::afterKill, random.nextLong());
            disk = left;
        } else {
            int moment = random.nextInt(moments + 1);
            long cutSeed = random.nextLong();
            model = cut(history, moment, cutSeed);
            disk = disk.afterPowerCut(moment, cutSeed);
        }
    }

    private Model cut(History history, int moment, long cutSeed) {
        try {
            return check(
                    disk.afterPowerCut(moment, cutSeed),
                    summary -> history.afterCut(summary, losesAcknowledged ? -1 : moment),
                    random.nextLong());
        } catch (Violation e) {
            throw e.at("cut at " + moment + " of " + disk.traceLength() + " with " + cutSeed);
        }
    }

    /** Runs a life; true if it ended with a close. */
    private boolean liveUntilTheEnd(History history) {
        SimulatedWorkers workers = new SimulatedWorkers(random.nextLong(), 1 + random.nextInt(6));
        Tampering tampering = lying.apply(random);
        SimulatedStore simulated;
        try {
            simulated = open(disk, random.nextInt(3) == 0 ? roomy() : config, workers, tampering);
        } catch (Violation e) {
            if (tampering.mayFail()) {
                return false;
            }
            throw e;
        }
        VIEWS_EQUAL_AFTER_REPLAY.require(
                simulated.summary().equals(model.summary()), "%s\nwas%n%s", simulated.summary(), model.summary());
        int steps = random.nextInt(STEPS);
        SimulatedClient client = new SimulatedClient(simulated, history, random.nextLong(), steps, disk::traceLength);
        if (!tampering.mayFail()) {
            client.expires();
        }
        if (hugeBatches) {
            client.sendsHuge();
        }
        workers.client(client::step);
        int clientShare = 30 + random.nextInt(60);
        while (!client.isDone()) {
            if (random.nextInt(100) < clientShare || !workers.runOne()) {
                workers.asClient(client::step);
            }
        }
        boolean closed = switch (random.nextInt(4)) {
            case 0 -> close(simulated, client);
            case 1 -> settle(simulated, client);
            default -> false;
        };
        client.tellRefused();
        merges += simulated.store.metric(StoreMetric.MERGES);
        expiries += client.expiries();
        return closed;
    }

    /** Number of completed merges of block files. */
    long merges() {
        return merges;
    }

    /** How many times a queue was trimmed by its limits. */
    long expiries() {
        return expiries;
    }

    /** Sends no more requests; then everything must get a result. */
    private static boolean settle(SimulatedStore simulated, SimulatedClient client) {
        simulated.workers.client(() -> {});
        simulated.tampering.settle();
        client.stop();
        simulated.workers.runAll();
        client.requireNothingWrong();
        NOTHING_FORGOTTEN.require(client.open() == 0, "%s requests are never answered", client.open());
        return false;
    }

    private static boolean close(SimulatedStore simulated, SimulatedClient client) {
        simulated.workers.client(() -> {});
        client.stop();
        boolean closed = close(simulated);
        NOTHING_FORGOTTEN.require(client.open() == 0, "%s requests are not answered at the close", client.open());
        return closed;
    }

    private static boolean close(SimulatedStore simulated) {
        try {
            new StoreChecker(simulated).close();
            return true;
        } catch (Violation e) {
            if (simulated.tampering.mayFail()) {
                return false;
            }
            throw e;
        }
    }

    /** Sweeps late, and leaves more to replay than the tail can hold. */
    private StoreConfig roomy() {
        return config.withMemory(1 << 20, 1 << 20);
    }

    private static SimulatedStore open(
            CrashDisk on, StoreConfig config, SimulatedWorkers workers, Tampering tampering) {
        try {
            return SimulatedStore.open(on, config, workers, tampering);
        } catch (IOException | RuntimeException e) {
            throw OPENS_AND_WORKS.violated("the store does not open", e);
        }
    }

    private Model check(CrashDisk on, Function<String, Model> expected, long checkSeed) {
        states++;
        return StateCheck.check(new Left(on), expected, checkSeed);
    }

    /** What a life has left. */
    private final class Left implements StateCheck.Ground {
        private final CrashDisk left;

        Left(CrashDisk left) {
            this.left = left;
        }

        @Override
        public SimulatedStore open(long workersSeed) {
            return StoreSimulation.open(left, config, new SimulatedWorkers(workersSeed, 0), looking);
        }

        @Override
        public Left again(SplittableRandom choice) {
            return new Left(
                    choice.nextBoolean()
                            ? left.afterKill()
                            : left.afterPowerCut(left.traceLength(), choice.nextLong()));
        }
    }
}
