package io.rivulet.cluster.shard;

import io.rivulet.cluster.registry.ShardNode;
import io.rivulet.store.failure.LogLimit;
import io.rivulet.store.shard.Takeover;
import io.rivulet.store.shard.Tenure;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard from its claim until nothing of it runs any more. Opening and closing run on threads of their own, because
 * either may hang. Thread-safe.
 */
final class ClaimedShard implements ShardOpener.Progress {
    private enum State {
        OPENING,
        OPEN,
        /** It has ended, and no thread closes it yet. */
        TO_CLOSE,
        CLOSING,
        CLOSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(ClaimedShard.class);

    private final ShardOpener opener;
    private final ShardNode claim;
    private final Lease lease;
    private final Executor executor;
    private final LongSupplier clockNanos;
    private final LogLimit failures;
    private volatile long progressNanos;
    private volatile boolean isOver;
    private volatile boolean refusesToServe;
    private final long vacantSinceNanos;
    private final long claimedNanos;
    private volatile long fencedNanos;

    // Guarded by this.
    private State state = State.OPENING;
    private long openedNanos;
    private @Nullable Tenure shard;

    /** @param vacantSinceNanos when this broker saw that nobody owns it */
    ClaimedShard(
            ShardOpener opener,
            ShardNode claim,
            Lease lease,
            Executor executor,
            LongSupplier clockNanos,
            LogLimit failures,
            long vacantSinceNanos) {
        this.opener = opener;
        this.claim = claim;
        this.lease = lease;
        this.executor = executor;
        this.clockNanos = clockNanos;
        this.failures = failures;
        this.vacantSinceNanos = vacantSinceNanos;
        this.claimedNanos = clockNanos.getAsLong();
        this.fencedNanos = claimedNanos;
        this.progressNanos = claimedNanos;
    }

    /** Begins to open it. */
    void start() {
        try {
            executor.execute(this::open);
        } catch (RuntimeException | Error e) {
            setClosed();
            LOG.error("there is no thread that opens a shard", e);
        }
    }

    private void open() {
        Tenure opened;
        try {
            opened = opener.open(claim, lease, this);
        } catch (Throwable e) {
            // Whatever it is: an owner that has nothing open would keep the others from the shard.
            setClosed();
            failures.log(more -> LOG.warn("epoch {} of a shard can't be opened{}", claim.epoch(), more, e));
            return;
        }
        if (!isOpenNow(opened, clockNanos.getAsLong())) {
            close(opened);
        }
    }

    private synchronized boolean isOpenNow(Tenure opened, long nowNanos) {
        if (isOver) {
            return false;
        }
        shard = opened;
        state = State.OPEN;
        openedNanos = nowNanos;
        return true;
    }

    @Override
    public void made() throws IOException {
        if (isOver) {
            throw new IOException("the shard was given up");
        }
        progressNanos = clockNanos.getAsLong();
    }

    @Override
    public void fenced() {
        fencedNanos = clockNanos.getAsLong();
    }

    /** Whether it opens or closes, and has made no progress for so long. */
    synchronized boolean isStuck(long nanos) {
        return (state == State.OPENING || isClosing()) && clockNanos.getAsLong() - progressNanos > nanos;
    }

    /** Whether it can't be opened, or takes no appends any more. */
    boolean hasFailed() {
        Tenure opened = openOne();
        return refusesToServe || isClosed() || (opened != null && opened.hasFailed());
    }

    boolean isOpen() {
        return openOne() != null;
    }

    /** Whether it was open, and its end has begun. */
    synchronized boolean isClosing() {
        return state == State.TO_CLOSE || state == State.CLOSING;
    }

    /** Whether nothing of it runs any more. */
    synchronized boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether {@link #end} was called. */
    boolean isOver() {
        return isOver;
    }

    private synchronized @Nullable Tenure openOne() {
        return state == State.OPEN ? shard : null;
    }

    private synchronized void setClosed() {
        state = State.CLOSED;
    }

    /** Lets clients in; whether it did. */
    boolean serve() {
        Tenure opened = openOne();
        if (opened == null) {
            return false;
        }
        try {
            opened.serve(takeover(clockNanos.getAsLong()));
            return true;
        } catch (RuntimeException | Error e) {
            LOG.error("epoch {} of a shard does not serve", claim.epoch(), e);
            refusesToServe = true;
            return false;
        }
    }

    private synchronized Takeover takeover(long nowNanos) {
        return new Takeover(
                claimedNanos - vacantSinceNanos,
                fencedNanos - claimedNanos,
                openedNanos - fencedNanos,
                nowNanos - openedNanos);
    }

    /** Has it closed, or stops the opening at its next progress. Does not wait. */
    void end() {
        setOver();
        beginClosing();
    }

    private synchronized void setOver() {
        isOver = true;
        if (state == State.OPEN) {
            state = State.TO_CLOSE;
            progressNanos = clockNanos.getAsLong();
        }
    }

    /** Begins what {@link #end} could not begin, for lack of a thread. Never within the call: a closing may hang. */
    void beginClosing() {
        Tenure opened = takeToClose();
        if (opened == null) {
            return;
        }
        try {
            executor.execute(() -> close(opened));
        } catch (RuntimeException | Error e) {
            setToClose();
            failures.log(more -> LOG.error("there is no thread that closes a shard{}", more, e));
        }
    }

    private synchronized @Nullable Tenure takeToClose() {
        if (state != State.TO_CLOSE) {
            return null;
        }
        state = State.CLOSING;
        return shard;
    }

    private synchronized void setToClose() {
        state = State.TO_CLOSE;
    }

    /** There may be no memory for a line, either. */
    private void close(Tenure opened) {
        try {
            opened.close();
        } catch (Throwable e) {
            LOG.warn("epoch {} of a shard was not closed as it should be; the next owner fences it", claim.epoch(), e);
        } finally {
            setClosed();
        }
    }
}
