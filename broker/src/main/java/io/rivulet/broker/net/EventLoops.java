package io.rivulet.broker.net;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Event loops that fail the broker with an {@link Error}. Netty logs what a task throws and goes on, and an Error in the handling of
 * a socket ends the loop: in both cases connections would hang. Thread-safe.
 */
final class EventLoops extends MultiThreadIoEventLoopGroup {
    EventLoops(int threads, FailureLatch failures) {
        super(
                threads,
                new DefaultThreadFactory("event-loop", Thread.MAX_PRIORITY),
                NioIoHandler.newFactory(),
                failures);
    }

    /** Called by the constructor of the superclass, so the latch comes as an argument. */
    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory ioHandlers, Object... arguments) {
        return new Loop(this, executor, ioHandlers, (FailureLatch) arguments[0]);
    }

    private static final class Loop extends SingleThreadIoEventLoop {
        private final FailureLatch failures;

        Loop(IoEventLoopGroup group, Executor executor, IoHandlerFactory ioHandlers, FailureLatch failures) {
            super(group, executor, ioHandlers);
            this.failures = failures;
        }

        @Override
        protected void run() {
            try {
                super.run();
            } catch (Throwable e) {
                failures.fail(e);
                throw e;
            }
        }

        @Override
        public void execute(Runnable task) {
            super.execute(() -> runTask(task, failures));
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            return super.schedule(() -> runTask(task, failures), delay, unit);
        }

        private static void runTask(Runnable task, FailureLatch failures) {
            try {
                task.run();
            } catch (Throwable e) {
                failures.failIfError(e);
                throw e;
            }
        }
    }
}
