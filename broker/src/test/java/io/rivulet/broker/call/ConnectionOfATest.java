package io.rivulet.broker.call;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.rivulet.broker.access.Access;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The origin of calls, with an event loop and without a socket: answers are not read. Thread-safe. */
public final class ConnectionOfATest implements Call.Origin {
    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final List<Call> answered = new CopyOnWriteArrayList<>();
    private final List<String> closed = new CopyOnWriteArrayList<>();

    private volatile Access access = Access.UNLIMITED;

    private volatile String listenerName = "PLAINTEXT";

    public void listenerName(String name) {
        listenerName = name;
    }

    public void access(Access newAccess) {
        access = newAccess;
    }

    List<Call> answered() {
        return answered;
    }

    /** The reasons for which the connection was closed. */
    List<String> closed() {
        return closed;
    }

    /** Returns when the call has ended. */
    public void awaitAnswer(Call call) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        synchronized (answered) {
            while (!answered.contains(call) && closed.isEmpty() && System.nanoTime() < deadlineNanos) {
                answered.wait(100);
            }
        }
        if (!answered.contains(call)) {
            throw new AssertionError(call.key() + " has no answer; closed: " + closed);
        }
    }

    /** Returns when the event loop has run all tasks so far. */
    public void settle() throws Exception {
        loop.submit(() -> {}).get(10, TimeUnit.SECONDS);
        loop.submit(() -> {}).get(10, TimeUnit.SECONDS);
    }

    public void close() throws InterruptedException {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS);
    }

    @Override
    public EventLoop eventLoop() {
        return loop;
    }

    @Override
    public ByteBufAllocator allocator() {
        return UnpooledByteBufAllocator.DEFAULT;
    }

    @Override
    public String listenerName() {
        return listenerName;
    }

    @Override
    public Call.Endpoint advertised() {
        return new Call.Endpoint("localhost", 9092);
    }

    @Override
    public String clientHost() {
        return "";
    }

    @Override
    public Access access() {
        return access;
    }

    @Override
    public boolean isOpen() {
        return closed.isEmpty();
    }

    @Override
    public void ended(Call call) {
        synchronized (answered) {
            answered.add(call);
            answered.notifyAll();
        }
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public void close(String reason) {
        closed.add(reason);
    }
}
