package io.rivulet.cluster.ledger;

import static io.rivulet.store.simulation.Invariant.NOTHING_FORGOTTEN;
import static io.rivulet.store.simulation.Invariant.OPENS_AND_WORKS;

import io.rivulet.cluster.fake.FakeClient;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.open.SimulatedClient;
import io.rivulet.store.open.SimulatedStore;
import io.rivulet.store.open.StoreChecker;
import io.rivulet.store.open.Tampering;
import io.rivulet.store.simulation.History;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.TappedDisk;
import io.rivulet.store.simulation.Violation;
import java.io.IOException;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A process that has the store open, with the clients of that store. */
final class StoreOwner {
    /** What may happen to it. */
    static final class Fate implements Tampering {
        private final UnaryOperator<CommitLog> bug;
        private final Runnable duringIo;
        private boolean mayFail;
        private boolean mayFailForGood;
        private @Nullable CommitLog log;

        Fate(UnaryOperator<CommitLog> bug, Runnable duringIo) {
            this.bug = bug;
            this.duringIo = duringIo;
        }

        /** Requests may be refused. */
        void mayRefuse() {
            mayFail = true;
        }

        /** The log may fail: a decision of another owner, or none that is known. */
        void mayEnd() {
            mayFail = true;
            mayFailForGood = true;
        }

        @Override
        public boolean mayFail() {
            return mayFail;
        }

        @Override
        public boolean mayFailForGood() {
            return mayFailForGood;
        }

        @Override
        public Disk disk(Disk disk) {
            return new TappedDisk(disk, duringIo);
        }

        @Override
        public CommitLog log(CommitLog opened) {
            log = bug.apply(opened);
            return log;
        }
    }

    private final FakeClient process;
    private final SimulatedWorkers workers;
    private final Fate fate;
    private final SimulatedStore simulated;
    private final SimulatedClient client;
    private final History history;
    /** What the next owner has found; null until then. */
    private @Nullable String left;

    private int storedSeen;

    StoreOwner(
            FakeClient process,
            SimulatedWorkers workers,
            Fate fate,
            SimulatedStore simulated,
            Model model,
            SplittableRandom random,
            int steps) {
        this.process = process;
        this.workers = workers;
        this.fate = fate;
        this.simulated = simulated;
        this.history = new History(model);
        this.client = new SimulatedClient(simulated, history, random.nextLong(), steps, () -> 0);
        workers.client(client::step);
    }

    SimulatedClient client() {
        return client;
    }

    History history() {
        return history;
    }

    Fate fate() {
        return fate;
    }

    SimulatedStore simulated() {
        return simulated;
    }

    /** A step of a client, or of any other thread. */
    void step(boolean ofClient) {
        if (ofClient || !workers.runOne()) {
            workers.asClient(client::step);
        }
    }

    /** As its ticker does. */
    void check() {
        try {
            Objects.requireNonNull(fate.log).check();
        } catch (IOException e) {
            throw OPENS_AND_WORKS.violated("the log is not what it was", e);
        }
    }

    /** Another owner has opened the store, and found this. */
    void superseded(String summary) {
        left = summary;
        storedSeen = history.storedCount();
    }

    /** What an owner of the past acknowledges must be what the next owner has found. */
    void requireNothingNew() {
        String found = left;
        if (found != null && history.storedCount() > storedSeen) {
            storedSeen = history.storedCount();
            history.afterKill(found);
        }
    }

    /** Sends no more requests; then everything must get a result. */
    void settle() {
        workers.client(() -> {});
        client.stop();
        workers.runAll();
        client.requireNothingWrong();
        NOTHING_FORGOTTEN.require(client.open() == 0, "%s requests are never answered", client.open());
    }

    void close() {
        workers.client(() -> {});
        client.stop();
        try {
            new StoreChecker(simulated).close();
        } catch (Violation e) {
            if (!fate.mayFail()) {
                throw e;
            }
        }
        NOTHING_FORGOTTEN.require(client.open() == 0, "%s requests are not answered at the close", client.open());
    }

    /** What it has sent may still arrive. */
    void die() {
        process.die();
    }

    void requireSound() {
        client.requireNothingWrong();
        long givenUp = simulated.metric(StoreMetric.MERGE_FAILURES);
        OPENS_AND_WORKS.require(givenUp == 0 || fate.mayFail(), "%s merges have failed", givenUp);
    }
}
