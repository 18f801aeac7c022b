package io.rivulet.simulation;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.thread.Workers;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An event loop that runs some of its tasks when the simulation calls it. */
final class SimulatedLoop extends AbstractScheduledEventExecutor implements EventLoop {
    private static final int TASKS_IN_A_ROW = 4;

    private final SimulatedTime time;
    private final FailureLatch failures;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Workers.Worker worker;
    private boolean running;

    SimulatedLoop(String name, SimulatedTime time, Workers workers, FailureLatch failures) {
        this.time = time;
        this.failures = failures;
        this.worker = workers.start(name, this::run);
    }

    private void run() {
        running = true;
        try {
            for (Runnable due = pollScheduledTask(time.nanos()); due != null; due = pollScheduledTask(time.nanos())) {
                tasks.add(due);
            }
            for (int left = TASKS_IN_A_ROW; left > 0 && !tasks.isEmpty(); left--) {
                runOne(tasks.remove());
            }
        } finally {
            running = false;
        }
        if (!tasks.isEmpty()) {
            worker.signal();
        }
    }

    /** As the broker's own loops: an Error fails the broker, and an exception is logged. */
    private void runOne(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            failures.fail(e);
        }
    }

    /** Signals itself if a timer is due. */
    void wakeIfDue() {
        if (hasScheduledTasks()) {
            worker.signal();
        }
    }

    /** When the next timer is due; {@link Long#MAX_VALUE} without one. */
    long nextDueNanos() {
        long next = nextScheduledTaskDeadlineNanos();
        return next < 0 ? Long.MAX_VALUE : next;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        worker.signal();
    }

    @Override
    public boolean inEventLoop() {
        return running;
    }

    @Override
    public boolean inEventLoop(@Nullable Thread thread) {
        return running;
    }

    @Override
    public Ticker ticker() {
        return new Ticker() {
            @Override
            public long initialNanoTime() {
                return 0;
            }

            @Override
            public long nanoTime() {
                return time.nanos();
            }

            @Override
            public void sleep(long delay, TimeUnit unit) {
                throw new UnsupportedOperationException("an event loop does not sleep");
            }
        };
    }

    @Override
    @SuppressWarnings("deprecation") // the only seam to the time of scheduled tasks
    protected long getCurrentTimeNanos() {
        return time.nanos();
    }

    @Override
    public EventLoop next() {
        return this;
    }

    @Override
    public @Nullable EventLoopGroup parent() {
        return null;
    }

    @Override
    public ChannelFuture register(Channel channel) {
        return register(new DefaultChannelPromise(channel, this));
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        promise.channel().unsafe().register(this, promise);
        return promise;
    }

    @Deprecated
    @Override
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        channel.unsafe().register(this, promise);
        return promise;
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        return newSucceededFuture(null);
    }

    @Override
    public Future<?> terminationFuture() {
        return newSucceededFuture(null);
    }

    @Deprecated
    @Override
    public void shutdown() {}

    @Override
    public boolean isShuttingDown() {
        return false;
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
