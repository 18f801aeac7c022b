package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.Outcome;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.TappedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reader can wait for what was acknowledged before it was durable. */
class StoreReadableTest {
    private static final int LENGTH = 50;

    private final SimulatedWorkers workers = new SimulatedWorkers(1, 0);
    private final ByteBuffer source = ByteBuffer.allocateDirect(LENGTH);
    private final SimulatedStore simulated;
    private final LocalStore store;
    private final List<Long> seen = new ArrayList<>();
    private Runnable duringIo = () -> {};

    StoreReadableTest() throws IOException {
        simulated = SimulatedStore.open(
                new TappedDisk(new CrashDisk(), () -> duringIo.run()),
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

    private void see() {
        seen.add(store.endOffset(0));
    }

    private AppendRequest append(Wait wait, AppendRequest.Completion completion) {
        AppendRequest request = new AppendRequest(source, wait, completion).add(0, 0, LENGTH, 1, 0);
        assertThat(store.append(request)).isTrue();
        return request;
    }

    @Test
    void aReaderWaitsForWhatIsWrittenAndAcknowledged() {
        AppendRequest request = append(Wait.WRITTEN, acknowledged -> {
            assertThat(store.endOffset(0)).isZero();
            assertThat(store.isReadable()).isFalse();
            store.whenReadable(this::see);
        });
        workers.runAll();

        assertThat(request.outcome(0)).isEqualTo(Outcome.WRITTEN);
        assertThat(seen).containsExactly(1L);
        assertThat(store.isReadable()).isTrue();
    }

    @Test
    void aReaderDoesNotWaitForWhatIsNotAcknowledged() {
        duringIo = () -> store.whenReadable(this::see);
        append(Wait.DURABLE, done -> assertThat(store.isReadable()).isTrue());
        workers.runAll();

        assertThat(seen).isNotEmpty().startsWith(0L);
    }

    @Test
    void aReaderThatWaitsGoesOnAtTheClose() throws IOException {
        append(Wait.WRITTEN, acknowledged -> store.whenReadable(this::see));

        simulated.close();

        assertThat(seen).hasSize(1);
    }
}
