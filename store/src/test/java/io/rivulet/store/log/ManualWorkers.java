package io.rivulet.store.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Work waits until it is told to run, so a test decides what overlaps with what, in one thread. A worker that somebody
 * waits for must be {@link #eager}: its work then runs within the signal.
 */
final class ManualWorkers implements Workers {
    private final List<ManualWorker> workers = new ArrayList<>();
    private final String manualName;

    /** Only the worker of this name waits; the others run their work within the signal. */
    ManualWorkers(String manualName) {
        this.manualName = manualName;
    }

    @Override
    public Worker start(String name, Runnable work) {
        ManualWorker worker = new ManualWorker(work, !name.equals(manualName));
        workers.add(worker);
        return worker;
    }

    /** Runs what has been signalled since the last time. */
    void runPending() {
        workers.forEach(ManualWorker::runPending);
    }

    /** From now on everything runs within its signal: before a force or a close, which wait. */
    void eager() {
        workers.forEach(worker -> worker.eager = true);
        runPending();
    }

    private static final class ManualWorker implements Worker {
        private final Runnable work;
        private boolean eager;
        private boolean pending;

        ManualWorker(Runnable work, boolean eager) {
            this.work = work;
            this.eager = eager;
        }

        @Override
        public void signal() {
            pending = true;
            if (eager) {
                runPending();
            }
        }

        void runPending() {
            if (pending) {
                pending = false;
                work.run();
            }
        }

        @Override
        public void close() {
            eager = false;
            pending = false;
        }
    }
}
