package io.rivulet.simulation;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The event loops of a broker; connections get them by turns. */
final class SimulatedLoops extends AbstractEventExecutorGroup implements EventLoopGroup {
    private final List<SimulatedLoop> loops;
    private int turn;

    SimulatedLoops(List<SimulatedLoop> loops) {
        this.loops = List.copyOf(loops);
    }

    List<SimulatedLoop> all() {
        return loops;
    }

    @Override
    public EventLoop next() {
        return loops.get(turn++ % loops.size());
    }

    @Override
    public Iterator<EventExecutor> iterator() {
        return loops.stream().map(EventExecutor.class::cast).iterator();
    }

    @Override
    public ChannelFuture register(Channel channel) {
        return next().register(channel);
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        return next().register(promise);
    }

    @Deprecated
    @Override
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        return next().register(channel, promise);
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        return next().terminationFuture();
    }

    @Override
    public Future<?> terminationFuture() {
        return next().terminationFuture();
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
        return true;
    }
}
