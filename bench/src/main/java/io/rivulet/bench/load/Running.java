package io.rivulet.bench.load;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.RunningBroker;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Loads that run until they are closed, each on its own thread. Owned by: the command's thread. */
public final class Running implements AutoCloseable {
    /**
     * One load on one connection. {@link #close} ends it. {@link #run} throws when the broker fails. Owned by: its own
     * thread, except {@link #close} and {@link #isClosed}.
     *
     * @param <C> the kind of connection
     */
    public abstract static class Load<C extends Closeable> implements Runnable, Closeable {
        protected final C connection;
        private volatile boolean closed;

        protected Load(C connection) {
            this.connection = connection;
        }

        /** Runs until {@link #isClosed}. A failure after that is ignored. */
        protected abstract void load() throws IOException, BrokerFailedException;

        protected final boolean isClosed() {
            return closed;
        }

        @Override
        public final void run() {
            try {
                load();
            } catch (IOException | BrokerFailedException e) {
                if (!closed) {
                    throw new IllegalStateException(e.getMessage(), e);
                }
            }
        }

        @Override
        public final void close() throws IOException {
            closed = true;
            connection.close();
        }
    }

    private final RunningBroker broker;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Closeable> loads = new ArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    public Running(RunningBroker broker) {
        this.broker = broker;
    }

    public void start(Load<?> load) {
        loads.add(load);
        threads.execute(() -> {
            try {
                load.run();
                ended.complete(null);
            } catch (RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
    }

    /** Waits for this time. Throws if a load ends during it. */
    public void watch(int seconds) throws BrokerFailedException, IOException {
        watch(new CompletableFuture<>(), seconds);
    }

    /**
     * Waits for the event, but no longer than this time. Throws if a load ends during it. The caller checks whether the
     * event has happened.
     */
    public void watch(CompletableFuture<?> event, int seconds) throws BrokerFailedException, IOException {
        try {
            CompletableFuture.anyOf(ended, event).get(seconds, TimeUnit.SECONDS);
            if (!ended.isDone()) {
                return;
            }
            ended.get();
            throw new BrokerFailedException("a load ended early; the broker says: " + broker.complaint());
        } catch (TimeoutException e) {
            // no load has ended
        } catch (ExecutionException e) {
            throw new BrokerFailedException(e.getMessage() + "; the broker says: " + broker.complaint(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Closeable load : loads) {
            load.close();
        }
        threads.shutdownNow();
    }
}
