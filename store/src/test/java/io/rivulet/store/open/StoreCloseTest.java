package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.AppendRequest;
import io.rivulet.store.AppendRequest.Wait;
import io.rivulet.store.Durability;
import io.rivulet.store.Outcome;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import io.rivulet.store.log.AppendException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.log.LogGroup;
import io.rivulet.store.log.local.LocalLogLocation;
import io.rivulet.store.simulation.ForwardingLog;
import io.rivulet.store.simulation.SimulatedWorkers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing a busy store. */
final class StoreCloseTest {
    private static final int QUEUES = 100;
    private static final int BATCH_BYTES = 2000;
    /** A group with it is not forced by the log writer itself. */
    private static final int LARGE_BATCH_BYTES = 10_000;

    private static final String BLOCKS = "blocks";

    private final CountDownLatch mayWriteBlocks = new CountDownLatch(1);
    private final CountDownLatch sweeps = new CountDownLatch(1);
    private final AtomicInteger blockFiles = new AtomicInteger();
    private final CountDownLatch forces = new CountDownLatch(1);
    private final CountDownLatch limited = new CountDownLatch(1);
    private volatile boolean stalled;

    /** Block files are created when the test allows it. */
    private Disk disk() {
        return new ForwardingDisk(new CrashDisk()) {
            @Override
            public Disk directory(String name) throws IOException {
                Disk directory = super.directory(name);
                return name.equals(BLOCKS) ? slow(directory) : directory;
            }
        };
    }

    private Disk slow(Disk blocks) {
        return new ForwardingDisk(blocks) {
            @Override
            public DiskFile create(String name, IoMode mode) throws IOException {
                sweeps.countDown();
                try {
                    mayWriteBlocks.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                blockFiles.incrementAndGet();
                return super.create(name, mode);
            }
        };
    }

    /** A disk that does not respond must not keep the store from closing, so forces have a limit by then. */
    @Test
    void whatIsInFlightAtTheCloseIsForcedWithALimit() throws IOException {
        List<String> calls = new ArrayList<>();
        SimulatedWorkers workers = new SimulatedWorkers(1, 0);
        SimulatedStore simulated = SimulatedStore.open(
                new CrashDisk(), SimulatedStore.config(Durability.FSYNC, 1 << 20), workers, new Tampering() {
                    @Override
                    public CommitLog log(CommitLog log) {
                        return new ForwardingLog(log) {
                            @Override
                            public long append(LogGroup group) throws AppendException {
                                calls.add("append");
                                return super.append(group);
                            }

                            @Override
                            public void force() throws IOException {
                                calls.add("force");
                                super.force();
                            }

                            @Override
                            public void closeSoon() {
                                calls.add("closeSoon");
                                super.closeSoon();
                            }
                        };
                    }
                });
        simulated.store.createQueues(1, 0);
        workers.runAll();
        calls.clear();
        ByteBuffer source = ByteBuffer.allocateDirect(LARGE_BATCH_BYTES);
        AppendRequest request = new AppendRequest(source, Wait.DURABLE, completed -> {});
        assertThat(simulated.store.append(request.add(0, 0, LARGE_BATCH_BYTES, 1, 0)))
                .isTrue();
        while (calls.isEmpty()) {
            assertThat(workers.runOne()).isTrue();
        }

        simulated.close();

        assertThat(calls).startsWith("append", "closeSoon").contains("force");
        assertThat(request.outcome(0)).isEqualTo(Outcome.DURABLE);
    }

    /** While it is stalled, a force waits until it has a limit. */
    private final class StallingLog extends ForwardingLog {
        StallingLog(CommitLog log) {
            super(log);
        }

        @Override
        public void force() throws IOException {
            if (stalled) {
                forces.countDown();
                try {
                    limited.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            super.force();
        }

        @Override
        public void closeSoon() {
            limited.countDown();
            super.closeSoon();
        }
    }

    /** Otherwise the thread would hang as long as the disk does, and the directory would stay locked. */
    @Test
    @Timeout(60)
    void aForceOfMaintenanceGetsALimitWhenTheStoreCloses() throws Exception {
        Disk disk = new CrashDisk();
        StoreConfig config = SimulatedStore.config(Durability.OS, 1 << 20);
        StoreEnvironment local = StoreEnvironment.local(Path.of("."));
        LocalStore store = LocalStore.open(
                config,
                new StoreEnvironment(disk, local.workers(), local.clock(), local.failures())
                        .withLog(ForwardingLog.at(new LocalLogLocation(disk, config.localLog()), StallingLog::new)));
        stalled = true;
        var swept = store.sweepEverything();
        forces.await();

        store.close();

        assertThat(swept).isDone();
        assertThat(local.failures().cause()).isNull();
    }

    @Test
    @Timeout(60)
    void closeWaitsForOneStepOfMaintenanceOnly() throws Exception {
        StoreConfig config = SimulatedStore.config(Durability.OS, 1 << 20);
        StoreEnvironment local = StoreEnvironment.local(Path.of("."));
        LocalStore store = LocalStore.open(new StoreAssembly(
                config,
                new StoreEnvironment(disk(), local.workers(), local.clock(), local.failures()),
                Attachments.NONE,
                SimulatedStore.SIZES));
        StoreDriver driver = new StoreDriver(store);
        int first = driver.createQueues(QUEUES);
        for (int queueId = first; queueId < first + QUEUES; queueId++) {
            driver.append(queueId, 1, 0, new byte[BATCH_BYTES]);
        }
        var swept = store.sweepEverything();
        sweeps.await();

        Thread closing = new Thread(() -> {
            try {
                store.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        mayWriteBlocks.countDown();
        closing.join();

        assertThat(blockFiles).hasValueLessThanOrEqualTo(2);
        assertThat(swept).isCompletedExceptionally();
    }
}
