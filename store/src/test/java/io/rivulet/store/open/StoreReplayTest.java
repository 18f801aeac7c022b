package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.Outcome;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.simulation.History;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.SimulatedWorkers;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class StoreReplayTest {
    private static final StoreConfig SMALL = SimulatedStore.config(Durability.FSYNC, 1 << 20);
    private static final StoreConfig LARGE = SMALL.withMemory(8 << 20, 1 << 20);
    private static final int STEPS = 600;

    private static SimulatedStore open(CrashDisk disk, StoreConfig config) throws IOException {
        return SimulatedStore.open(disk, config, new SimulatedWorkers(1, 0), Tampering.NONE);
    }

    /** Works on the store until all is acknowledged, and returns its content. */
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
            assertThat(simulated.store.metric(StoreMetric.BLOCK_FILES)).isGreaterThan(10);
            new StoreChecker(simulated).requireHolds(model, 10_000);

            model = live(simulated, left, model, seed + 100);
            new StoreChecker(simulated).requireSweepChangesNothing(model);
            new StoreChecker(simulated).close();

            SimulatedStore again = open(left, SMALL);
            new StoreChecker(again).requireHolds(model, 10_000);
        }
    }

    /** The table frees the memory of 65,536 queues when the last of them is deleted. */
    @Test
    void manyQueuesAreDeletedAtOnceAndStayDeleted() throws IOException {
        int many = 70_000;
        int deleted = 1 << 16;
        CrashDisk disk = new CrashDisk();
        SimulatedStore simulated = open(disk, SMALL);
        simulated.store.createQueues(many, 0);
        simulated.workers.runAll();
        append(simulated, 5);
        append(simulated, many - 1);
        simulated.store.deleteQueues(0, deleted);
        append(simulated, many - 1);

        for (int opening = 0; opening < 3; opening++) {
            assertThat(simulated.store.liveQueues()).isEqualTo(many - deleted);
            assertThat(simulated.store.exists(5)).isFalse();
            assertThat(simulated.store.endOffset(many - 1)).isEqualTo(2);
            assertThat(simulated.store.table().idLimit()).isEqualTo(many);
            if (opening == 1) {
                simulated.store.sweepEverything();
                simulated.workers.runAll();
                new StoreChecker(simulated).requireNotFailed();
            }
            disk = disk.afterKill();
            simulated = open(disk, SMALL);
        }
    }

    /**
     * An entry of a few bytes creates a million queues, so the size of the log does not determine the time of a replay.
     */
    @Test
    void aRestartDoesNotCreateQueuesWithoutLimit() throws IOException {
        int many = 1_000_000;
        CrashDisk disk = new CrashDisk();
        SimulatedStore simulated = open(disk, SMALL);
        for (int round = 0; round < 20; round++) {
            simulated.store.createQueues(many, 0);
            simulated.workers.runAll();
            simulated.store.deleteQueues(round * many, many);
            simulated.workers.runAll();
        }

        SimulatedStore again = open(disk.afterKill(), SMALL);

        assertThat(again.store.table().changed()).isLessThan(10L * many);
        assertThat(again.store.table().idLimit()).isEqualTo(20 * many);
        assertThat(again.store.liveQueues()).isZero();
    }

    @Test
    void aRestartDoesNotClassQueuesWithoutLimit() throws IOException {
        int many = 1_000_000;
        CrashDisk disk = new CrashDisk();
        SimulatedStore simulated = open(disk, SMALL);
        simulated.store.createQueues(many, 0);
        simulated.workers.runAll();
        for (int retentionClass = 1; retentionClass <= 20; retentionClass++) {
            simulated.store.classQueues(0, many, retentionClass);
            simulated.workers.runAll();
        }

        SimulatedStore again = open(disk.afterKill(), SMALL);

        assertThat(again.store.table().changed()).isLessThan(10L * many);
        assertThat(again.store.table().retentionClass(many - 1)).isEqualTo(20);
    }

    private static void append(SimulatedStore simulated, int queueId) {
        AppendRequest request = new AppendRequest(ByteBuffer.allocateDirect(100), Wait.DURABLE, completed -> {});
        assertThat(simulated.store.append(request.add(queueId, 0, 100, 1, 0))).isTrue();
        simulated.workers.runAll();
        assertThat(request.outcome(0)).isEqualTo(Outcome.DURABLE);
    }
}
