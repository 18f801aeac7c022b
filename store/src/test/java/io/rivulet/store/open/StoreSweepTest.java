package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.simulation.SimulatedWorkers;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What happens to a queue while it is swept. */
class StoreSweepTest {
    private static final int LENGTH = 20_000;
    /** More than a block file holds. */
    private static final int BATCHES = 4;

    private static final int ENOUGH_STEPS = 2_000;

    private final SimulatedWorkers workers = new SimulatedWorkers(1, 0);
    private Runnable whenAFileIsDone = () -> {};

    private final class Watched extends ForwardingDisk {
        Watched(Disk disk) {
            super(disk);
        }

        @Override
        protected Disk below(Disk directory) {
            return new Watched(directory);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            super.rename(from, to);
            if (to.endsWith(".blocks")) {
                Runnable once = whenAFileIsDone;
                whenAFileIsDone = () -> {};
                once.run();
            }
        }
    }

    /** With some of its chain in a file that is complete, and nothing else to sweep. */
    @Test
    void theSweepEndsThoughItsQueueIsDeletedMeanwhile() throws IOException {
        SimulatedStore simulated = SimulatedStore.open(
                new Watched(new CrashDisk()), SimulatedStore.config(Durability.FSYNC, 1), workers, Tampering.NONE);
        LocalStore store = simulated.store;
        store.createQueues(1, 0);
        workers.runAll();
        whenAFileIsDone = () -> {
            store.deleteQueues(0, 1);
            workers.runAll();
        };
        ByteBuffer source = ByteBuffer.allocateDirect(BATCHES * LENGTH);
        AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> {});
        for (int i = 0; i < BATCHES; i++) {
            request.add(0, i * LENGTH, LENGTH, 1, 0);
            StoreDriver.sum(request, source, i * LENGTH, LENGTH);
        }
        assertThat(store.append(request)).isTrue();

        int steps = 0;
        while (workers.runOne() && steps < ENOUGH_STEPS) {
            steps++;
        }

        assertThat(store.exists(0)).isFalse();
        assertThat(steps)
                .as("%s cycles", store.metric(StoreMetric.SWEEP_CYCLES))
                .isLessThan(ENOUGH_STEPS);
        store.close();
    }
}
