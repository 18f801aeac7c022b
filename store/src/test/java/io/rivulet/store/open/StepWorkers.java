package io.rivulet.store.open;

import io.rivulet.store.thread.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Runs all work of a store within the call that signals it, one piece after the other and never nested: when a call
 * returns, nothing is left to do. Work that the log waits for runs at once.
 */
final class StepWorkers implements Workers {
    private static final Set<String> WAITED_FOR = Set.of("log-io", "log-force", "log-segments");

    private final Set<String> eager;

    private final List<StepWorker> workers = new ArrayList<>();
    private boolean draining;
    private String held = "";

    StepWorkers() {
        this(WAITED_FOR);
    }

    private StepWorkers(Set<String> eager) {
        this.eager = eager;
    }

    /** The log writer has done what there is to do before maintenance looks again. */
    static StepWorkers withPromptWriter() {
        return new StepWorkers(Set.of("log-io", "log-force", "log-segments", "log-writer"));
    }

    /** This worker does nothing until another one is held. */
    void hold(String name) {
        held = name;
        drain();
    }

    @Override
    public Worker start(String name, Runnable work) {
        StepWorker worker = new StepWorker(name, work);
        workers.add(worker);
        return worker;
    }

    private void drain() {
        if (draining) {
            return;
        }
        draining = true;
        try {
            boolean any = true;
            while (any) {
                any = false;
                for (StepWorker worker : List.copyOf(workers)) {
                    any |= worker.runPending();
                }
            }
        } finally {
            draining = false;
        }
    }

    private final class StepWorker implements Worker {
        private final String name;
        private final Runnable work;
        private final boolean isEager;
        private boolean isRunning;
        private boolean pending;
        private boolean closed;

        StepWorker(String name, Runnable work) {
            this.name = name;
            this.work = work;
            this.isEager = eager.contains(name);
        }

        @Override
        public void signal() {
            pending = !closed;
            if (isEager) {
                boolean again = runPending();
                while (again) {
                    again = runPending();
                }
            } else {
                drain();
            }
        }

        private boolean runPending() {
            if (!pending || isRunning || name.equals(held)) {
                return false;
            }
            pending = false;
            isRunning = true;
            try {
                work.run();
            } finally {
                isRunning = false;
            }
            return true;
        }

        @Override
        public void close() {
            closed = true;
            pending = false;
        }
    }
}
