package io.rivulet.broker.net;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.ScheduledFuture;
import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Event loops that fail the broker on an {@link Error}. Netty only logs an Error of a task, and an Error while a socket
 * is handled ends the loop. In both cases connections would hang. A loop starts its thread with its first task.
 * Thread-safe.
 */
public final class EventLoops extends MultiThreadIoEventLoopGroup implements AutoCloseable {
    static final long CLOSE_SECONDS = 5;

    public EventLoops(String name, int threads, Transport transport, FailureLatch failures) {
        super(threads, threadFactory(name, failures), transport.handlers(), failures);
    }

    /** Unlike Netty's factory, it does not count the factories of the process in a thread's name. */
    @SuppressWarnings("ThreadPriorityCheck") // as in Netty: nothing relies on it
    private static ThreadFactory threadFactory(String name, FailureLatch failures) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new FastThreadLocalThread(task, name + "-" + number.incrementAndGet());
            thread.setPriority(Thread.MAX_PRIORITY);
            failures.watch(thread);
            return thread;
        };
    }

    /** Called by the constructor of the superclass, so the latch is passed as an argument. */
    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory ioHandlers, Object... arguments) {
        return new Loop(this, executor, ioHandlers, (FailureLatch) arguments[0]);
    }

    /** The work in progress ends first. */
    @Override
    public void close() {
        boolean ended = shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(2 * CLOSE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            throw new IllegalStateException("an event loop does not end");
        }
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
