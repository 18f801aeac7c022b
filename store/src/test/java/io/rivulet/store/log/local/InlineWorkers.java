package io.rivulet.store.log.local;

import io.rivulet.store.thread.Workers;

/** Runs the work within the signal, so that everything happens on one thread and in one order. */
final class InlineWorkers implements Workers {
    @Override
    public Worker start(String name, Runnable work) {
        return new InlineWorker(work);
    }

    private static final class InlineWorker implements Worker {
        private final Runnable work;
        private boolean closed;

        InlineWorker(Runnable work) {
            this.work = work;
        }

        @Override
        public void signal() {
            if (!closed) {
                work.run();
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
