package io.rivulet.cluster.fake;

import io.rivulet.store.thread.Workers;

/** Runs the work within the signal. */
public final class InlineWorkers implements Workers {
    @Override
    public Worker start(String name, Runnable work) {
        return new Worker() {
            private boolean closed;

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
        };
    }
}
