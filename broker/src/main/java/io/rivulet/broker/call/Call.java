package io.rivulet.broker.call;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request and the way back to its client. It ends once, by one of the answers; then the request's frame is released.
 *
 * <p>Owned by: the event loop of its connection. The answers may come from any thread.
 */
public final class Call {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);

    /** The connection that a call came from, on its event loop. */
    public interface Origin {
        EventLoop eventLoop();

        ByteBufAllocator allocator();

        /** What clients of this listener are told to connect to. */
        Endpoint advertised();

        /** Where the client is, as Kafka writes it. */
        String clientHost();

        /** False when the client has gone. Any thread. */
        boolean isOpen();

        /** The call has its answer; those of earlier calls go first. */
        void ended(Call call);

        /** Starts no further call until {@link #resume} has been called as often. */
        void pause();

        void resume();

        void close(String reason);
    }

    /** A host and a port. */
    public record Endpoint(String host, int port) {}

    private final Request request;
    private final Origin origin;
    private @Nullable Message body;
    private ByteBuf frame;
    private @Nullable Message response;
    private List<ByteBuf> held = List.of();
    private Runnable whenGone = Call::nothing;
    private Runnable whenEnded;
    private @Nullable LongAnswers longAnswers;
    private boolean ended;
    /** The connection has written the answer, or {@link #giveUp} has freed it. */
    private boolean taken;

    public Call(Request request, Origin origin) {
        this.request = request;
        this.body = request.body();
        this.frame = request.frame();
        this.whenEnded = request.whenEnded();
        this.origin = origin;
    }

    public ApiKey key() {
        return request.route().key();
    }

    public Route route() {
        return request.route();
    }

    public short version() {
        return request.version();
    }

    public String clientId() {
        return request.clientId();
    }

    /** Whether its connection starts no other call meanwhile: the request is long, or its answer may be. */
    public boolean isExclusive() {
        return request.body() == null || !route().isPipelined();
    }

    public int correlationId() {
        return request.correlationId();
    }

    public boolean isDecoded() {
        return body != null;
    }

    Message body() {
        return Objects.requireNonNull(body, "the request is not decoded");
    }

    /** Runs the handler of its API. */
    public void handle() {
        route().handle(this);
    }

    /** What its frame held, which is kept only if the body borrows from it. By the thread that has the call. */
    void decoded(Message decoded, LongAnswers answers) {
        body = decoded;
        longAnswers = answers;
        if (!route().keepsFrame()) {
            replaceFrame(Unpooled.EMPTY_BUFFER);
        }
    }

    /** Runs once when the call has ended, after what others asked for before. By the thread that has the call. */
    public void whenEnded(Runnable more) {
        Runnable before = whenEnded;
        whenEnded = () -> {
            before.run();
            more.run();
        };
    }

    public ByteBuf frame() {
        return frame;
    }

    /** The call has another frame from here on, and owns it; the one before is released. */
    public void replaceFrame(ByteBuf other) {
        frame.release();
        frame = other;
    }

    public Origin origin() {
        return origin;
    }

    // ---- the answers ----

    /** To a long request the answer may be long as well: another thread encodes it. */
    public void answer(Message message) {
        LongAnswers answers = longAnswers;
        if (answers != null) {
            longAnswers = null;
            answers.answer(this, message);
        } else {
            answer(message, List.of());
        }
    }

    /** @param buffers what the message borrows from; they are the call's from here on */
    public void answer(Message message, List<ByteBuf> buffers) {
        answer(message, buffers, Call::nothing);
    }

    /** @param gone runs once the answer has been written, or never will be; on any thread */
    public void answer(Message message, List<ByteBuf> buffers, Runnable gone) {
        end(message, buffers, gone);
    }

    /** Answers that the thread of its handler has too much to do. The client comes again. */
    public void refuseAsBusy() {
        answer(route().refuse(this, route().busyError()));
    }

    /** For the one request that no client waits for: produce with acks=0. */
    public void answerNothing() {
        end(null, List.of(), Call::nothing);
    }

    private static void nothing() {}

    private void end(@Nullable Message message, List<ByteBuf> buffers, Runnable gone) {
        boolean here = origin.eventLoop().inEventLoop();
        if (here) {
            endHere(message, buffers, gone);
        } else if (!execute(() -> endFromElsewhere(message, buffers, gone))) {
            buffers.forEach(ByteBuf::release);
            gone.run();
            drop();
        }
    }

    /** Frees what the call holds, instead of an answer; for when its handler has failed, or its event loop has ended. */
    public void drop() {
        frame.release();
        runWhenEnded();
    }

    private void runWhenEnded() {
        Runnable actions = whenEnded;
        whenEnded = Call::nothing;
        actions.run();
    }

    /** Instead of an answer: frees what it holds, and closes its connection. */
    public void fail(String reason) {
        drop();
        onEventLoop(() -> origin.close(reason));
    }

    /** Its handler has failed, on whatever thread, before or after it answered: the connection is closed. */
    public void failed(RuntimeException e) {
        LOG.error("{} failed", key(), e);
        if (!execute(this::close)) {
            drop();
        }
    }

    private void close() {
        if (!ended) {
            ended = true; // an answer that still comes is too late
            drop();
        }
        origin.close("its request failed");
    }

    private void endFromElsewhere(@Nullable Message message, List<ByteBuf> buffers, Runnable gone) {
        try {
            endHere(message, buffers, gone);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void endHere(@Nullable Message message, List<ByteBuf> buffers, Runnable gone) {
        if (ended) {
            throw new IllegalStateException(key() + " was answered twice");
        }
        ended = true;
        response = message;
        held = buffers;
        whenGone = gone;
        frame.release();
        runWhenEnded();
        origin.ended(this);
    }

    /**
     * Runs the action on the connection's event loop, right now if this is it.
     *
     * @return false when the loop has ended, and with it the connection; the action does not run then
     */
    public boolean onEventLoop(Runnable action) {
        EventLoop loop = origin.eventLoop();
        if (loop.inEventLoop()) {
            action.run();
            return true;
        }
        return laterOnEventLoop(action);
    }

    /** As {@link #onEventLoop}, but never right now. */
    public boolean laterOnEventLoop(Runnable action) {
        return execute(() -> runHere(action));
    }

    private boolean execute(Runnable action) {
        try {
            origin.eventLoop().execute(action);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Netty would only log what the action throws, and the client would wait for ever. */
    private void runHere(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** The answer waits for its client, and others wait for the memory that it takes. Any thread. */
    public void giveUp() {
        laterOnEventLoop(() -> {
            if (origin.isOpen()) {
                origin.close("it does not read its answers, and others need the memory");
            }
            abandon();
        });
    }

    /** Frees an answer that waits for that of an earlier call, which may never come. */
    private void abandon() {
        if (ended && !taken) {
            held().forEach(ByteBuf::release);
            response = null;
            whenGone.run();
        }
    }

    // ---- for the connection ----

    public boolean hasEnded() {
        return ended;
    }

    /** Null when there is nothing to send. */
    public @Nullable Message response() {
        return response;
    }

    /** The answer has been written, or never will be. */
    public void gone() {
        whenGone.run();
    }

    /** Buffers that the response borrows from; whoever takes the response releases them. */
    public List<ByteBuf> held() {
        taken = true;
        return held;
    }
}
