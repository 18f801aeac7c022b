package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.sweep.SweepTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to a queue while it is swept. */
class StoreSweepTest {
    private static final int LENGTH = 20_000;
    /** As many as a block file holds. */
    private static final int BATCHES_OF_A_FILE = 2;

    private static final int FILES = 50;
    private static final int ENOUGH_STEPS = 2_000;

    private final SimulatedWorkers workers = new SimulatedWorkers(1, 0);
    private final CrashDisk disk = new CrashDisk();
    private Runnable whenAFileBegins = () -> {};
    private Runnable whenAFileIsDone = () -> {};
    private boolean isDiskFull;

    private final Tampering watched = new Tampering() {
        @Override
        public SweepTarget target(SweepTarget target) {
            return new SweepTarget() {
                @Override
                public BlockFileWriter begin(long cycle, int firstQueueId) throws IOException {
                    whenAFileBegins.run();
                    if (isDiskFull) {
                        throw new ShortageException(ShortageException.Kind.SPACE, "no space, on order");
                    }
                    return target.begin(cycle, firstQueueId);
                }

                @Override
                public void finished(BlockFileFooter footer) throws IOException {
                    Runnable once = whenAFileIsDone;
                    whenAFileIsDone = () -> {};
                    once.run();
                    target.finished(footer);
                }
            };
        }
    };

    private SimulatedStore open() throws IOException {
        return SimulatedStore.open(disk, SimulatedStore.config(Durability.FSYNC, 1), workers, watched);
    }

    private SimulatedStore openWithQueue() throws IOException {
        SimulatedStore simulated = open();
        simulated.store.createQueues(1, 0);
        workers.runAll();
        return simulated;
    }

    private static void append(SimulatedStore simulated, int queueId, int batches) {
        ByteBuffer source = ByteBuffer.allocateDirect(batches * LENGTH);
        AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> {});
        for (int i = 0; i < batches; i++) {
            request.add(queueId, i * LENGTH, LENGTH, 1, 0);
            StoreDriver.sum(request, source, i * LENGTH, LENGTH);
        }
        assertThat(simulated.store.append(request)).isTrue();
    }

    /** The tail has all of them when the next tick lets the sweep begin. */
    private void appendBeforeTheSweep(SimulatedStore simulated, int batches) {
        isDiskFull = true;
        append(simulated, 0, batches);
        work();
        isDiskFull = false;
        assertThat(simulated.store.endOffset(0)).isEqualTo(batches);
    }

    /** Returns how many steps the workers had to do. */
    private int work() {
        int steps = 0;
        while (workers.runOne() && steps < ENOUGH_STEPS) {
            steps++;
        }
        return steps;
    }

    /** With some of its chain in a file that is complete, and nothing else to sweep. */
    @Test
    void theSweepEndsThoughItsQueueIsDeletedMeanwhile() throws IOException {
        SimulatedStore simulated = openWithQueue();
        LocalStore store = simulated.store;
        whenAFileIsDone = () -> {
            store.deleteQueues(0, 1);
            workers.runAll();
        };
        appendBeforeTheSweep(simulated, 2 * BATCHES_OF_A_FILE);

        store.tick();
        int steps = work();

        assertThat(store.exists(0)).isFalse();
        assertThat(steps)
                .as("%s cycles", store.metric(StoreMetric.SWEEP_CYCLES))
                .isLessThan(ENOUGH_STEPS);
        store.close();
    }

    /** Appends as much as a file holds, each time one is done. */
    private final class Producer {
        private final SimulatedStore simulated;
        private final boolean toNewQueues;
        private final long cyclesBefore;
        private int files;
        private long cyclesMeanwhile;
        private long mostLogBytes;

        Producer(SimulatedStore simulated, boolean toNewQueues) {
            this.simulated = simulated;
            this.toNewQueues = toNewQueues;
            this.cyclesBefore = simulated.metric(StoreMetric.SWEEP_CYCLES);
            whenAFileIsDone = this::produce;
        }

        private void produce() {
            cyclesMeanwhile = simulated.metric(StoreMetric.SWEEP_CYCLES) - cyclesBefore;
            mostLogBytes = Math.max(mostLogBytes, simulated.metric(StoreMetric.LOG_SIZE_BYTES));
            if (++files < FILES) {
                if (toNewQueues) {
                    simulated.store.createQueues(1, 0);
                    workers.runAll();
                }
                append(simulated, toNewQueues ? files : 0, BATCHES_OF_A_FILE);
                workers.runAll();
                whenAFileIsDone = this::produce;
            }
        }

        void requireThatCyclesEnded() {
            assertThat(files).isEqualTo(FILES);
            assertThat(cyclesMeanwhile).isPositive();
            assertThat(mostLogBytes).isLessThan((long) FILES / 2 * BATCHES_OF_A_FILE * LENGTH);
        }
    }

    @Test
    void aCycleEndsThoughAQueueGrowsAsFastAsItIsSwept() throws IOException {
        SimulatedStore simulated = openWithQueue();
        Producer producer = new Producer(simulated, false);
        appendBeforeTheSweep(simulated, 2 * BATCHES_OF_A_FILE);

        simulated.store.tick();
        work();

        producer.requireThatCyclesEnded();
        assertThat(ReadBack.all(simulated.reader, 0)).hasSize((FILES + 1) * BATCHES_OF_A_FILE);
        simulated.close();
    }

    @Test
    void aCycleEndsThoughNewQueuesAreFilledAsFastAsTheyAreSwept() throws IOException {
        SimulatedStore simulated = openWithQueue();
        Producer producer = new Producer(simulated, true);
        append(simulated, 0, BATCHES_OF_A_FILE);

        work();

        producer.requireThatCyclesEnded();
        for (int id = 0; id < FILES; id++) {
            assertThat(ReadBack.all(simulated.reader, id)).hasSize(BATCHES_OF_A_FILE);
        }
        simulated.close();
    }

    /** The cycle begins again, so the checkpoint at its end counts on what was appended meanwhile. */
    @Test
    void whatIsAppendedBeforeAnAbandonedCycleGoesOnIsSweptInIt() throws IOException {
        SimulatedStore simulated = openWithQueue();
        long cycles = simulated.metric(StoreMetric.SWEEP_CYCLES);
        appendBeforeTheSweep(simulated, 2 * BATCHES_OF_A_FILE);
        whenAFileIsDone = () -> isDiskFull = true;
        simulated.store.tick();
        work();
        append(simulated, 0, BATCHES_OF_A_FILE);
        work();
        assertThat(simulated.store.endOffset(0)).isEqualTo(3 * BATCHES_OF_A_FILE);
        assertThat(simulated.metric(StoreMetric.SWEEP_CYCLES)).isEqualTo(cycles);
        isDiskFull = false;
        List<CrashDisk> afterTheCycle = new ArrayList<>();
        whenAFileBegins = () -> {
            if (simulated.metric(StoreMetric.SWEEP_CYCLES) > cycles) {
                afterTheCycle.add(disk.afterKill());
            }
        };
        simulated.store.tick();
        work();
        afterTheCycle.add(disk.afterKill());
        assertThat(simulated.metric(StoreMetric.SWEEP_CYCLES)).isGreaterThan(cycles);

        for (CrashDisk found : afterTheCycle) {
            SimulatedStore again = SimulatedStore.open(
                    found, SimulatedStore.config(Durability.FSYNC, 1), new SimulatedWorkers(1, 0), Tampering.NONE);
            assertThat(ReadBack.all(again.reader, 0)).hasSize(3 * BATCHES_OF_A_FILE);
        }
    }
}
