package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Outcome;
import io.rivulet.store.PublishListener;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.simulation.Batch;
import io.rivulet.store.simulation.LyingDisk;
import io.rivulet.store.simulation.SimulatedGate;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.simulation.Stamp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of the gate by the log writer, the effects of its verdicts, and atomic requests. */
class StoreGateTest {
    private static final int PRODUCER = 7;
    private static final int LENGTH = 100;
    private static final int SOURCE_BYTES = 1 << 20;

    private final SimulatedWorkers workers = new SimulatedWorkers(1, 0);
    private final CrashDisk disk = new CrashDisk();
    private final List<String> told = new ArrayList<>();
    private Runnable inForce = () -> {};
    private FaultyDisk faulty = new FaultyDisk(disk);
    private final SimulatedStore simulated;
    private final LocalStore store;

    StoreGateTest() throws IOException {
        simulated = SimulatedStore.open(disk, SimulatedStore.CONFIG, workers, new Tampering() {
            @Override
            public Disk disk(Disk real) {
                faulty = new FaultyDisk(real);
                return new LyingDisk(faulty, new LyingDisk.Lie() {
                    @Override
                    public boolean forces(String name) {
                        Runnable once = inForce;
                        inForce = () -> {};
                        once.run();
                        return true;
                    }
                });
            }

            @Override
            public PublishListener listener() {
                return StoreGateTest.this::published;
            }
        });
        store = simulated.store;
    }

    @BeforeEach
    void createQueues() {
        store.createQueues(2, 0);
        workers.runAll();
    }

    private void published(int queueId, long endOffset, int payloadBytes) {
        told.add(queueId + " ends at " + endOffset + " after " + payloadBytes + " bytes");
        assertThat(store.endOffset(queueId)).isGreaterThanOrEqualTo(endOffset);
    }

    private AppendRequest request(Wait wait) {
        return new AppendRequest(ByteBuffer.allocateDirect(SOURCE_BYTES), wait, request -> told.add("completed"));
    }

    /** A request for queue 0 with one batch for each sequence. */
    private AppendRequest offer(Wait wait, int... sequences) {
        ByteBuffer source = ByteBuffer.allocateDirect(LENGTH * sequences.length);
        AppendRequest request = new AppendRequest(source, wait, completed -> told.add("completed"));
        for (int i = 0; i < sequences.length; i++) {
            Batch batch = new Batch(i, LENGTH, 1, 0).stamped(new Stamp(PRODUCER, sequences[i]));
            source.put(i * LENGTH, batch.bytes());
            request.add(0, i * LENGTH, LENGTH, 1, 0);
        }
        assertThat(store.append(request)).isTrue();
        return request;
    }

    private AppendRequest append(int... sequences) {
        AppendRequest request = offer(Wait.DURABLE, sequences);
        workers.runAll();
        return request;
    }

    @Test
    void batchesOfOneGroupAreComparedWithEachOther() {
        AppendRequest request = append(0, 1, 1, 3);

        assertThat(request.outcome(1)).isEqualTo(Outcome.DURABLE);
        assertThat(request.outcome(2)).isEqualTo(Outcome.DUPLICATE);
        assertThat(request.baseOffset(2)).isEqualTo(request.baseOffset(1)).isEqualTo(1);
        assertThat(request.outcome(3)).isEqualTo(Outcome.REFUSED_BY_GATE);
        assertThat(request.refusal(3)).isEqualTo(SimulatedGate.Refusal.OUT_OF_ORDER);
        assertThat(store.endOffset(0)).isEqualTo(2);
    }

    @Test
    void aDuplicateIsAnsweredWhenItsOriginalIsDurable() {
        List<AppendRequest> copies = new ArrayList<>();
        inForce = () -> {
            copies.add(offer(Wait.DURABLE, 0));
            assertThat(workers.runOne()).isTrue();
            told.add("forced");
        };
        append(0);

        assertThat(copies.get(0).outcome(0)).isEqualTo(Outcome.DUPLICATE);
        assertThat(told).containsExactly("forced", "0 ends at 1 after 100 bytes", "completed", "completed");
    }

    @Test
    void aRequestThatWaitsForTheWriteGetsTheOffsetOfAWrittenDuplicate() {
        List<AppendRequest> copies = new ArrayList<>();
        inForce = () -> {
            copies.add(offer(Wait.WRITTEN, 0));
            assertThat(workers.runOne()).isTrue();
            told.add("forced");
        };
        append(0);

        assertThat(copies.get(0).outcome(0)).isEqualTo(Outcome.DUPLICATE);
        assertThat(told).startsWith("completed", "forced");
    }

