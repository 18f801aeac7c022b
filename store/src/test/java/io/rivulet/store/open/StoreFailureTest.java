package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.BatchGate;
import io.rivulet.store.Durability;
import io.rivulet.store.Outcome;
import io.rivulet.store.ReadStatus;
import io.rivulet.store.View;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Cause;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.sweep.SweepTarget;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.thread.Workers.Worker;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One failure each: which callers get it, which requests are still answered, and whether the store recovers. */
class StoreFailureTest {
    private static final int LENGTH = 10_000;

    private final SimulatedWorkers workers = new SimulatedWorkers(1, 0);
    private final CrashDisk disk = new CrashDisk();
    private final ByteBuffer source = ByteBuffer.allocateDirect(LENGTH);

    private SimulatedStore open(Tampering tampering) throws IOException {
        SimulatedStore simulated = SimulatedStore.open(disk, SimulatedStore.CONFIG, workers, tampering);
        simulated.store.createQueues(1, 0);
        workers.runAll();
        return simulated;
    }

    private AppendRequest append(SimulatedStore simulated) {
        AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> {}).add(0, 0, LENGTH, 1, 0);
        assertThat(simulated.store.append(request)).isTrue();
        workers.runAll();
        return request;
    }

    private static long readable(SimulatedStore simulated) throws IOException {
        long[] next = new long[1];
        while (simulated.reader.read(0, next[0], 1 << 20, (base, count, timestamp, bytes, at, length) -> {
                    next[0] = base + count;
                    return true;
                })
                == ReadStatus.BATCHES) {}
        return next[0];
    }

    private Tampering onDisk(FaultyDisk[] faulty) {
        return new Tampering() {
            @Override
            public Disk disk(Disk real) {
                faulty[0] = new FaultyDisk(real);
                return faulty[0];
            }
        };
    }

    @Test
    void afterAFailedForceNothingIsAcknowledgedAndReadsGoOn() throws IOException {
        FaultyDisk[] faulty = new FaultyDisk[1];
        SimulatedStore simulated = open(onDisk(faulty));
        append(simulated);
        faulty[0].failNth(Op.FORCE, 1);

        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.UNKNOWN);
        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.REFUSED);
        assertThat(simulated.store.failure()).isNotNull();
        assertThat(readable(simulated)).isEqualTo(1);
    }

    @Test
    void afterAFailedWriteNothingIsAcknowledgedAndReadsGoOn() throws IOException {
        FaultyDisk[] faulty = new FaultyDisk[1];
        SimulatedStore simulated = open(onDisk(faulty));
        append(simulated);
        faulty[0].shortWriteNth(1, 5000);

        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.UNKNOWN);
        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.REFUSED);
        assertThat(readable(simulated)).isEqualTo(1);
    }

    @Test
    void aFullDiskRefusesAndThenGoesOn() throws IOException {
        FaultyDisk[] faulty = new FaultyDisk[1];
        SimulatedStore simulated = open(onDisk(faulty));
        append(simulated);
        faulty[0].full(true);
        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.DISK_FULL);
        faulty[0].full(false);

        AppendRequest request = append(simulated);

        assertThat(request.outcome(0)).isEqualTo(Outcome.DURABLE);
        assertThat(request.baseOffset(0)).isEqualTo(1);
        assertThat(readable(simulated)).isEqualTo(2);
    }

    /** The epoch of an opening must be on the disk before the first append, and not before the first read. */
    @Test
    void aStartWithAFullDiskServesReadsAndAppendsWhenThereIsSpace() throws IOException {
        append(open(Tampering.NONE));
        CrashDisk found = disk.afterKill();
        FaultyDisk full = new FaultyDisk(found).fail(Op.CREATE, Cause.NO_SPACE);
        SimulatedStore again = SimulatedStore.open(full, SimulatedStore.CONFIG, workers, Tampering.NONE);

        assertThat(readable(again)).isEqualTo(1);
        assertThat(append(again).outcome(0)).isEqualTo(Outcome.DISK_FULL);
        assertThat(again.store.failure()).isNull();

        full.heal();
        assertThat(append(again).outcome(0)).isEqualTo(Outcome.DURABLE);
        SimulatedStore later = SimulatedStore.open(found.afterKill(), SimulatedStore.CONFIG, workers, Tampering.NONE);
        assertThat(readable(later)).isEqualTo(2);
    }

    @Test
    void aStoreThatIsClosedWithAFullDiskIsFoundAgain() throws IOException {
        FaultyDisk[] faulty = new FaultyDisk[1];
        SimulatedStore simulated = open(onDisk(faulty));
        append(simulated);
        faulty[0].fail(Op.CREATE, Cause.NO_SPACE);
        simulated.close();

        SimulatedStore later = SimulatedStore.open(disk.afterKill(), SimulatedStore.CONFIG, workers, Tampering.NONE);
        assertThat(readable(later)).isEqualTo(1);
    }

    /** The sweep writes files, the manifest and snapshots are replaced, merged files are deleted meanwhile. */
    @ParameterizedTest
    @EnumSource(
            value = Op.class,
            names = {"CREATE", "RENAME", "DELETE", "WRITE"})
    void aShortageThatComesAndGoesLosesNothing(Op op) throws IOException {
        FaultyDisk[] faulty = new FaultyDisk[1];
        SimulatedStore simulated = open(onDisk(faulty));
        int stored = 0;
        for (int round = 0; round < 6; round++) {
            faulty[0].fail(op, Cause.NO_QUOTA);
            for (int i = 0; i < 60; i++) {
                Outcome outcome = append(simulated).outcome(0);
                assertThat(outcome).isIn(Outcome.DURABLE, Outcome.DISK_FULL);
                stored += outcome == Outcome.DURABLE ? 1 : 0;
            }
            faulty[0].heal();
            CompletableFuture<Void> swept = simulated.store.sweepEverything();
            workers.runAll();
            assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.DURABLE);
            stored++;
            assertThat(swept).isDone();
            assertThat(simulated.store.failure()).isNull();
            assertThat(readable(simulated)).isEqualTo(stored);
        }
        SimulatedStore later = SimulatedStore.open(disk.afterKill(), SimulatedStore.CONFIG, workers, Tampering.NONE);
        assertThat(readable(later)).isEqualTo(stored);
    }

    /** There was no space for the first group. The groups after it, and the next group, were based on it. */
    @Test
    void aFullDiskRollsBackAllGroupsInFlight() throws IOException {
        FaultyDisk[] faulty = new FaultyDisk[1];
        SimulatedStore simulated = open(onDisk(faulty));
        append(simulated);
        List<AppendRequest> onTheirWay = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            AppendRequest request = new AppendRequest(source, Wait.WRITTEN, completed -> {}).add(0, 0, LENGTH, 1, 0);
            assertThat(simulated.store.append(request)).isTrue();
            onTheirWay.add(request);
        }
        assertThat(workers.runOne()).isTrue(); // the log writer places two groups and begins a third
        faulty[0].fullAtNthWrite(1, 5000);
        workers.runAll();

        assertThat(onTheirWay).extracting(request -> request.outcome(0)).containsOnly(Outcome.DISK_FULL);
        AppendRequest next = append(simulated);
        assertThat(next.outcome(0)).isEqualTo(Outcome.DURABLE);
        assertThat(next.baseOffset(0)).isEqualTo(1);
        assertThat(readable(simulated)).isEqualTo(2);
        SimulatedStore again = SimulatedStore.open(
                disk.afterKill(), SimulatedStore.CONFIG, new SimulatedWorkers(1, 0), Tampering.NONE);
        assertThat(readable(again)).isEqualTo(2);
    }

    /** The log has room in the segments that it has prepared; the sweep has none. */
    @Test
    void whenTheSweepFindsTheDiskFullTheTailFillsUpAndAppendsAreRefusedUntilThereIsSpace() throws IOException {
        FaultyDisk[] blocks = new FaultyDisk[1];
        SimulatedStore simulated = open(new Tampering() {
            @Override
            public Disk disk(Disk real) {
                return new ForwardingDisk(real) {
                    @Override
                    public Disk directory(String name) throws IOException {
                        Disk directory = super.directory(name);
                        if (name.equals("blocks")) {
                            blocks[0] = new FaultyDisk(directory);
                            return blocks[0];
                        }
                        return directory;
                    }
                };
            }
        });
        blocks[0].full(true);
        int stored = 0;
        while (append(simulated).outcome(0) == Outcome.DURABLE) {
            stored++;
        }

        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.DISK_FULL);
        assertThat(simulated.store.failure()).isNull();
        assertThat(readable(simulated)).isEqualTo(stored);
        CompletableFuture<Void> swept = simulated.store.sweepEverything();
        workers.runAll();
        assertThat(swept).isNotDone();

        blocks[0].full(false);
        append(simulated);
        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.DURABLE);
        assertThat(swept).isDone();
        assertThat(readable(simulated)).isEqualTo(simulated.store.endOffset(0));
    }

    @Test
    void aFullDiskCausesNoBusyLoopAndTheCheckpointIsWrittenLater() throws IOException {
        FaultyDisk[] faulty = new FaultyDisk[1];
        SimulatedStore simulated = open(onDisk(faulty));
        append(simulated);
        simulated.store.appendState(1, ByteBuffer.allocate(10));
        workers.runAll();
        for (int write = 1; write < 12; write++) {
            faulty[0].fullAtNthWrite(write, 0);
            CompletableFuture<Void> swept = simulated.store.sweepEverything();
            workers.runAll();
            faulty[0].full(true);
            append(simulated);
            faulty[0].full(false);
            append(simulated);
            workers.runAll();
            assertThat(swept).as("full at write %s", write).isDone();
            assertThat(simulated.store.failure()).isNull();
        }
        String before = simulated.fullSummary();
        SimulatedStore again = SimulatedStore.open(
                disk.afterKill(), SimulatedStore.CONFIG, new SimulatedWorkers(1, 0), Tampering.NONE);
        assertThat(again.fullSummary()).isEqualTo(before);
    }

    @Test
    void aReadErrorHitsTheReadsConcerned() throws IOException {
        FaultyDisk[] faulty = new FaultyDisk[1];
        SimulatedStore simulated = open(onDisk(faulty));
        append(simulated);
        simulated.store.sweepEverything();
        workers.runAll();
        append(simulated);
        faulty[0].failReads("000000000001.blocks", 0, 1 << 20);

        assertThat(new ReadOutcome(simulated, 0).failed()).isTrue();
        assertThat(new ReadOutcome(simulated, 1).failed()).isFalse();
        assertThat(simulated.store.failure()).isNull();
        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.DURABLE);
    }

    private record ReadOutcome(SimulatedStore simulated, long offset) {
        boolean failed() {
            try {
                simulated.reader.read(0, offset, 1, (base, count, timestamp, bytes, at, length) -> true);
                return false;
            } catch (IOException e) {
                return true;
            }
        }
    }

    /** A missing file in the middle must not make a read skip its records. */
    @Test
    void aReadFailsIfRecordsAreMissing() throws IOException {
        SimulatedStore simulated = open(new Tampering() {
            @Override
            public SweepTarget target(SweepTarget target) {
                return new SweepTarget() {
                    private int files;

                    @Override
                    public BlockFileWriter begin(long cycle, int firstQueueId) throws IOException {
                        return target.begin(cycle, firstQueueId);
                    }

                    @Override
                    public void finished(BlockFileFooter footer) throws IOException {
                        if (++files != 1) {
                            target.finished(footer);
                        }
                    }
                };
            }
        });
        for (int file = 0; file < 2; file++) {
            append(simulated);
            simulated.store.sweepEverything();
            workers.runAll();
        }

        assertThat(new ReadOutcome(simulated, 0).failed()).isTrue();
        assertThat(new ReadOutcome(simulated, 1).failed()).isFalse();
    }

    /** A bug in a view. */
    @Test
    void aFailingViewCompletesAllRequestsInFlight() throws IOException {
        SimulatedStore simulated = open(new Tampering() {
            @Override
            public View view(View view) {
                return new BrokenView(view.id());
            }
        });
        List<AppendRequest> requests = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> {}).add(0, 0, LENGTH, 1, 0);
            assertThat(simulated.store.append(request)).isTrue();
            requests.add(request);
        }
        CompletableFuture<Integer> state =
                simulated.store.appendState(1, ByteBuffer.allocate(10)).toCompletableFuture();
        CompletableFuture<Void> swept = simulated.store.sweepEverything();
        workers.runAll();

        assertThat(simulated.store.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(state).isCompletedExceptionally();
        assertThat(swept).isCompletedExceptionally();
        assertThat(requests).noneMatch(request -> request.outcome(0) == Outcome.PENDING);
    }

    @Test
    void aStalledDiskIsDetectedAndSoIsItsRecovery() throws IOException {
        AtomicBoolean hangs = new AtomicBoolean();
        AtomicLong clock = new AtomicLong(1_000_000);
        Map<String, Worker> started = new HashMap<>();
        Workers hanging = (name, work) -> {
            Worker worker = workers.start(name, () -> {
                if (!name.equals("log-io") || !hangs.get()) {
                    work.run();
                }
            });
            started.put(name, worker);
            return worker;
        };
        LocalStore store = LocalStore.open(
                SimulatedStore.config(Durability.FSYNC, 1 << 20),
                new StoreEnvironment(disk, hanging, clock::get),
                Attachments.of(List.of()));
        store.createQueues(1, 0);
        workers.runAll();
        hangs.set(true);
        assertThat(store.append(new AppendRequest(source, Wait.DURABLE, completed -> {}).add(0, 0, LENGTH, 1, 0)))
                .isTrue();
        assertThat(isStalled(store)).isFalse();

        clock.addAndGet(11_000);
        assertThat(isStalled(store)).isTrue();

        hangs.set(false);
        Objects.requireNonNull(started.get("log-io")).signal();
        assertThat(isStalled(store)).isFalse();
    }

    private boolean isStalled(LocalStore store) {
        AtomicBoolean stalled = new AtomicBoolean();
        workers.runAll();
        store.whenWriterAnswers(() -> stalled.set(store.isStalled()));
        workers.runAll();
        return stalled.get();
    }

    /** A bug in code that reads batches, in the middle of a request. */
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
    void aRequestIsCompletedIfAppendingItThrowsAndSoAreAllOthers(Class<? extends Throwable> thrown) throws Exception {
        SimulatedStore simulated = open(new Tampering() {
            @Override
            public BatchGate gate(BatchGate gate) {
                return throwsAtTheSecondCheck(gate, thrown);
            }
        });
        List<AppendRequest> completed = new ArrayList<>();
        CompletableFuture<Integer> before =
                simulated.store.appendState(1, ByteBuffer.allocate(10)).toCompletableFuture();
        AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed::add);
        for (int part = 0; part < 3; part++) {
            request.add(0, 0, LENGTH, 1, 0);
        }
        AppendRequest behind = new AppendRequest(source, Wait.DURABLE, completed::add).add(0, 0, LENGTH, 1, 0);
        assertThat(simulated.store.append(request)).isTrue();
        assertThat(simulated.store.append(behind)).isTrue();
        CompletableFuture<Integer> last =
                simulated.store.appendState(1, ByteBuffer.allocate(10)).toCompletableFuture();
        workers.runAll();

        assertThat(simulated.store.failure()).isInstanceOf(thrown);
        assertThat(completed).containsExactly(request, behind);
        assertThat(List.of(request.outcome(0), request.outcome(1), request.outcome(2), behind.outcome(0)))
                .isSubsetOf(Outcome.UNKNOWN, Outcome.REFUSED);
        assertThat(before).isCompletedExceptionally();
        assertThat(last).isCompletedExceptionally();
        assertThat(readable(simulated)).isZero();
    }

    private static BatchGate throwsAtTheSecondCheck(BatchGate gate, Class<? extends Throwable> thrown) {
        AtomicInteger checks = new AtomicInteger();
        return (BatchGate) Proxy.newProxyInstance(
                BatchGate.class.getClassLoader(), new Class<?>[] {BatchGate.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("check") && checks.incrementAndGet() == 2) {
                        throw thrown.getConstructor().newInstance();
                    }
                    return method.invoke(gate, arguments);
                });
    }

    private record BrokenView(int id) implements View {
        @Override
        public void apply(long groupTimestamp, ByteBuffer bytes) {
            throw new IllegalStateException("broken, on order");
        }

        @Override
        public Snapshot snapshot() {
            return out -> {};
        }

        @Override
        public void load(ReadableByteChannel in) {}
    }

    @Test
    void whenMaintenanceBreaksTheStoreFails() throws IOException {
        SimulatedStore simulated = open(new Tampering() {
            @Override
            public SweepTarget target(SweepTarget target) {
                return new SweepTarget() {
                    @Override
                    public BlockFileWriter begin(long cycle, int firstQueueId) {
                        throw new IllegalStateException("broken, on order");
                    }

                    @Override
                    public void finished(BlockFileFooter footer) {}
                };
            }
        });
        append(simulated);
        CompletableFuture<Void> swept = simulated.store.sweepEverything();
        workers.runAll();

        assertThat(simulated.store.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(swept).isCompletedExceptionally();
        assertThat(simulated.store.sweepEverything()).satisfies(later -> {
            workers.runAll();
            assertThat(later).isCompletedExceptionally();
        });
        assertThat(append(simulated).outcome(0)).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void aSweepThatIsAskedForIsAnsweredAtTheClose() throws IOException {
        SimulatedStore simulated = open(Tampering.NONE);
        append(simulated);
        CompletableFuture<Void> swept = simulated.store.sweepEverything();

        simulated.close();

        assertThat(swept).isDone();
    }
}
