package io.rivulet.store.log.local;

import io.rivulet.store.thread.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Work runs only when the test calls it, so the test decides what overlaps, on one thread. A worker that is waited for
 * must be {@link #eager}: its work then runs within the signal.
 */
final class ManualWorkers implements Workers {
    private final List<ManualWorker> workers = new ArrayList<>();
    private final Set<String> manualNames;

    /** Only the workers of these names wait; the others run their work within the signal. */
    ManualWorkers(String... manualNames) {
        this.manualNames = Set.of(manualNames);
    }

    @Override
    public Worker start(String name, Runnable work) {
        ManualWorker worker = new ManualWorker(name, work, !manualNames.contains(name));
        workers.add(worker);
        return worker;
    }

    /** Runs what has been signalled since the last time. */
    void runPending() {
        workers.forEach(ManualWorker::runPending);
    }

    /** Runs what has been signalled to the worker of this name. */
    void runPending(String name) {
        workers.stream().filter(worker -> worker.name.equals(name)).forEach(ManualWorker::runPending);
    }

    /** From now on all work runs within its signal: needed before a force or a close, which wait. */
    void eager() {
        workers.forEach(worker -> worker.eager = true);
        runPending();
    }

    private static final class ManualWorker implements Worker {
        private final String name;
        private final Runnable work;
        private boolean eager;
        private boolean pending;

        ManualWorker(String name, Runnable work, boolean eager) {
            this.name = name;
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
