package io.rivulet.simulation;

import io.rivulet.broker.environment.Repeated;
import io.rivulet.broker.environment.Repeater;
import io.rivulet.broker.environment.Threads;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.simulation.SimulatedWorkers;
import io.rivulet.store.thread.Workers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The threads of a broker as workers that the simulation calls. */
final class SimulatedThreads implements Threads {
    private final SimulatedWorkers workers;
    private final SimulatedTime time;
    private final List<SimulatedRepeater> repeaters = new ArrayList<>();
    private int inDiskWork;

    SimulatedThreads(SimulatedWorkers workers, SimulatedTime time) {
        this.workers = workers;
        this.time = time;
    }

    /**
     * Whether a task of an executor is under way. Nothing else starts during its I/O: it uses buffers of its thread,
     * which all threads of the simulation share.
     */
    boolean isInExecutor() {
        return inDiskWork > 0;
    }

    /** Wakes what has a timer that is due. */
    void wakeDue() {
        for (SimulatedRepeater repeater : repeaters) {
            if (repeater.nextDueNanos() <= time.nanos()) {
                repeater.wake();
            }
        }
    }

    long nextDueNanos() {
        return repeaters.stream()
                .mapToLong(SimulatedRepeater::nextDueNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    @Override
    public ExecutorService executor(String name, FailureLatch failures, Supplier<ExecutorService> own) {
        return new SimulatedExecutor(name, failures);
    }

    @Override
    public Repeater repeater(String name, FailureLatch failures, Repeated work) {
        SimulatedRepeater repeater = new SimulatedRepeater(name, failures, work);
        repeaters.add(repeater);
        return repeater;
    }

    /** Others work until the result is there. If none has work, time passes, because a failure may end the wait. */
    @Override
    public boolean await(CompletableFuture<?> result, long millis) {
        while (!result.isDone() && workers.runOne()) {
            time.pass(1_000);
        }
        if (!result.isDone()) {
            time.pass(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        return result.isDone();
    }

    private final class SimulatedRepeater implements Repeater {
        private final FailureLatch failures;
        private final Repeated work;
        private final Workers.Worker worker;
        private boolean started;
        private boolean ended;

        SimulatedRepeater(String name, FailureLatch failures, Repeated work) {
            this.failures = failures;
            this.work = work;
            this.worker = workers.start(name, this::run);
        }

        @Override
        public void start() {
            started = true;
            failures.onFailure(this::wake);
            wake();
        }

        private void run() {
            if (!started || ended) {
                return;
            }
            try {
                if (!work.isOver() && work.round()) {
                    wake();
                }
            } catch (RuntimeException | Error e) {
                failures.fail(e);
            }
            if (work.isOver()) {
                ended = true;
                work.ended();
            }
        }

        long nextDueNanos() {
            long left = started && !ended ? work.nanosToNextRound() : Long.MAX_VALUE;
            return left == Long.MAX_VALUE ? left : time.nanos() + left;
        }

        @Override
        public void wake() {
            worker.signal();
        }

        @Override
        public boolean hasEnded() {
            return ended;
        }

        @Override
        public void close() {
            run();
        }
    }

    private final class SimulatedExecutor extends AbstractExecutorService {
        private final FailureLatch failures;
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private final Workers.Worker worker;
        private boolean closed;

        SimulatedExecutor(String name, FailureLatch failures) {
            this.failures = failures;
            this.worker = workers.start(name, this::run);
        }

        private void run() {
            Runnable task = tasks.poll();
            if (task != null) {
                inDiskWork++;
                failures.guarded(task).run();
                inDiskWork--;
            }
            if (!tasks.isEmpty()) {
                worker.signal();
            }
        }

        @Override
        public void execute(Runnable task) {
            if (closed) {
                throw new RejectedExecutionException("closed");
            }
            tasks.add(task);
            worker.signal();
        }

        @Override
        public void shutdown() {
            closed = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            closed = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return closed;
        }

        @Override
        public boolean isTerminated() {
            return closed && tasks.isEmpty();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            while (!tasks.isEmpty()) {
                run();
            }
            return true;
        }
    }
}
