package io.rivulet.store.sweep;

import io.rivulet.store.block.format.BlockFileFooter;
import io.rivulet.store.block.read.LogPayloads;
import io.rivulet.store.block.write.BlockFileWriter;
import io.rivulet.store.io.ShortageException;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.tail.ChainWarmer;
import io.rivulet.store.tail.Tail;
import io.rivulet.store.tail.TailCursor;
import io.rivulet.store.tail.TailRead;
import io.rivulet.store.tail.TailReleases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Visits all queues that have a chain, in the order of their ids, again and again, and copies published records to
 * block files. A chain is freed when its file is durable, in the manifest and visible; until then readers find the
 * records in the tail.
 *
 * <p>A cycle begins at queue 0 and ends when no dirty queue that existed then has a higher id than the cursor. It
 * leaves a queue where the queue ended when the cycle came to it: the next cycle takes later records. So a cycle ends,
 * however fast records are appended, and then everything that was applied before it began is in block files.
 *
 * <p>Crash policy: the log still has the records of a lost file, because only checkpoints trim it. A file that can't be
 * written is abandoned, and its queues are swept again from memory, which repeats no fsync.
 *
 * <p>Owned by: background thread; during recovery the one that opens the store.
 */
public final class Sweeper {
    /** Chains that the log writer frees at once, which takes some hundred microseconds. */
    private static final int RELEASE_AT_ONCE = 4096;

    private static final int NONE = -1;

    private final QueueTable table;
    private final Tail tail;
    private final SweepTarget target;
    private final SweptRecords records;
    private final ChainReleaser releaser;
    private final int copyBytes;
    private ByteBuffer copy = ByteBuffer.allocateDirect(0);
    private final TailCursor cursor = new TailCursor();
    private final ChainWarmer warmer;
    private final int[] window = new int[ChainWarmer.WIDTH];
    private int warmFrom;
    private int warmTo = -1;

    private long cycle;
    private int nextQueueId;
    /** The cycle is for queues below this id. */
    private int endQueueId;
    /** The queue of which a part is in finished files, and the cursor at the rest; or {@link #NONE}. */
    private int partQueueId = NONE;
    /** The cycle is for records of the next queue below this offset, once the cursor is in its chain. */
    private long endOffset;

    private @Nullable BlockFileWriter file;
    private int firstInFile;
    private TailReleases swept = new TailReleases();
    /** Of the last file; reused when all its chains are freed, because with many queues it takes megabytes. */
    private TailReleases sweptBefore = new TailReleases();

    /** Whether the cursor was moved back, so that chains that are not freed yet would be swept twice. */
    private boolean awaitsReleases;

    private long finishedFiles;
    private final AtomicInteger pendingReleases = new AtomicInteger();

    /**
     * @param log where batches are that have to be copied too; null if the log keeps them
     * @param copyBytes how much is copied from the tail at once; at least the largest record of a stream
     * @param cycle the number of the cycle that begins now
     */
    public Sweeper(
            QueueTable table,
            Tail tail,
            SweepTarget target,
            @Nullable LogPayloads log,
            ChainReleaser releaser,
            int copyBytes,
            long cycle) {
        this.table = table;
        this.tail = tail;
        this.warmer = tail.warmer();
        this.target = target;
        this.records = new SweptRecords(log);
        this.releaser = releaser;
        this.copyBytes = copyBytes;
        this.cycle = cycle;
    }

    /** Whether the cursor is before the first queue: nothing of this cycle is done. */
    public boolean isAtCycleStart() {
        return nextQueueId == 0 && file == null && partQueueId == NONE;
    }

    public long cycle() {
        return cycle;
    }

    /** How many files have been written. */
    public long finishedFiles() {
        return finishedFiles;
    }

    /** How far a call of {@link #sweep} has come. */
    public enum Progress {
        SWEPT,
        /** The cycle has ended: the next call begins a new one. */
        CYCLE_ENDED,
        /** Nothing was done: the log writer must first free the chains that are in finished files. */
        WAITING
    }

    /**
     * Continues the sweep until about {@code bytes} are copied or the cycle ends.
     *
     * @throws IOException if a file can't be written; it is abandoned, and later calls sweep its queues again
     */
    public Progress sweep(long bytes) throws IOException {
        if (awaitsReleases && pendingReleases.get() > 0) {
            return Progress.WAITING;
        }
        awaitsReleases = false;
        if (isAtCycleStart()) {
            endQueueId = table.idLimit();
        }
        try {
            for (long copied = 0; copied < bytes; copied += sweepQueue()) {
                nextQueueId = table.dirty().nextSet(nextQueueId);
                if (nextQueueId < 0 || nextQueueId >= endQueueId) {
                    endCycle();
                    return Progress.CYCLE_ENDED;
                }
                warmAhead();
            }
            return Progress.SWEPT;
        } catch (IOException | RuntimeException e) {
            abandonFile();
            throw e;
        }
    }

