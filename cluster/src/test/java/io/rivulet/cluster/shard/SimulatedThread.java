package io.rivulet.cluster.shard;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A thread that runs only while {@link #resume} waits for it, so one thread decides the order of all of them. */
final class SimulatedThread {
    /** Ends the thread where it pauses; not an exception, so that nobody handles it. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final Semaphore go = new Semaphore(0);
    private final Semaphore paused = new Semaphore(0);
    private boolean dies;
    private boolean ended;
    private @Nullable Throwable failure;

    SimulatedThread(Runnable work) {
        Thread thread = new Thread(() -> run(work), "simulated");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Runnable work) {
        go.acquireUninterruptibly();
        try {
            if (!dies) {
                work.run();
            }
        } catch (Death e) {
            // It has died.
        } catch (Throwable e) {
            failure = e;
        }
        ended = true;
        paused.release();
    }

    /** Called by the thread itself. */
    void pause() {
        if (dies) {
            throw new Death(); // again: somebody has handled it
        }
        paused.release();
        go.acquireUninterruptibly();
        if (dies) {
            throw new Death();
        }
    }

    /** Runs it until it pauses or ends. */
    void resume() {
        if (ended) {
            return;
        }
        go.release();
        paused.acquireUninterruptibly();
        if (failure instanceof RuntimeException e) {
            throw e;
        } else if (failure instanceof Error e) {
            throw e;
        }
    }

    boolean hasEnded() {
        return ended;
    }

    boolean dies() {
        return dies;
    }

    void die() {
        dies = true;
        resume();
    }
}
