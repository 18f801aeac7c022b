package io.rivulet.store.open;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.store.Durability;
import io.rivulet.store.io.CrashDisk;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.ForwardingDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closing a busy store, with real threads. */
final class StoreCloseTest {
    private static final int QUEUES = 100;
    private static final int BATCH_BYTES = 2000;
    private static final String BLOCKS = "blocks";

    private final CountDownLatch mayWriteBlocks = new CountDownLatch(1);
    private final CountDownLatch sweeps = new CountDownLatch(1);
    private final AtomicInteger blockFiles = new AtomicInteger();

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
