package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Principal;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.Route.Lane;
import io.rivulet.broker.config.Listener;
import io.rivulet.broker.metrics.RequestTimes;
import io.rivulet.broker.quota.CallMeter;
import io.rivulet.broker.sasl.Login;
import io.rivulet.broker.sasl.Step;
import io.rivulet.broker.tls.ClientCertificate;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.MalformedRequestException;
import io.rivulet.protocol.wire.Message;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of the pipeline: starts calls, and sends their answers in the order of the requests. After some calls in a
 * row, other connections have their turn.
 *
 * <p>A request waits until the earlier ones are answered, unless all of them are in its {@link Route.Lane lane}. So it
 * sees what they have changed.
 *
 * <p>Memory for each client is bounded, because reading stops while one of these is true: {@link #MAX_CALLS} calls are
 * in progress; an {@link Call#isExclusive exclusive} call is in progress; a request waits; the client does not read its
 * answers; the store has no room for its records; the client exceeds a quota. Bytes that were already read are not
 * decoded then: at most one read of the socket.
 *
 * <p>Owned by: the event loop of the connection.
 */
final class Connection extends ChannelInboundHandlerAdapter implements Call.Origin {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int MAX_CALLS = 64;
    /** Long enough for a busy client to read an answer. */
    static final long CLOSE_SOON_MILLIS = 250;

    private final ServerContext server;
    private final Service service;
    private final Listener listener;
    private final @Nullable Login login;
    private final RequestDecoder decoder;
    private final ReadGate gate;
    private final LongestIdle.Activity activity;
    private final UnreadAnswers unread;
    private final @Nullable RequestTimes times;
    private final Deque<Call> calls = new ArrayDeque<>();
    /** Null before the first request. Read by any thread. */
    private volatile ConnectedClient.@Nullable Name client;
    /** Null before somebody asks. */
    private volatile @Nullable Access access;

    /** The lane of the calls in progress. */
    private Lane lane = Lane.ALONE;
    /** The request that waits for earlier calls. */
    private @Nullable Frame waiting;

    private int pauses;
    private int exclusiveCalls;
    private boolean starting;
    private final LoopTurn turn = LoopTurn.here();
    private int startedInTurn;
    private boolean turnIsOver;
    private @Nullable ChannelHandlerContext context;
    /** Null before the client exceeds a quota. */
    private @Nullable Throttle throttle;

    /** @param login null if the client does not log in */
    Connection(
            ServerContext server,
            Service service,
            Listener listener,
            @Nullable Login login,
            ReadGate gate,
            LongestIdle.Activity activity) {
        this.server = server;
        this.service = service;
        this.listener = listener;
        this.login = login;
        this.decoder = new RequestDecoder(service.routes());
        this.gate = gate;
        this.activity = activity;
        this.unread = new UnreadAnswers(server.answers(), this::giveUp);
        this.times = server.times();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext newContext) {
        context = newContext;
    }

    // ---- requests ----

    /** Called only while the {@link ReadGate} is open. */
    @Override
    public void channelRead(ChannelHandlerContext ignored, Object message) {
        if (startedInTurn == 0) {
            activity.requested(login == null || login.isLoggedIn());
        }
        Frame frame = (Frame) message;
        if (login != null && login.expectsRawToken()) {
            takeToken(frame, login);
        } else if (mayFollow(frame)) {
            startInTurn(frame);
        } else {
            frame.share().expect(); // while it waits, it may keep others waiting for the memory
            waiting = frame;
            startNextCalls();
        }
    }

    private boolean mayFollow(Frame frame) {
        return calls.isEmpty() || (lane != Lane.ALONE && lane == decoder.lane(frame));
    }

    private void startInTurn(Frame frame) {
        starting = true;
        start(frame);
        starting = false;
        turn.started(eventLoop());
        startedInTurn++;
        if (startedInTurn >= turn.callsInARow() && !turnIsOver) {
            turnIsOver = true;
            startLater(this::beginTurn);
        }
        startNextCalls();
    }

    private void startNextCalls() {
        if (starting) {
            return; // a call was answered while it was started
        }
        Frame next = waiting;
        if (next != null && calls.isEmpty() && mayStart() && isOpen()) {
            waiting = null;
            next.share().arrived();
            startInTurn(next);
        } else {
            gate.set(ReadGate.CALLS, next == null && mayStart());
        }
    }

    private boolean mayStart() {
        return !turnIsOver
                && calls.size() < maxCalls()
                && exclusiveCalls == 0
                && pauses == 0
                && (throttle == null || !throttle.isOn())
                && context().channel().isWritable()
                && unread.mayAdd(() -> startLater(unread::mayAskAgain));
    }

    /** Calls that start together exceed a quota together. So a client that had to wait has one at a time. */
    private int maxCalls() {
        boolean waited = throttle != null && throttle.wasOnLately();
        return waited || server.requests().isTight() ? 1 : MAX_CALLS;
    }

    private void beginTurn() {
        startedInTurn = 0;
        turnIsOver = false;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext read) {
        if (!turnIsOver) {
            beginTurn();
        }
        read.fireChannelReadComplete();
    }

    /** Starts further calls after the other tasks of the event loop. Any thread. */
    private void startLater(Runnable before) {
        EventLoop loop = eventLoop();
        if (!loop.isShuttingDown()) {
            loop.execute(() -> {
                before.run();
                startNextCalls();
            });
        }
    }

    private void start(Frame frame) {
        Request request;
        int requestBytes = frame.bytes().readableBytes();
        boolean metered = service.quotas().areActive();
        long startNanos = metered ? System.nanoTime() : 0;
        try {
            if (login != null) {
                requireLogin(login, frame.bytes());
            }
            request = decoder.decode(frame);
        } catch (RuntimeException e) {
            frame.release();
            exceptionCaught(context(), e);
            return;
        }
        if (ConnectedClient.Name.isNews(client, request)) {
            client = ConnectedClient.Name.of(request);
        }
        Call call = new Call(request, this);
        server.slow().started(call, requestBytes);
        if (times != null) {
            call.startedAt(times.now());
        }
        if (metered) {
            call.meter(service.quotas().meter(access().principal(), call.clientId(), requestBytes));
        }
        lane = request.route().lane();
        calls.add(call);
        exclusiveCalls += call.isExclusive() ? 1 : 0;
        try {
            if (call.isDecoded()) {
                call.handle();
            } else {
                service.longRequests().decode(call);
            }
        } catch (RuntimeException e) {
            if (!call.hasEnded()) {
                call.discard();
            }
            exceptionCaught(context(), e);
        }
        CallMeter meter = call.meter();
        if (meter != null) {
            meter.worked(System.nanoTime() - startNanos);
        }
    }

    // ---- the login ----

    private static void requireLogin(Login login, ByteBuf request) {
        String refusal = login.refusal(request.getShort(request.readerIndex()), request.readableBytes());
        if (refusal != null) {
            throw new RejectedRequestException(refusal);
        }
    }

    /** A token without a header, after SaslHandshake of version 0. The answer has none either. */
    private void takeToken(Frame frame, Login of) {
        byte[] token = new byte[frame.bytes().readableBytes()];
        frame.bytes().readBytes(token);
        frame.release();
        pauses++;
        startNextCalls();
        of.token(token, step -> onEventLoop(() -> answerToken(of.take(step), of)));
    }

    private void answerToken(Step step, Login of) {
        String refusal = step.refusal();
        if (refusal != null) {
            onEventLoopLater(() -> close("login failed: " + refusal), of.failureDelayMillis());
            return;
        }
        int bytes = step.token().length;
        ByteBuf answer = context().alloc().ioBuffer(Integer.BYTES + bytes);
        answer.writeInt(bytes).writeBytes(step.token());
        ChannelFuture unused = context().writeAndFlush(answer);
        loggedIn(of);
        resume();
    }

    private void onEventLoop(Runnable action) {
        EventLoop loop = eventLoop();
        if (loop.inEventLoop()) {
            action.run();
        } else if (!loop.isShuttingDown()) {
            loop.execute(action);
        }
    }

    private void onEventLoopLater(Runnable action, long millis) {
        if (!eventLoop().isShuttingDown()) {
            var unused = eventLoop().schedule(action, millis, TimeUnit.MILLISECONDS);
        }
    }

    private void loggedIn(Login of) {
        if (of.isLoggedIn()) {
            activity.requested(true);
            access = null; // it was that of a client that nobody knows
        }
    }

    private void countTowardsLogin(Call call, Message answer, Login of) {
        if (call.key() == ApiKey.API_VERSIONS && answer.errorCode() == 0) {
            of.versionsAnswered();
        } else if (call.key() == ApiKey.SASL_AUTHENTICATE) {
            loggedIn(of);
        }
    }

    @Override
    public @Nullable Login login() {
        return login;
    }

    // ---- descriptions ----

    /** Any thread. */
    ConnectedClient describe(Channel channel) {
        ConnectedClient.Name known = client;
        ConnectedClient.Name name = known == null ? ConnectedClient.Name.UNKNOWN : known;
        String address = channel.remoteAddress() instanceof InetSocketAddress remote && remote.getAddress() != null
                ? remote.getAddress().getHostAddress() + ":" + remote.getPort()
                : "";
        String user = login != null && login.isLoggedIn() ? login.principal().name() : "";
        return new ConnectedClient(
                listener.name(), address, user, name.id(), name.software(), name.version(), activity.idleMillis());
    }

    // ---- answers ----

    @Override
    public void ended(Call call) {
        exclusiveCalls -= call.isExclusive() ? 1 : 0;
        boolean any = false;
        for (Call first = calls.peek(); first != null && first.hasEnded(); first = calls.peek()) {
            calls.remove();
            CallMeter meter = first.meter();
            any |= meter == null ? send(first) : sendMetered(first, meter);
            if (first.waitMillis() > 0 && isOpen()) {
                throttle(first);
            }
        }
        if (any) {
            context().flush();
        }
        startNextCalls();
    }

    /** The time to send counts, unless it is a part of the time to start a call. */
    private boolean sendMetered(Call call, CallMeter meter) {
        long startNanos = System.nanoTime();
        boolean sent = send(call);
        if (!starting) {
            meter.worked(System.nanoTime() - startNanos);
        }
        return sent;
    }

    private void throttle(Call call) {
        if (call.isHeld()) {
            service.quotas().heldForSpace(call.waitMillis());
        }
        Throttle known = throttle;
        if (known == null) {
            known = new Throttle(service.quotas(), eventLoop(), this::startNextCalls);
            throttle = known;
        }
        known.begin(call.waitMillis());
    }

    private boolean send(Call call) {
        if (!service.rule().allows(call.key())) {
            call.withdraw();
            close("this broker may have lost what it would answer from");
        }
        Message message = call.take();
        call.settle(message);
        if (message == null) {
            server.slow().ended(call, context().channel().remoteAddress(), 0);
            countEnd(call);
            return false;
        }
        countError(call, message);
        if (login != null) {
            countTowardsLogin(call, message, login);
        }
        Response response = new Response(call, message);
        int gatheredBytes = call.timing() == null ? 0 : message.gatheredBytes();
        ChannelFuture writing = context().write(response); // encodes it
        int bytes = response.copiedBytes();
        unread.add(bytes);
        writing.addListener(written -> {
            unread.remove(bytes);
            countEnd(call);
            written(call, written.cause());
            server.slow().ended(call, context().channel().remoteAddress(), bytes + gatheredBytes);
        });
        return true;
    }

    private void countEnd(Call call) {
        if (times != null) {
            times.ended(call.key(), call.startedNanos());
        }
    }

    private void countError(Call call, Message answer) {
        if (times != null && answer.errorCode() != 0) {
            times.failed(call.key(), answer.errorCode());
        }
    }

    private void written(Call call, @Nullable Throwable failure) {
        try {
            call.written();
        } catch (Throwable e) {
            // Netty would only log it, and the memory of the answer would never be released.
            server.failures().fail(e);
        }
        server.failures().failIfError(failure);
        if (failure != null && context().channel().isActive()) {
            exceptionCaught(context(), failure);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
        startNextCalls();
        changed.fireChannelWritabilityChanged();
    }

    // ---- for calls ----

    @Override
    public EventLoop eventLoop() {
        return context().channel().eventLoop();
    }

    @Override
    public ByteBufAllocator allocator() {
        return context().alloc();
    }

    @Override
    public String listenerName() {
        return listener.name();
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
    public Access access() {
        Access known = access;
        if (known == null) {
            String host = clientHost();
            known = service.security().accessControl().of(principal(), host.isEmpty() ? host : host.substring(1));
            access = known;
        }
        return known;
    }

    private Principal principal() {
        if (login != null) {
            return login.principal();
        }
        Principal shown = listener.tls() == null
                ? null
                : ClientCertificate.principal(context().channel());
        return shown == null ? Principal.ANONYMOUS : shown;
    }

    @Override
    public boolean isOpen() {
        return context().channel().isActive();
    }

    @Override
    public void whenClosed(Runnable action) {
        context().channel().closeFuture().addListener(closed -> action.run());
    }

    @Override
    public void pause() {
        pauses++;
    }

    @Override
    public void resume() {
        pauses--;
        startNextCalls();
    }

    private void giveUp() {
        EventLoop loop = eventLoop();
        if (!loop.isShuttingDown()) {
            loop.execute(() -> {
                if (isOpen()) {
                    close("the client does not read its answers, and other clients need the memory");
                }
            });
        }
    }

    @Override
    public void close(String reason) {
        server.closings().refused(context().channel().remoteAddress(), reason);
        ChannelFuture unused = context().close();
    }

    @Override
    public void closeSoon(String reason) {
        if (isOpen()) {
            pause();
            startNextCalls();
            server.closings().refused(context().channel().remoteAddress(), reason);
            onEventLoopLater(() -> context().close(), CLOSE_SOON_MILLIS);
        }
    }

    // ---- the end ----

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
        if (waiting != null) {
            waiting.release();
            waiting = null;
        }
        if (throttle != null) {
            throttle.cancel();
        }
        unread.stopWaiting();
        closed.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable thrown) {
        server.failures().failIfError(thrown);
        Throwable cause = thrown instanceof DecoderException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof MalformedRequestException
                || cause instanceof RejectedRequestException
                || cause instanceof DecoderException) {
            server.closings().refused(failed.channel().remoteAddress(), String.valueOf(cause.getMessage()));
        } else if (cause instanceof SSLException) {
            String reason = cause instanceof NotSslRecordException ? "the client speaks no TLS" : cause.getMessage();
            server.closings().refused(failed.channel().remoteAddress(), "TLS: " + reason);
        } else if (cause instanceof IOException) {
            LOG.debug("Connection from {} broke: {}", failed.channel().remoteAddress(), cause.getMessage());
        } else {
            server.closings().failed(failed.channel().remoteAddress(), cause);
        }
        ChannelFuture unused = failed.close();
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context);
    }
}
