package io.rivulet.bench.queues;

import io.rivulet.store.io.Disk;
import io.rivulet.store.io.Disk.IoMode;
import io.rivulet.store.io.DiskFile;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.log.local.LocalLogConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a disk as the log does, without the store: direct writes of 4 MiB into new files of a segment's size. A
 * second thread forces them while the next ones are written, and no more writes are ahead of the force than the log has
 * groups. The files are created before the clock starts and kept, so that both sides write to free blocks.
 *
 * <p>Owned by: one thread.
 */
final class DiskSpeed {
    private static final int WRITE_BYTES = LocalLogConfig.DEFAULT.log().groupBytes();
    private static final long FILE_BYTES = LocalLogConfig.DEFAULT.segmentBytes();
    private static final int PAGE_BYTES = 4096;

    private final Path directory;
    private final int maxUnforced;
    private final ByteBuffer bytes;
    private int turns;

    /** @param maxUnforced how many writes may be ahead of the force */
    DiskSpeed(Path directory, int maxUnforced) {
        this.directory = directory;
        this.maxUnforced = maxUnforced;
        this.bytes = ByteBuffer.allocateDirect(WRITE_BYTES + PAGE_BYTES).alignedSlice(PAGE_BYTES);
        SplittableRandom random = new SplittableRandom(1);
        for (int at = 0; at < WRITE_BYTES; at += Long.BYTES) {
            bytes.putLong(at, random.nextLong());
        }
    }

    /** Writes this many bytes. Returns the MiB a second, including the last force. */
    double mibPerSecond(long totalBytes) throws IOException, InterruptedException {
        Disk disk = new LocalDisk(Files.createDirectories(directory.resolve("turn-" + turns++)));
        List<DiskFile> files = new ArrayList<>();
        try {
            for (long made = 0; made < totalBytes; made += FILE_BYTES) {
                DiskFile file = disk.create("alone-" + files.size(), IoMode.DIRECT);
                files.add(file);
                file.extend(FILE_BYTES);
                file.force();
            }
            disk.syncDirectory();
            long writes = totalBytes / WRITE_BYTES;
            long startNanos = System.nanoTime();
            write(files, writes);
            return (double) ((writes * WRITE_BYTES) >> 20) * 1e9 / (System.nanoTime() - startNanos);
        } finally {
            for (DiskFile file : files) {
                file.close();
            }
        }
    }

    private void write(List<DiskFile> files, long writes) throws IOException, InterruptedException {
        Semaphore ahead = new Semaphore(maxUnforced);
        Semaphore written = new Semaphore(0);
        AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
        Thread forcer = new Thread(() -> force(files, writes, ahead, written, failure), "disk-force");
        forcer.start();
        for (long i = 0; i < writes && failure.get() == null; i++) {
            ahead.acquire();
            long address = i * WRITE_BYTES;
            files.get((int) (address / FILE_BYTES))
                    .write(address % FILE_BYTES, bytes.duplicate().limit(WRITE_BYTES));
            written.release();
        }
        forcer.join();
        IOException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    /** Each force covers all writes before its start, as in the log. */
    private static void force(
            List<DiskFile> files,
            long writes,
            Semaphore ahead,
            Semaphore written,
            AtomicReference<@Nullable IOException> failure) {
        try {
            long done = 0;
            while (done < writes) {
                written.acquire();
                int covered = 1 + written.drainPermits();
                int first = (int) (done * WRITE_BYTES / FILE_BYTES);
                int last = (int) ((done + covered - 1) * WRITE_BYTES / FILE_BYTES);
                for (int i = first; i <= last; i++) {
                    files.get(i).force();
                }
                done += covered;
                ahead.release(covered);
            }
        } catch (IOException e) {
            failure.set(e);
            ahead.release(Integer.MAX_VALUE / 2);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the MiB a second of one thread that copies 4 MiB at a time outside the heap. */
    double copyMibPerSecond() {
        int copies = 512;
        ByteBuffer to = ByteBuffer.allocateDirect(16 * WRITE_BYTES);
        long startNanos = System.nanoTime();
        for (int i = 0; i < copies; i++) {
            to.put(i % 16 * WRITE_BYTES, bytes, 0, WRITE_BYTES);
        }
        return (double) copies * (WRITE_BYTES >> 20) * 1e9 / (System.nanoTime() - startNanos);
    }
}
