package io.rivulet.cluster.fake;

import io.rivulet.store.thread.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Runs signalled work when a test calls it, in an order that follows from a seed. */
public final class SteppedWorkers implements Workers {
    private final SplittableRandom random;
    private final List<Stepped> workers = new ArrayList<>();

    public SteppedWorkers(long seed) {
        this.random = new SplittableRandom(seed);
    }

    @Override
    public Worker start(String name, Runnable work) {
        Stepped worker = new Stepped(work);
        workers.add(worker);
        return worker;
    }

    /** Runs one piece of signalled work; false if there is none. */
    public boolean runOne() {
        List<Stepped> pending =
                workers.stream().filter(worker -> worker.pending).toList();
        if (pending.isEmpty()) {
            return false;
        }
        pending.get(random.nextInt(pending.size())).run();
        return true;
    }

    public void runAll() {
        while (runOne()) {
            // One after the other.
        }
    }

    private static final class Stepped implements Worker {
        private final Runnable work;
        private boolean pending;
        private boolean closed;

        Stepped(Runnable work) {
            this.work = work;
        }

        @Override
        public void signal() {
            pending = !closed;
        }

        void run() {
            pending = false;
            work.run();
        }

        @Override
        public void close() {
            if (pending) {
                run();
            }
            closed = true;
        }
    }
}
