package io.rivulet.store.block.merge;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.format.BlockFileId;
import io.rivulet.store.block.format.BlockFileOrigin;
import io.rivulet.store.block.read.BlockFile;
import io.rivulet.store.block.read.BlockFiles;
import io.rivulet.store.block.read.BlockRead;
import io.rivulet.store.block.read.BlockReader;
import io.rivulet.store.block.write.BlockFileLimits;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.block.write.BlockWriteBuffers;
import io.rivulet.store.cache.CacheCounters;
import io.rivulet.store.cache.CacheLimits;
import io.rivulet.store.cache.PageCache;
import io.rivulet.store.cache.PageClass;
import io.rivulet.store.io.Disk;
import io.rivulet.store.io.LocalDisk;
import io.rivulet.store.memory.PagePool;
import io.rivulet.store.stream.StreamRecord;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/**
 * Measures bytes, I/Os and seconds of block files. A report, not a test: {@code BlockBench DIR [queues] [messages of a
 * queue in a cycle] [cycles]}. Each message is a separate batch of 58 bytes.
 */
public final class BlockBench {
    private static final int MESSAGE_BYTES = 58;
    private static final long CACHE_BYTES = 64L << 20;

    private final PrintWriter out =
            new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private final Disk disk;
    private final int queues;
    private final int messages;
    private final int cycles;
    private final List<BlockFileId> ids = new ArrayList<>();
    private long nextFileNumber = 1;

