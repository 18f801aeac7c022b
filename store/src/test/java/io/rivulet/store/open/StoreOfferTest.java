package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.simulation.Model;
import io.rivulet.store.simulation.SimulatedWorkers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests and changes when the log writer has no room or is closing. */
class StoreOfferTest {
    private static final int LARGE = 20_000;

    private final SimulatedWorkers workers = new SimulatedWorkers(1, 0);
    private final ByteBuffer source = ByteBuffer.allocateDirect(LARGE);
    private SimulatedStore simulated;
    private LocalStore store;

    StoreOfferTest() throws IOException {
        simulated = SimulatedStore.open(new CrashDisk(), SimulatedStore.CONFIG, workers, Tampering.NONE);
        store = simulated.store;
    }

    @BeforeEach
    void createQueue() {
        store.createQueues(1, 0);
        workers.runAll();
    }

    private AppendRequest request(AppendRequest.Completion completion) {
        return new AppendRequest(source, Wait.DURABLE, completion).add(0, 0, LARGE, 1, 0);
    }

    private List<AppendRequest> fillUp() {
        List<AppendRequest> taken = new ArrayList<>();
        AppendRequest next = request(request -> {});
        while (store.append(next)) {
            taken.add(next);
            next = request(request -> {});
        }
        return taken;
    }

    private CompletableFuture<Integer> state(int number) {
        return store.appendState(1, ByteBuffer.wrap(new byte[] {(byte) number})).toCompletableFuture();
    }

    @Test
    void changesAreStoredInTheOrderInWhichTheyWereMade() {
        store.append(new AppendRequest(source, Wait.WRITTEN, request -> state(2)).add(0, 0, LARGE, 1, 0));
        fillUp();
        state(1);
        workers.runAll();
        state(3);
        workers.runAll();

        Model expected = new Model();
        for (int number = 1; number <= 3; number++) {
            expected.state(1, new byte[] {(byte) number});
        }
        assertThat(simulated.summary()).contains("views {1=" + expected.view(1) + "}");
    }

    @Test
    void requestsThatWaitAtTheCloseAreStoredOrRefused() throws IOException {
        List<AppendRequest> taken = fillUp();
        CompletableFuture<Integer> waiting = state(1);

        simulated.close();

        assertThat(taken).allSatisfy(request -> assertThat(request.outcome(0)).isIn(Outcome.DURABLE, Outcome.REFUSED));
        assertThat(waiting).isCompletedExceptionally();
    }

    @Test
    void requestsAfterTheCloseAreRefused() throws IOException {
        simulated.close();
        AtomicBoolean called = new AtomicBoolean();

        AppendRequest request = request(completed -> called.set(true));
        assertThat(store.append(request)).isTrue();

        assertThat(called).isTrue();
        assertThat(request.outcome(0)).isEqualTo(Outcome.REFUSED);
        assertThatThrownBy(state(1)::join).hasCauseInstanceOf(NotStoredException.class);
    }

    @Test
    void actionsThatWaitForRoomAreCalledAtTheClose() throws IOException {
        fillUp();
        AtomicBoolean called = new AtomicBoolean();
        store.whenRoom(() -> called.set(true));

        simulated.close();

        assertThat(called).isTrue();
    }
}
