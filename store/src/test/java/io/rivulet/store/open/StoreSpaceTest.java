package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Outcome;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.FaultyDisk;
import io.rivulet.store.io.FaultyDisk.Op;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.sweep.ChainReleaser;
import io.rivulet.store.sweep.SweepTarget;
import io.rivulet.store.writer.LogWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Little space on the disk, but some; and memory that is allocated before it is needed. */
class StoreSpaceTest {
    private static final int LENGTH = 5_000;
    private static final int BATCHES = 12;
    private static final int MORE_BATCHES_THAN_FIT = 50;

    private final SimulatedWorkers workers = new SimulatedWorkers(1, 0);
    private final ByteBuffer source = ByteBuffer.allocateDirect(LENGTH);
    private long usableBytes = Long.MAX_VALUE;
    private final FaultyDisk disk = new FaultyDisk(new CrashDisk());

    private SimulatedStore open(Tampering tampering, int queues) throws IOException {
        SimulatedStore simulated = SimulatedStore.open(disk, SimulatedStore.CONFIG, workers, tampering);
        simulated.store.createQueues(queues, 0);
        workers.runAll();
        for (int i = 0; i < BATCHES; i++) {
            AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> {});
            request.add(i % queues, 0, LENGTH, 1, 0);
            assertThat(simulated.store.append(request)).isTrue();
            workers.runAll();
            assertThat(request.outcome(0)).isEqualTo(Outcome.DURABLE);
        }
        return simulated;
    }

    private final class Small extends ForwardingDisk {
        Small(Disk disk) {
            super(disk);
        }

        @Override
        protected Disk below(Disk directory) {
            return new Small(directory);
        }

        @Override
        public long usableBytes() {
            return usableBytes;
        }
    }

    private final Tampering small = new Tampering() {
        @Override
        public Disk disk(Disk real) {
            return new Small(real);
        }
    };

    private static List<Long> sizes(SimulatedStore simulated) {
        return simulated.store.registry().files().files().stream()
                .map(BlockFile::lengthBytes)
                .toList();
    }

    private static long offsets(SimulatedStore simulated) {
        return simulated.store.registry().files().files().stream()
                .mapToLong(file -> file.footer().offsetCount())
                .sum();
    }

    @Test
    void aSmallerFileIsWrittenIfThereIsNoSpaceForAFullOne() throws IOException {
        SimulatedStore simulated = open(small, BATCHES);
        usableBytes = 2 * LENGTH;
        CompletableFuture<Void> swept = simulated.store.sweepEverything();
        workers.runAll();

        assertThat(swept).isDone();
        assertThat(offsets(simulated)).isEqualTo(BATCHES);
        assertThat(sizes(simulated)).hasSizeGreaterThan(3).allMatch(size -> size <= 3 * LENGTH);
    }

    @Test
    void noFileIsBegunWithoutSpace() throws IOException {
        SimulatedStore simulated = open(small, BATCHES);
        usableBytes = 100;
        long created = disk.count(Op.CREATE);
        CompletableFuture<Void> swept = simulated.store.sweepEverything();
        for (int i = 0; i < 10; i++) {
            simulated.store.tick();
            workers.runAll();
        }
        assertThat(swept).isNotDone();
        assertThat(disk.count(Op.CREATE)).isEqualTo(created);
        assertThat(simulated.store.metric(StoreMetric.UPKEEP_WAITS_FOR_SPACE)).isEqualTo(1);

        usableBytes = Long.MAX_VALUE;
        simulated.store.tick();
        workers.runAll();
        assertThat(swept).isDone();
        assertThat(offsets(simulated)).isEqualTo(BATCHES);
    }

    /** The log writer has not yet freed the chains of the first file when there is no space for the second. */
    @Test
    void whatIsInAFinishedFileIsNotSweptAgainWhenTheNextFileCantBegin() throws IOException {
        List<Runnable> held = new ArrayList<>();
        SimulatedStore simulated = open(
                new Tampering() {
                    private int begun;

                    @Override
                    public SweepTarget target(SweepTarget target) {
                        return new SweepTarget() {
                            @Override
                            public BlockFileWriter begin(long cycle, int firstQueueId) throws IOException {
                                if (++begun == 2) {
                                    throw new ShortageException(ShortageException.Kind.SPACE, "no space, on order");
                                }
                                return target.begin(cycle, firstQueueId);
                            }

                            @Override
                            public void finished(BlockFileFooter footer) throws IOException {
                                target.finished(footer);
                            }
                        };
                    }

                    @Override
                    public ChainReleaser releaser(LogWriter writer) {
                        return errand -> held.add(() -> writer.execute(errand));
                    }
                },
                1);
        CompletableFuture<Void> swept = simulated.store.sweepEverything();
        workers.runAll();
        simulated.store.tick();
        workers.runAll();
        for (int round = 0; round < 20; round++) {
            List.copyOf(held).forEach(Runnable::run);
            held.clear();
            workers.runAll();
            simulated.store.tick();
            workers.runAll();
        }

        assertThat(swept).isDone();
        assertThat(simulated.usedChunks()).isZero();
        assertThat(offsets(simulated)).isEqualTo(BATCHES);
    }

    /**
     * The JVM has memory for a part of the tail only. In the second case, a quarter of that part can't hold the largest
     * record.
     */
    @ParameterizedTest
    @CsvSource({"2, 5000", "1, 32700"})
    void aShorterTailIsSweptBeforeItIsFull(int slabs, int length) throws IOException {
        StoreConfig config = SimulatedStore.CONFIG.withMemory(1 << 20, 1 << 20);
        SimulatedStore simulated = SimulatedStore.open(disk, config, workers, new Tampering() {
            private int allocated;

            @Override
            public ByteBuffer allocateForTail(int slabBytes) {
                if (allocated == slabs) {
                    throw new OutOfMemoryError("no direct memory, on order");
                }
                allocated++;
                return ByteBuffer.allocateDirect(slabBytes);
            }
        });
        simulated.store.createQueues(1, 0);
        workers.runAll();
        ByteBuffer batch = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < MORE_BATCHES_THAN_FIT; i++) {
            AppendRequest request = new AppendRequest(batch, Wait.DURABLE, completed -> {});
            assertThat(simulated.store.append(request.add(0, 0, length, 1, 0))).isTrue();
            workers.runAll();
            assertThat(request.outcome(0)).isEqualTo(Outcome.DURABLE);
        }
        simulated.close();
    }

    private static final Tampering NO_MEMORY = new Tampering() {
        @Override
        public ByteBuffer allocateForTail(int slabBytes) {
            throw new OutOfMemoryError("no direct memory, on order");
        }
    };

    /** An append would wait for ever: no sweep can make room for it. */
    @Test
    void aStoreFailsIfTheTailCanNeverHoldARecord() throws IOException {
        SimulatedStore simulated = SimulatedStore.open(disk, SimulatedStore.CONFIG, workers, NO_MEMORY);
        simulated.store.createQueues(1, 0);
        workers.runAll();
        AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> {});
        assertThat(simulated.store.append(request.add(0, 0, LENGTH, 1, 0))).isTrue();
        workers.runAll();

        assertThat(request.outcome(0)).isNotIn(Outcome.PENDING, Outcome.DURABLE);
        assertThat(simulated.failure()).isInstanceOf(OutOfMemoryError.class);
    }

    /** As of a start that sweeps again and again. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aStartFailsIfTheTailCanNeverHoldARecord() throws IOException {
        open(Tampering.NONE, 1).close();

        assertThatThrownBy(() -> SimulatedStore.open(disk, SimulatedStore.CONFIG, workers, NO_MEMORY))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void memoryForTheTailIsAllocatedBeforeTheLogWriterNeedsIt() throws IOException {
        SimulatedStore simulated = open(Tampering.NONE, 1);
        for (int i = 0; i < BATCHES; i++) {
            assertThat(simulated.tailWantsMemory()).isFalse();
            simulated.store.append(new AppendRequest(source, Wait.DURABLE, completed -> {}).add(0, 0, LENGTH, 1, 0));
            workers.runAll();
        }
    }
}
