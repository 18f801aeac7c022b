package io.rivulet.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.log.Durability;
import io.rivulet.store.simulation.History;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.SimulatedWorkers;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class StoreReplayTest {
    private static final StoreConfig SMALL = SimulatedStore.config(Durability.FSYNC, 1 << 20);
    private static final StoreConfig LARGE = SMALL.withMemory(8 << 20, 1 << 20);
    private static final int STEPS = 600;

    private static SimulatedStore open(CrashDisk disk, StoreConfig config) throws IOException {
        return SimulatedStore.open(disk, config, new SimulatedWorkers(1, 0), Tampering.NONE);
    }

    /** Works on the store until all is acknowledged, and answers what it then holds. */
    private static Model live(SimulatedStore simulated, CrashDisk disk, Model model, long seed) {
        History history = new History(model);
        SimulatedClient client = new SimulatedClient(simulated, history, seed, STEPS, disk::traceLength);
        client.neverSweep();
        while (!client.isDone()) {
            client.step();
            simulated.workers.runAll();
        }
        client.requireNothingWrong();
        return history.afterCut(simulated.summary(), disk.traceLength());
    }

    @Test
    void whatIsSweptDuringAReplayIsOlderThanWhatIsSweptAfterIt() throws IOException {
        for (long seed = 0; seed < 5; seed++) {
            CrashDisk disk = new CrashDisk();
            Model model = live(open(disk, LARGE), disk, new Model(), seed);
            CrashDisk left = disk.afterKill();
            SimulatedStore simulated = open(left, SMALL);
            assertThat(simulated.store.counters().blockFiles()).isGreaterThan(10);
            new StoreChecker(simulated).requireHolds(model, 10_000);

            model = live(simulated, left, model, seed + 100);
            new StoreChecker(simulated).requireSweepChangesNothing(model);
            new StoreChecker(simulated).close();

            SimulatedStore again = open(left, SMALL);
            new StoreChecker(again).requireHolds(model, 10_000);
        }
    }
}
