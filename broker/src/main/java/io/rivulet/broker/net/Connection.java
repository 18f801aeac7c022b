package io.rivulet.broker.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.DecoderException;
import io.rivulet.broker.api.Call;
import io.rivulet.broker.api.Dispatcher;
import io.rivulet.broker.api.Request;
import io.rivulet.broker.config.Listener;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.store.failure.FailureLatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of the pipeline: starts calls, and sends their answers in the order in which the requests came.
 *
 * <p>Memory for each client is bounded, as reading stops when one of these holds, until none does: so many calls are under way; a
 * call is under way that is large, or whose answer may be, as of a fetch; the client does not read its answers; the store has no room for what is being
 * produced. What was read before that waits in the inbox: the frames of one read of the socket.
 *
 * <p>Owned by: the event loop of the connection.
 */
final class Connection extends ChannelInboundHandlerAdapter implements Call.Origin {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int MAX_CALLS = 64;

    private final Dispatcher dispatcher;
    private final Listener listener;
    private final FailureLatch failures;
    private final Deque<Request> inbox = new ArrayDeque<>();
    private final Deque<Call> calls = new ArrayDeque<>();
    private int pauses;
    private int longCalls;
    private boolean starting;
    private @Nullable ChannelHandlerContext context;

    Connection(Dispatcher dispatcher, Listener listener, FailureLatch failures) {
        this.dispatcher = dispatcher;
        this.failures = failures;
        this.listener = listener;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext newContext) {
        context = newContext;
    }

    // ---- requests ----

    @Override
    public void channelRead(ChannelHandlerContext ignored, Object message) {
        inbox.add((Request) message);
        startWhatMay();
    }

    private void startWhatMay() {
        if (starting) {
            return; // a call that was answered while it was being started
        }
        starting = true;
        while (mayStart() && !inbox.isEmpty()) {
            start(inbox.remove());
        }
        starting = false;
        context().channel().config().setAutoRead(inbox.isEmpty() && mayStart());
    }

    private boolean mayStart() {
        return calls.size() < MAX_CALLS
                && longCalls == 0
                && pauses == 0
                && context().channel().isWritable();
    }

    private void start(Request request) {
        Call call = new Call(request, this);
        calls.add(call);
        longCalls += call.isLong() ? 1 : 0;
        try {
            dispatcher.dispatch(call);
        } catch (RuntimeException e) {
            call.drop();
            throw e; // and the connection is closed
        }
    }

    // ---- answers ----

    @Override
    public void ended(Call call) {
        longCalls -= call.isLong() ? 1 : 0;
        boolean any = false;
        for (Call first = calls.peek(); first != null && first.hasEnded(); first = calls.peek()) {
            calls.remove();
            any |= send(first);
        }
        if (any) {
            context().flush();
        }
        startWhatMay();
    }

    private boolean send(Call call) {
        if (call.response() == null) {
            return false;
        }
        context().write(Response.to(call)).addListener(written -> written(call, written.cause()));
        return true;
    }

    private void written(Call call, @Nullable Throwable failure) {
        try {
            call.gone();
        } catch (Throwable e) {
            failures.fail(e); // Netty would only log it, and memory of answers would be lost for good
        }
        failures.failIfError(failure);
        if (failure != null && context().channel().isActive()) {
            exceptionCaught(context(), failure);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        startWhatMay();
        changed.fireChannelWritabilityChanged();
    }

    // ---- what calls ask ----

    @Override
    public EventLoop eventLoop() {
        return context().channel().eventLoop();
    }

    @Override
    public ByteBufAllocator allocator() {
        return context().alloc();
    }

    @Override
    public Call.Endpoint advertised() {
        int port = listener.advertisedPort() != 0
                ? listener.advertisedPort()
                : ((InetSocketAddress) context().channel().localAddress()).getPort();
        return new Call.Endpoint(listener.advertisedHost(), port);
    }

    @Override
    public String clientHost() {
        return context().channel().remoteAddress() instanceof InetSocketAddress remote && remote.getAddress() != null
                ? "/" + remote.getAddress().getHostAddress()
                : "";
    }

    @Override
    public boolean isOpen() {
        return context().channel().isActive();
    }

    @Override
    public void pause() {
        pauses++;
    }

    @Override
    public void resume() {
        pauses--;
        startWhatMay();
    }

    @Override
    public void close(String reason) {
        LOG.warn("Closing the connection from {}: {}", context().channel().remoteAddress(), reason);
        ChannelFuture unused = context().close();
    }

    // ---- the end ----

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
        inbox.forEach(request -> request.frame().release());
        inbox.clear();
        closed.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable thrown) {
        failures.failIfError(thrown);
        Throwable cause = thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof MalformedRequestException
                || cause instanceof RejectedRequestException
                || cause instanceof DecoderException) {
            LOG.warn("Closing the connection from {}: {}", failed.channel().remoteAddress(), cause.getMessage());
        } else if (cause instanceof IOException) {
            LOG.debug("Connection from {} broke: {}", failed.channel().remoteAddress(), cause.getMessage());
        } else {
            LOG.error("Closing the connection from {}", failed.channel().remoteAddress(), cause);
        }
        ChannelFuture unused = failed.close();
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context);
    }
}
