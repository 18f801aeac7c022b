package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.Outcome;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.TappedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many small groups one force covers. Requests arrive while others are written. */
class StoreForceTest {
    private static final int LENGTH = 50;

    private final SimulatedWorkers workers = new SimulatedWorkers(1, 0);
    private final ByteBuffer source = ByteBuffer.allocateDirect(LENGTH);
    /** One for each following I/O: appended while it runs. */
    private final Deque<AppendRequest> comingDuringIo = new ArrayDeque<>();

    private final List<AppendRequest> completed = new ArrayList<>();
    private final SimulatedStore simulated;
    private final LocalStore store;

    StoreForceTest() throws IOException {
        simulated = SimulatedStore.open(
                new TappedDisk(new CrashDisk(), this::duringIo),
                SimulatedStore.config(Durability.FSYNC, 1 << 20),
                workers,
                Tampering.NONE);
        store = simulated.store;
    }

    @BeforeEach
    void createQueue() {
        store.createQueues(1, 0);
        workers.runAll();
    }

    private void duringIo() {
        AppendRequest next = comingDuringIo.poll();
        if (next != null) {
            assertThat(store.append(next)).isTrue();
        }
    }

    private AppendRequest request() {
        return new AppendRequest(source, Wait.DURABLE, completed::add).add(0, 0, LENGTH, 1, 0);
    }

    private void append(AppendRequest first) {
        assertThat(store.append(first)).isTrue();
        workers.runAll();
    }

    @Test
    void requestsDuringTheWriteAreForcedWithIt() {
        long groups = store.metric(StoreMetric.LOG_GROUPS);
        long forces = store.metric(StoreMetric.LOG_FORCES);
        AppendRequest first = request();
        AppendRequest second = request();
        comingDuringIo.add(second);

        append(first);

        assertThat(completed).containsExactly(first, second);
        assertThat(completed)
                .allSatisfy(request -> assertThat(request.outcome(0)).isEqualTo(Outcome.DURABLE));
        assertThat(store.metric(StoreMetric.LOG_GROUPS) - groups).isEqualTo(2);
        assertThat(store.metric(StoreMetric.LOG_FORCES) - forces).isEqualTo(1);
    }

    /** Otherwise a fast producer would delay the answers to all others. */
    @Test
    void requestsDuringTheSecondWriteWaitForTheForce() {
        long forces = store.metric(StoreMetric.LOG_FORCES);
        AppendRequest first = request();
        AppendRequest second = request();
        AppendRequest third = request();
        // Before and after the first write, before and after the second.
        comingDuringIo.addAll(List.of(second, request(), third, request()));

        append(first);

        assertThat(completed).hasSize(5).startsWith(first, second);
        assertThat(completed)
                .allSatisfy(request -> assertThat(request.outcome(0)).isEqualTo(Outcome.DURABLE));
        assertThat(store.metric(StoreMetric.LOG_FORCES) - forces).isEqualTo(2);
    }
}
