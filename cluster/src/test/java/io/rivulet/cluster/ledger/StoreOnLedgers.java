package io.rivulet.cluster.ledger;

import static io.rivulet.store.simulation.Invariant.OPENS_AND_WORKS;

import io.rivulet.cluster.fake.FakeClient;
import io.rivulet.cluster.fake.FakeEngine;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.LogLocation;
import io.rivulet.store.open.SimulatedStore;
import io.rivulet.store.open.StateCheck;
import io.rivulet.store.open.StoreConfig;
import io.rivulet.store.open.Tampering;
import io.rivulet.store.simulation.SimulatedWorkers;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a store stands on: a disk of its own, and a log on an engine. Immutable.
 *
 * @param isShared whether stores of other directories open the log, too
 * @param looking for stores that are only opened to be checked
 */
record StoreOnLedgers(
        CrashDisk disk,
        FakeEngine engine,
        boolean isShared,
        StoreConfig config,
        LongSupplier clock,
        Supplier<Tampering> looking)
        implements StateCheck.Ground {
    private static final String LOG = "log";
    /** A few groups. */
    private static final int LEDGER_BYTES = 64 << 10;

    private static final int LEDGER_STEPS = 300;

    /** Creates the log: an opening would draw the id of the store. */
    static void createLog(FakeEngine engine, long storeId, boolean isShared) {
        try {
            engine.client().swap(LOG, null, LogRecord.first(storeId, isShared).encode());
        } catch (IOException e) {
            throw OPENS_AND_WORKS.violated("no log can be made", e);
        }
    }

    StoreOnLedgers with(CrashDisk otherDisk, FakeEngine otherEngine) {
        return new StoreOnLedgers(otherDisk, otherEngine, isShared, config, clock, looking);
    }

    StoreOnLedgers with(StoreConfig otherConfig) {
        return new StoreOnLedgers(disk, engine, isShared, otherConfig, clock, looking);
    }

    /** As it is found after a kill or a power cut now, perhaps with another bookie down. Messages may still arrive. */
    StoreOnLedgers left(SplittableRandom random) {
        CrashDisk left =
                random.nextInt(4) == 0 ? disk.afterKill() : disk.afterPowerCut(disk.traceLength(), random.nextLong());
        FakeEngine fork = engine.fork(random.nextLong());
        if (random.nextBoolean()) {
            fork.takeDown(random.nextInt(fork.bookieCount()));
        }
        return with(left, fork);
    }

    @Override
    public StoreOnLedgers again(SplittableRandom choice) {
        return left(choice);
    }

    /** A process that only looks. */
    @Override
    public SimulatedStore open(long workersSeed) {
        try {
            return open(engine.client(), new SimulatedWorkers(workersSeed, 0), looking.get());
        } catch (IOException | RuntimeException e) {
            throw OPENS_AND_WORKS.violated("the store does not open", e);
        }
    }

    SimulatedStore open(FakeClient client, SimulatedWorkers workers, Tampering tampering) throws IOException {
        workers.withLogElsewhere(engine::deliverOne);
        client.otherWork(workers::runOne);
        client.duringCalls(workers::duringCall);
        return SimulatedStore.open(disk, on -> location(client, on), config, workers, tampering);
    }

    private LogLocation location(FakeClient client, Disk on) throws IOException {
        LedgerLogConfig ledgers = new LedgerLogConfig(LEDGER_BYTES, LEDGER_STEPS, clock, isShared);
        return new LedgerLogLocation(client, LOG, on.directory("snapshots"), ledgers);
    }
}