    private BlockBench(Disk disk, int queues, int messages, int cycles) {
        this.disk = disk;
        this.queues = queues;
        this.messages = messages;
        this.cycles = cycles;
    }

    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        int queues = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        int messages = args.length > 2 ? Integer.parseInt(args[2]) : 64;
        int cycles = args.length > 3 ? Integer.parseInt(args[3]) : 1;
        new BlockBench(new LocalDisk(directory), queues, messages, cycles).run();
    }

    private void run() throws IOException {
        out.printf(
                "%,d queues, %d messages of %d bytes in a cycle, %d cycles%n", queues, messages, MESSAGE_BYTES, cycles);
        sweep();
        reads("swept");
        if (cycles > 1) {
            merge();
            reads("merged");
        }
    }

    private BlockFileId nextId() {
        return new BlockFileId(1, nextFileNumber++);
    }

    private ByteBuffer stream() {
        ByteBuffer stream = ByteBuffer.allocateDirect(messages * (MESSAGE_BYTES + StreamRecord.MAX_HEADER_BYTES));
        ByteBuffer payload = ByteBuffer.allocate(MESSAGE_BYTES);
        new SplittableRandom(1).nextBytes(payload.array());
        int at = 0;
        for (int i = 0; i < messages; i++) {
            at = StreamRecord.putInline(stream, at, 1, 100_000 + i, payload, 0, MESSAGE_BYTES);
        }
        return stream.limit(at);
    }

    private void sweep() throws IOException {
        BlockWriteBuffers buffers = new BlockWriteBuffers();
        ByteBuffer stream = stream();
        long from = System.nanoTime();
        long bytes = 0;
        for (int cycle = 1; cycle <= cycles; cycle++) {
            BlockFileWriter writer = null;
            for (int queueId = 0; queueId < queues; queueId++) {
                if (writer == null) {
                    BlockFileOrigin origin = BlockFileOrigin.ofSweep(nextId(), cycle, queueId);
                    writer = BlockFileWriter.create(disk, origin, BlockFileLimits.SWEEP, buffers);
                }
                writer.append(queueId, (cycle - 1L) * messages, stream);
                if (writer.isFull() || queueId == queues - 1) {
                    bytes += writer.finish(queueId).totalBytes();
                    ids.add(writer.origin().id());
                    writer = null;
                }
            }
        }
        speed("sweep, blocks of " + stream.limit() + " bytes, fsyncs included", bytes, from);
    }

    private void speed(String what, long bytes, long fromNanos) {
        double seconds = (System.nanoTime() - fromNanos) / 1e9;
        out.printf("%s: %,d bytes in %.1f s = %.0f MB/s%n", what, bytes, seconds, bytes / seconds / 1e6);
    }

    private void sizes(BlockFiles files) {
        List<BlockFileFooter> footers =
                files.files().stream().map(BlockFile::footer).toList();
        long total = footers.stream().mapToLong(BlockFileFooter::totalBytes).sum();
        long index = footers.stream()
                .mapToLong(f -> f.totalBytes() - f.directoryStart())
                .sum();
        long blocks = footers.stream().mapToLong(BlockFileFooter::blockCount).sum();
        long offsets = footers.stream().mapToLong(BlockFileFooter::offsetCount).sum();
        long resident =
                files.files().stream().mapToLong(BlockFile::residentBytes).sum();
        out.printf(
                "  %d files, %,d blocks, %,d bytes; each message: %.2f bytes, %.3f of them directory, filter, fence%n",
                footers.size(), blocks, total, (double) total / offsets, (double) index / offsets);
        out.printf("  resident %,d bytes = %,.0f for each GiB%n", resident, resident / (total / (double) (1L << 30)));
    }

    private void reads(String what) throws IOException {
        int fifth = queues / 5;
        SplittableRandom random = new SplittableRandom(7);
        for (int pageBytes : new int[] {16 << 10, 32 << 10, 64 << 10}) {
            out.printf("%s, cache of %d MiB in pages of %d KiB%n", what, CACHE_BYTES >> 20, pageBytes >> 10);
            read(pageBytes, "one queue, nothing cached", 1, i -> queues / 2);
            read(pageBytes, "2000 queues here and there", 2000, i -> random.nextInt(queues));
            read(pageBytes, "a fifth of the queues, every fifth one", fifth, i -> 5 * i);
            read(pageBytes, "a fifth of the queues, side by side", fifth, i -> fifth + i);
            read(pageBytes, "a tenth of the queues, here and there", queues / 10, i -> random.nextInt(queues));
        }
    }

    private void read(int pageBytes, String what, int count, IntUnaryOperator queueIds) throws IOException {
        PagePool pool = new PagePool("cache", CACHE_BYTES, pageBytes, 1 << 20);
        PageCache cache = new PageCache(pool, CacheLimits.ofPages(pool.capacityPages()));
        try (BlockFiles files = BlockFiles.open(disk, ids, cache)) {
            if (count == 1 && pageBytes == 16 << 10) {
                sizes(files);
            }
            BlockReader reader = new BlockReader(files, 256 << 10);
            ByteBuffer target = ByteBuffer.allocateDirect(1 << 20);
            long read = 0;
            long from = System.nanoTime();
            for (int i = 0; i < count; i++) {
                read += readQueue(reader, queueIds.applyAsInt(i), target);
            }
            double seconds = (System.nanoTime() - from) / 1e9;
            CacheCounters counters = cache.counters();
            out.printf(
                    "  %s: %,d messages, %,d I/Os = %.4f a message, %.1f bytes read a message, %,.0f messages/s%n",
                    what,
                    read,
                    counters.reads(),
                    (double) counters.reads() / read,
                    (double) counters.readBytes() / read,
                    read / seconds);
        }
    }

    private static long readQueue(BlockReader reader, int queueId, ByteBuffer target) throws IOException {
        long next = 0;
        while (true) {
            BlockRead read = reader.read(queueId, next, target.clear(), PageClass.SCAN);
            if (read.outcome() != BlockRead.Outcome.RECORDS) {
                return next;
            }
            next = read.nextOffset();
        }
    }

    private void merge() throws IOException {
        PagePool pool = new PagePool("cache", CACHE_BYTES, 32 << 10, 1 << 20);
        PageCache cache = new PageCache(pool, CacheLimits.ofPages(pool.capacityPages()));
        MergeBuffers buffers = new MergeBuffers();
        MergePolicy policy = new MergePolicy(cycles, 2, 2 * cycles, 32 << 10);
        long from = System.nanoTime();
        long longest = 0;
        try (BlockFiles files = BlockFiles.open(disk, ids, cache)) {
            MergePlan plan = policy.plan(
                            files.files().stream().map(BlockFile::footer).toList(), cycles + 1, Set.of())
                    .orElseThrow();
            try (BlockMerger merger = new BlockMerger(
                    disk,
                    files,
                    plan,
                    new MergeSettings(BlockFileLimits.MERGE, 4 << 20, 0),
                    queueId -> 0,
                    (lsn, at, length, target) -> {},
                    () -> nextFileNumber++,
                    buffers)) {
                BlockMerger.Progress progress = BlockMerger.Progress.WORKING;
                while (progress != BlockMerger.Progress.DONE) {
                    long stepFrom = System.nanoTime();
                    progress = merger.step();
                    longest = Math.max(longest, System.nanoTime() - stepFrom);
                    if (progress == BlockMerger.Progress.OUTPUT) {
                        files.add(BlockFile.open(disk, merger.output(), cache));
                        files.remove(files.superseded());
                    }
                }
                speed("merge, bytes written", merger.outputBytes(), from);
            }
            out.printf("  longest step %d ms%n", TimeUnit.NANOSECONDS.toMillis(longest));
            ids.clear();
            files.files().forEach(file -> ids.add(file.footer().id()));
        }
    }
}