    @Test
    void whenTheOriginalIsRefusedSoIsTheDuplicateAndBothMayComeAgain() {
        append(0);
        faulty.full(true);
        AppendRequest refused = append(1, 1, 9);
        faulty.full(false);

        for (int i = 0; i < refused.count(); i++) {
            assertThat(refused.outcome(i)).isEqualTo(Outcome.DISK_FULL);
        }
        AppendRequest again = append(1, 1);
        assertThat(again.outcome(0)).isEqualTo(Outcome.DURABLE);
        assertThat(again.outcome(1)).isEqualTo(Outcome.DUPLICATE);
        assertThat(again.baseOffset(0)).isEqualTo(1);
    }

    @Test
    void afterAKillTheGateKnowsWhatItKnew() throws IOException {
        append(0, 1, 2);
        store.sweepEverything();
        workers.runAll();
        append(3);
        String before = simulated.fullSummary();

        SimulatedStore again = SimulatedStore.open(
                disk.afterKill(), SimulatedStore.CONFIG, new SimulatedWorkers(1, 0), Tampering.NONE);

        assertThat(again.fullSummary()).isEqualTo(before).contains("0/7=0@0 1@1 2@2 3@3");
    }

    @Test
    void anAtomicRequestLiesInOneGroup() {
        AppendRequest request = request(Wait.DURABLE).atomic();
        request.add(0, 0, LENGTH, 1, 0).addState(1, 0, 50).add(1, 0, LENGTH, 2, 0);
        assertThat(store.append(request)).isTrue();
        workers.runAll();

        assertThat(request.outcome(1)).isEqualTo(Outcome.DURABLE);
        assertThat(store.endOffset(0)).isEqualTo(1);
        assertThat(store.endOffset(1)).isEqualTo(2);
        assertThat(simulated.summary()).contains("views {1=1:");
    }

    @Test
    void oneRejectedPartRejectsTheWholeAtomicRequest() {
        append(0);
        ByteBuffer source = ByteBuffer.allocateDirect(3 * LENGTH);
        AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> told.add("completed")).atomic();
        for (int i = 0; i < 3; i++) {
            source.put(
                    i * LENGTH,
                    new Batch(i, LENGTH, 1, 0)
                            .stamped(new Stamp(PRODUCER, i < 2 ? 2 + i : 9))
                            .bytes());
            request.add(0, i * LENGTH, LENGTH, 1, 0);
        }
        request.addState(1, 0, 50).add(1, 0, LENGTH, 1, 0);
        offer(Wait.DURABLE, 1);
        assertThat(store.append(request)).isTrue();
        workers.runAll();

        for (int i = 0; i < request.count(); i++) {
            assertThat(request.outcome(i)).isEqualTo(Outcome.REFUSED_BY_GATE);
        }
        assertThat(store.endOffset(0)).isEqualTo(2);
        assertThat(store.endOffset(1)).isZero();
        assertThat(simulated.summary()).contains("views {}").contains("0/7=0@0 1@1}");
        assertThat(append(2).baseOffset(0)).isEqualTo(2);
        store.deleteQueues(0, 2);
        workers.runAll();
        assertThat(simulated.tailIsFree()).isTrue();
    }

    @Test
    void anAtomicRequestThatNoGroupHoldsIsTooLarge() {
        AppendRequest request = request(Wait.DURABLE).atomic();
        for (int i = 0; i < 10; i++) {
            request.add(0, 0, 10_000, 1, 0);
        }
        assertThat(store.append(request)).isTrue();
        workers.runAll();

        assertThat(request.outcome(9)).isEqualTo(Outcome.TOO_LARGE);
        assertThat(store.endOffset(0)).isZero();
    }

    @Test
    void anAtomicRequestThatTheTailCouldNotHoldIsTooLarge() {
        AppendRequest request = request(Wait.DURABLE).atomic();
        for (int i = 0; i < 400; i++) {
            request.add(0, 0, 10, 1, 0);
        }
        assertThat(store.append(request)).isTrue();
        workers.runAll();

        assertThat(request.outcome(0)).isEqualTo(Outcome.TOO_LARGE);
        assertThat(append(0).outcome(0)).isEqualTo(Outcome.DURABLE);
    }

    @Test
    void listenersAreNotifiedOfLargeBatchesAndOfManyQueues() {
        AppendRequest request = request(Wait.DURABLE).add(0, 0, 40_000, 1, 0).add(1, 0, LENGTH, 3, 0);
        assertThat(store.append(request)).isTrue();
        workers.runAll();

        assertThat(told)
                .containsExactlyInAnyOrder("0 ends at 1 after 40000 bytes", "1 ends at 3 after 100 bytes", "completed")
                .endsWith("completed");
    }

    @Test
    void aPartMustBeInsideTheSource() {
        AppendRequest request = request(Wait.DURABLE);

        assertThatThrownBy(() -> request.add(0, SOURCE_BYTES - 5, 6, 1, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> request.addState(1, -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> request.addState(Integer.MAX_VALUE, 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
