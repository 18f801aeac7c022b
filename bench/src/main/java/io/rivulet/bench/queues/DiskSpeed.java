package io.rivulet.bench.queues;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** What the disk and the memory can do by themselves, so that a result can be put beside it. Stateless. */
final class DiskSpeed {
    private static final int WRITE_BYTES = 4 << 20;
    private static final int WRITES = 256;
    private static final int COPIES = 512;

    private DiskSpeed() {}

    /** MiB a second of one thread that writes 4 MiB at a time to a new file and forces each, or only the last. */
    static double writeMibPerSecond(Path directory, boolean forceEach) throws IOException {
        Path file = directory.resolve("disk-speed");
        ByteBuffer bytes = randomBytes();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long startNanos = System.nanoTime();
            for (int i = 0; i < WRITES; i++) {
                bytes.clear();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                if (forceEach) {
                    channel.force(false);
                }
            }
            channel.force(false);
            return mibPerSecond(WRITES, System.nanoTime() - startNanos);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** MiB a second of one thread that copies 4 MiB at a time from one place off the heap to another. */
    static double copyMibPerSecond() {
        ByteBuffer from = randomBytes();
        ByteBuffer to = ByteBuffer.allocateDirect(16 * WRITE_BYTES);
        long startNanos = System.nanoTime();
        for (int i = 0; i < COPIES; i++) {
            to.put(i % 16 * WRITE_BYTES, from, 0, WRITE_BYTES);
        }
        return mibPerSecond(COPIES, System.nanoTime() - startNanos);
    }

    private static double mibPerSecond(int times, long nanos) {
        return (double) times * (WRITE_BYTES >> 20) * 1e9 / nanos;
    }

    private static ByteBuffer randomBytes() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(WRITE_BYTES);
        SplittableRandom random = new SplittableRandom(1);
        while (bytes.hasRemaining()) {
            bytes.putLong(random.nextLong());
        }
        return bytes.flip();
    }
}
