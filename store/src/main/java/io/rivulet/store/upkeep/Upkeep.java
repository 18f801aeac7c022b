package io.rivulet.store.upkeep;

import io.rivulet.store.checkpoint.Checkpointer;
import io.rivulet.store.checkpoint.Checkpointer.ViewStates;
import io.rivulet.store.io.DiskFullException;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.sweep.Sweeper;
import io.rivulet.store.tail.Tail;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the background thread does, step by step: sweeps while the tail is too full or the log too long, ends each sweep cycle with
 * a checkpoint, and trims the log after it.
 *
 * <p>A full disk leaves everything as it is and is tried again at the next signal. Any other failure is handed to the store,
 * which then refuses appends: without upkeep they could not go on for long. And when the store has failed elsewhere, upkeep ends:
 * what views hold then may be half of a group.
 *
 * <p>Owned by: background thread, but for {@link #isNeeded}, {@link #isDiskFull}, {@link #sweepEverything} and {@link #fail}.
 */
public final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** What upkeep needs of the log writer. */
    public interface LogWriterSide {
        /** Every group before this has been applied. */
        long appliedLsn();

        /** Takes the states of all views between two groups, after the errands that were given before. */
        CompletableFuture<ViewStates> viewStates();

        /** Has it look around: whether the disk is full is not what it was. */
        void signal();
    }

    private final UpkeepConfig config;
    private final CommitLog log;
    private final Tail tail;
    private final Sweeper sweeper;
    private final Checkpointer checkpointer;
    private final BlockStock stock;
    private final LogWriterSide writer;
    private final Consumer<Throwable> onFailure;

    private long cycleStartLsn;
    /** Bytes written when the cycle that is going on began, and when the one before it did. */
    private long bytesAtCycleStart;

    private volatile long bytesAtReplayStart;
    private @Nullable CompletableFuture<ViewStates> ending;
    private volatile @Nullable Throwable failure;
    private volatile boolean diskFull;
    private final Queue<Wish> wishes = new ConcurrentLinkedQueue<>();
    private volatile long cyclesDone;

    public Upkeep(
            UpkeepConfig config,
            CommitLog log,
            Tail tail,
            Sweeper sweeper,
            Checkpointer checkpointer,
            BlockStock stock,
            LogWriterSide writer,
            long replayedBytes,
            Consumer<Throwable> onFailure) {
        this.config = config;
        this.log = log;
        this.tail = tail;
        this.sweeper = sweeper;
        this.checkpointer = checkpointer;
        this.stock = stock;
        this.writer = writer;
        this.onFailure = onFailure;
        this.cycleStartLsn = stock.manifest().replayLsn();
        this.bytesAtCycleStart = writtenBytes() - replayedBytes;
        this.bytesAtReplayStart = bytesAtCycleStart;
    }

    // ---- any thread ----

    /** Whether there is something to do; cheap. */
    public boolean isNeeded() {
        return tail.usedChunks() > config.sweepFromUsedChunks()
                || writtenBytes() - bytesAtReplayStart > config.maxReplayBytes()
                || !wishes.isEmpty();
    }

    /**
     * Asks for whole cycles until everything that is applied now is in block files, and the log is trimmed to here. Done when the
     * result is; takes effect with the next signal.
     */
    public CompletableFuture<Void> sweepEverything() {
        // The cycle that is going on may have passed some queues already.
        Wish wish = new Wish(cyclesDone + 2, new CompletableFuture<>());
        wishes.add(wish);
        return wish.granted;
    }

    /** Whether the last try found the disk full. */
    public boolean isDiskFull() {
        return diskFull;
    }

    /** Ends upkeep; takes effect with the next signal. */
    public void fail(Throwable cause) {
        failure = cause;
    }

    private record Wish(long cycles, CompletableFuture<Void> granted) {}

    private long writtenBytes() {
        return log.counters().writtenBytes();
    }

    // ---- background thread ----

    /** Works until nothing is needed, or until it has to wait for a signal. */
    public void work() {
        try {
            while (failure == null && workOn()) {
                diskFull = false;
            }
        } catch (DiskFullException e) {
            waitForSpace(e);
        } catch (Throwable e) {
            failure = e;
            onFailure.accept(e);
        }
        Throwable cause = failure;
        if (cause != null) {
            refuseWishes(cause);
        }
    }

    private boolean workOn() throws IOException {
        return ending != null ? endCycle(ending) : isNeeded() && sweep();
    }

    private void waitForSpace(DiskFullException e) {
        if (!diskFull) {
            LOG.warn("Upkeep waits for space: {}", e.getMessage());
            diskFull = true;
            writer.signal();
        }
    }

    private void refuseWishes(Throwable cause) {
        for (Wish wish = wishes.poll(); wish != null; wish = wishes.poll()) {
            wish.granted.completeExceptionally(cause);
        }
    }

    private boolean sweep() throws IOException {
        if (sweeper.isAtCycleStart()) {
            cycleStartLsn = writer.appliedLsn();
            bytesAtCycleStart = Math.max(bytesAtCycleStart, writtenBytes());
        }
        return switch (sweeper.sweep(config.stepBytes())) {
            case SWEPT -> true;
            case WAITING -> false;
            case CYCLE_ENDED -> {
                ending = writer.viewStates();
                yield true;
            }
        };
    }

    /** False when the log writer has not come to it yet. */
    private boolean endCycle(CompletableFuture<ViewStates> states) throws IOException {
        if (!states.isDone()) {
            return false;
        }
        long cycles = cyclesDone + 1;
        checkpointer.checkpoint(cycleStartLsn, states.join());
        ending = null;
        bytesAtReplayStart = bytesAtCycleStart;
        cyclesDone = cycles;
        log.trimBefore(stock.neededLsn());
        grantWishes();
        return true;
    }

    private void grantWishes() {
        List<Wish> granted =
                wishes.stream().filter(wish -> wish.cycles <= cyclesDone).toList();
        wishes.removeAll(granted);
        granted.forEach(wish -> wish.granted.complete(null));
    }

    /** Gives up what is unfinished; the store is about to close. */
    public void stop() {
        sweeper.abandonFile();
        refuseWishes(new IOException("the store is closed"));
    }
}
