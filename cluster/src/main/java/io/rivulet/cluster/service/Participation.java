package io.rivulet.cluster.service;

import io.rivulet.cluster.registry.Member;
import io.rivulet.cluster.registry.Registry;
import io.rivulet.cluster.registry.Registry.Event;
import io.rivulet.cluster.shard.ShardHost;
import io.rivulet.cluster.shard.ShardOpener;
import io.rivulet.cluster.shard.ShardTimes;
import io.rivulet.store.shard.ShardService;
import io.rivulet.store.shard.Tenant;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of a process in a shard: the thread that takes the steps of its host, and what wakes it. Thread-safe. */
final class Participation implements ShardService.Membership {
    private static final Logger LOG = LoggerFactory.getLogger(Participation.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** So many times its patience with the registry lasts a close that leaves something behind, at least. */
    private static final int TASK_PATIENCES = 3;

    private final Registry registry;
    private final int shard;
    private final ShardHost host;
    private final OverviewReport report;
    private final TaskThreads tasks;
    private final long stuckNanos;
    private final long patienceNanos;
    private final Thread thread;

    // Guarded by this.
    private boolean isWoken;
    /** It does not wait for the next step, but perhaps for the registry. */
    private boolean isBusy = true;

    private long busySinceNanos = System.nanoTime();
    private boolean hasLeft;
    private boolean isClosing;
    /** Nothing more is asked of the registry. */
    private boolean isOver;

    private boolean hasEnded;
    private boolean wasInterrupted;

    /** @param patienceNanos how long a close waits for a registry that does not answer */
    Participation(
            Registry registry,
            int shard,
            Member self,
            Tenant tenant,
            ShardOpener opener,
            ShardTimes times,
            long patienceNanos) {
        this.registry = registry;
        this.shard = shard;
        this.tasks = new TaskThreads("shard-" + shard + "-task", this::wakeUp);
        this.host = new ShardHost(registry, shard, self, opener, tasks, times, System::nanoTime);
        this.report = new OverviewReport(registry, shard, self, tenant);
        this.stuckNanos = times.stuckNanos();
        this.patienceNanos = patienceNanos;
        this.thread = new Thread(this::run, "shard-" + shard);
        thread.setDaemon(true);
    }

    void start() {
        registry.listen(event -> {
            if (event != Event.DISCONNECTED) {
                report.outdated();
            }
            wakeUp();
        });
        thread.start();
    }

    private synchronized void wakeUp() {
        isWoken = true;
        notifyAll();
    }

    // ---- the thread of the shard ----

    private void run() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = !isOver(); // one whole step after that closes what is open
            long nanos = PAUSE_NANOS;
            try {
                nanos = host.step();
                goesOn &= !stepEnded();
                if (goesOn) {
                    report.update(host.epoch());
                }
            } catch (Throwable e) {
                log(e);
            }
            if (goesOn) {
                pause(nanos);
            }
        }
        ended();
    }

    /** Whether none must follow. */
    private synchronized boolean stepEnded() {
        hasLeft = host.hasLeft();
        isClosing = host.isClosing();
        notifyAll();
        return hasLeft;
    }

    private void log(Throwable failure) {
        try {
            LOG.error("shard {}: its thread goes on after a failure", shard, failure);
        } catch (Throwable e) {
            // There is no memory for a line; the next step may have some.
        }
    }

    private synchronized void pause(long nanos) {
        long startNanos = System.nanoTime();
        isBusy = false;
        while (!isWoken) {
            long leftNanos = nanos - (System.nanoTime() - startNanos);
            if (leftNanos <= 0) {
                break;
            }
            await(leftNanos);
        }
        isWoken = false;
        isBusy = true;
        busySinceNanos = System.nanoTime();
    }

    /** For so long at most. */
    private synchronized void await(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            wasInterrupted = true; // nobody interrupts the thread of the shard
        }
    }

    private synchronized boolean isOver() {
        return isOver;
    }

    private synchronized void ended() {
        hasEnded = true;
        notifyAll();
    }

    // ---- the end ----

    @Override
    public void close() throws IOException {
        boolean isInterrupted = Thread.interrupted();
        long startNanos = System.nanoTime();
        host.release();
        wakeUp();
        if (!awaitLeft(startNanos)) {
            LOG.warn("shard {}: the registry does not answer; others take the shard when they miss this one", shard);
        }
        try {
            end();
        } finally {
            if (!awaitEnd(startNanos)) {
                LOG.warn("shard {}: an opening or closing still runs, and is left", shard);
            }
            if (wasInterrupted() || isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized boolean wasInterrupted() {
        boolean was = wasInterrupted;
        wasInterrupted = false;
        return was;
    }

    private synchronized boolean awaitLeft(long startNanos) {
        while (!hasLeft) {
            long nanos = startNanos + patienceWithLeaving(startNanos) - System.nanoTime();
            if (nanos <= 0) {
                return false;
            }
            await(nanos);
        }
        return true;
    }

    /** From the start on: as long as there is something to wait for, and then a little. */
    private long patienceWithLeaving(long startNanos) {
        long nanos;
        if (isBusy) {
            nanos = busySinceNanos - startNanos;
        } else if (isClosing && !tasks.isIdle()) {
            nanos = stuckNanos; // the host leaves without a closing that is stuck
        } else {
            nanos = tasks.lastEndNanos() - startNanos;
        }
        return Math.max(0, Math.min(nanos, stuckNanos)) + patienceNanos;
    }

    private void end() throws IOException {
        synchronized (this) {
            isOver = true;
        }
        wakeUp();
        registry.close();
    }

    private synchronized boolean awaitEnd(long startNanos) {
        long now = System.nanoTime();
        long nanos = Math.max(startNanos + TASK_PATIENCES * patienceNanos - now, patienceNanos);
        while (!hasEnded || !tasks.isIdle()) {
            long leftNanos = nanos - (System.nanoTime() - now);
            if (leftNanos <= 0) {
                return false;
            }
            await(leftNanos);
        }
        return true;
    }
}