    /** Loads the chains of the next queues together, once for each window of them. */
    private void warmAhead() {
        if (warmFrom <= nextQueueId && nextQueueId <= warmTo) {
            return;
        }
        warmFrom = nextQueueId;
        int count = 0;
        for (int id = nextQueueId;
                id >= 0 && count < window.length;
                id = table.dirty().nextSet(id + 1)) {
            window[count++] = id;
            warmTo = id;
        }
        warmer.warm(window, count);
    }

    private void endCycle() throws IOException {
        finishFile(Integer.MAX_VALUE);
        nextQueueId = 0;
        partQueueId = NONE; // If that queue was deleted: the sweep did not come back to it.
        warmTo = -1;
        awaitsReleases = true;
        cycle++;
    }

    /** Abandons the file that is being written; its queues will be swept again. */
    public void abandonFile() {
        BlockFileWriter unfinished = file;
        goBack();
        if (unfinished != null) {
            unfinished.abandon();
        }
    }

    /**
     * Moves the cursor back to the start of the file, whose chains are still in the tail, or without a file to the
     * start of the chain. Records in finished files may also be in the tail until they are freed; they must not be
     * copied again.
     */
    private void goBack() {
        nextQueueId = file == null ? nextQueueId : firstInFile;
        file = null;
        swept.clear();
        partQueueId = NONE;
        awaitsReleases = true;
    }

    /**
     * Copies the chain of the next queue up to where it ended when the cycle came to it, or as much of it as fits into
     * the file, and returns the number of bytes.
     */
    private long sweepQueue() throws IOException {
        if (nextQueueId != partQueueId) {
            cursor.reset();
            endOffset = table.endOffset(nextQueueId);
        }
        if (copy.capacity() == 0) {
            copy = ByteBuffer.allocateDirect(copyBytes);
        }
        long fromOffset = -1;
        long bytes = 0;
        boolean isFull = false;
        TailRead read = copyChain();
        while (read == TailRead.OK) {
            bytes += records.append(openFile(), nextQueueId, cursor.startOffset(), copy.flip());
            fromOffset = fromOffset < 0 ? cursor.startOffset() : fromOffset;
            bytes += cursor.bytes();
            isFull = openFile().isFull();
            read = isFull ? TailRead.NOTHING : copyChain();
        }
        if (fromOffset >= 0 && read != TailRead.NO_QUEUE) {
            swept.add(nextQueueId, fromOffset, cursor);
        } else {
            swept.forget();
        }
        if (isFull) {
            partQueueId = nextQueueId;
            finishFile(nextQueueId);
        } else {
            partQueueId = NONE;
            nextQueueId++;
        }
        return bytes;
    }

    /** The last copy may go on to the end of the chain. */
    private TailRead copyChain() {
        return cursor.endOffset() >= endOffset
                ? TailRead.NOTHING
                : tail.copyChain(nextQueueId, copy.clear(), records.referencedAtOnce(), cursor, swept);
    }

    /**
     * If this fails, the manifest on the disk may still name the file, so the file stays and the next start decides.
     */
    private void handOver(BlockFileFooter complete) throws IOException {
        boolean known = false;
        try {
            target.finished(complete);
            known = true;
        } catch (ShortageException e) {
            known = true;
            throw e;
        } finally {
            if (!known) {
                goBack();
            }
        }
    }

    private BlockFileWriter openFile() throws IOException {
        BlockFileWriter open = file;
        if (open == null) {
            firstInFile = nextQueueId;
            open = target.begin(cycle, nextQueueId);
            file = open;
        }
        return open;
    }

    private void finishFile(int coverTo) throws IOException {
        BlockFileWriter complete = file;
        if (complete == null) {
            return;
        }
        handOver(complete.finish(coverTo));
        finishedFiles++;
        file = null;
        TailReleases done = swept;
        swept = pendingReleases.get() == 0 ? sweptBefore : new TailReleases();
        swept.clear();
        sweptBefore = done;
        for (int from = 0; from < done.count(); from += RELEASE_AT_ONCE) {
            int first = from;
            int end = Math.min(done.count(), from + RELEASE_AT_ONCE);
            pendingReleases.incrementAndGet();
            releaser.execute(() -> {
                tail.releaseAll(done, first, end);
                pendingReleases.decrementAndGet();
            });
        }
    }
}
