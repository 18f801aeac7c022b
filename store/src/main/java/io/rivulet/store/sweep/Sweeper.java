package io.rivulet.store.sweep;

import io.rivulet.store.block.BlockFileFooter;
import io.rivulet.store.block.BlockFileWriter;
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
 * Goes round the queues that have a chain, in the order of their ids, and copies what is published into block files. A chain is
 * freed only when its file is durable, in the manifest and visible; until then readers find the data in the tail.
 *
 * <p>A cycle begins when the cursor stands before queue 0 and ends when no dirty queue is left behind it. Everything that was
 * applied before the cycle began is then in block files.
 *
 * <p>Crash policy: the log still holds whatever a lost file held, for it is trimmed by checkpoints only. A file that can't be
 * written is abandoned and its queues are swept again: that copies them anew from memory and repeats no fsync.
 *
 * <p>Owned by: background thread; during recovery the one that opens the store.
 */
public final class Sweeper {
    /** Chains that the log writer frees in one go: some hundred microseconds. */
    private static final int RELEASE_AT_ONCE = 4096;

    private final QueueTable table;
    private final Tail tail;
    private final SweepTarget target;
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
    /** Whether the next queue's chain is partly in finished files: the cursor stands where to go on. */
    private boolean midChain;

    private @Nullable BlockFileWriter file;
    private int firstInFile;
    private TailReleases swept = new TailReleases();
    /** Of the file before, whose memory is used again when all of it has been freed: it is megabytes where there are many queues. */
    private TailReleases sweptBefore = new TailReleases();

    /** Whether the cursor has gone back, so that chains which are not yet freed would be swept twice. */
    private boolean awaitsReleases;

    private long finishedFiles;
    private final AtomicInteger pendingReleases = new AtomicInteger();

    /**
     * @param copyBytes what is copied from the tail in one go; the largest record of a stream fits into it
     * @param cycle the number of the cycle that begins now
     */
    public Sweeper(QueueTable table, Tail tail, SweepTarget target, ChainReleaser releaser, int copyBytes, long cycle) {
        this.table = table;
        this.tail = tail;
        this.warmer = tail.warmer();
        this.target = target;
        this.releaser = releaser;
        this.copyBytes = copyBytes;
        this.cycle = cycle;
    }

    /** Whether the cursor stands before the first queue: nothing of this cycle has been done. */
    public boolean isAtCycleStart() {
        return nextQueueId == 0 && file == null && !midChain;
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
        /** Nothing was done: the log writer has yet to free what is in finished files. */
        WAITING
    }

    /**
     * Sweeps on until about {@code bytes} are copied or the cycle ends.
     *
     * @throws IOException when a file could not be written; it is abandoned, and later calls sweep its queues again
     */
    public Progress sweep(long bytes) throws IOException {
        if (awaitsReleases && pendingReleases.get() > 0) {
            return Progress.WAITING;
        }
        awaitsReleases = false;
        try {
            for (long copied = 0; copied < bytes; copied += sweepQueue()) {
                nextQueueId = table.dirty().nextSet(nextQueueId);
                if (nextQueueId < 0) {
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
        warmTo = -1;
        awaitsReleases = true;
        cycle++;
    }

    /** Gives up the file that is being written; its queues will be swept again. */
    public void abandonFile() {
        BlockFileWriter unfinished = file;
        goBack();
        if (unfinished != null) {
            unfinished.abandon();
        }
    }

    /**
     * To where the file began, for its chains are still in the tail; if there is none, to the beginning of the chain. What is in
     * finished files may be there too, until it is freed: it must not be copied once more.
     */
    private void goBack() {
        nextQueueId = file == null ? nextQueueId : firstInFile;
        file = null;
        swept.clear();
        midChain = false;
        awaitsReleases = true;
    }

    /** Copies the next queue's chain, or the part of it that fills the file, and answers how many bytes that were. */
    private long sweepQueue() throws IOException {
        if (!midChain) {
            cursor.reset();
        }
        midChain = false;
        if (copy.capacity() == 0) {
            copy = ByteBuffer.allocateDirect(copyBytes);
        }
        long fromOffset = -1;
        long bytes = 0;
        TailRead read = tail.copyChain(nextQueueId, copy.clear(), cursor, swept);
        while (read == TailRead.OK) {
            openFile().append(nextQueueId, cursor.startOffset(), copy.flip());
            fromOffset = fromOffset < 0 ? cursor.startOffset() : fromOffset;
            bytes += cursor.bytes();
            midChain = openFile().isFull();
            if (midChain) {
                break;
            }
            read = tail.copyChain(nextQueueId, copy.clear(), cursor, swept);
        }
        if (fromOffset >= 0 && read != TailRead.NO_QUEUE) {
            swept.add(nextQueueId, fromOffset, cursor);
        } else {
            swept.forget();
        }
        if (midChain) {
            finishFile(nextQueueId);
        } else {
            nextQueueId++;
        }
        return bytes;
    }

    /** If that fails, the manifest on the disk may name the file all the same: so it stays, and the next start decides. */
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
