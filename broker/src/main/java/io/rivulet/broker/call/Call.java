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
 * A request and the way back to its client. It has three exits, of which one is taken, once: {@link #answer}, {@link #discard} and {@link
 * #fail}. Then the request's frame and memory are freed.
 *
 * <pre>
 * OPEN      -- answer  --> ANSWERED   waits for the answers of earlier calls
 * OPEN      -- discard --> DISCARDED  there is nothing to send
 * OPEN      -- fail    --> FAILED     the connection is closed; an answer that still comes is freed
 * ANSWERED  -- take    --> TAKEN      the connection writes the answer
 * ANSWERED  -- giveUp  --> DISCARDED  the connection is closed, and the answer is freed
 * </pre>
 *
 * <p>Owned by: the event loop of its connection. The exits may be taken on any thread.
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

    private enum State {
        OPEN,
        ANSWERED,
        TAKEN,
        DISCARDED,
        FAILED
    }

    private final Request request;
    private final Origin origin;
    private @Nullable Message body;
    private ByteBuf frame;
    private Runnable whenEnded;
    private @Nullable LongAnswers longAnswers;

    private State state = State.OPEN;
    private @Nullable Message response;
    private List<ByteBuf> buffers = List.of();
    private Runnable whenWritten = Call::nothing;

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

    // ---- answer ----

    /** To a long request the answer may be long as well: another thread encodes it. */
    public void answer(Message message) {
        LongAnswers answers = longAnswers;
        if (answers != null) {
            longAnswers = null;
            answers.answer(this, message);
        } else {
            answer(message, List.of(), Call::nothing);
        }
    }

    /**
     * @param borrowed what the message borrows from; it is the call's from here on
     * @param written runs once the answer has been written, or never will be; on any thread
     */
    public void answer(Message message, List<ByteBuf> borrowed, Runnable written) {
        if (origin.eventLoop().inEventLoop()) {
            answerHere(message, borrowed, written);
        } else if (!laterOnEventLoop(() -> answerHere(message, borrowed, written))) {
            free(borrowed, written);
            release();
        }
    }

    private void answerHere(Message message, List<ByteBuf> borrowed, Runnable written) {
        if (state == State.OPEN) {
            response = message;
            buffers = borrowed;
            whenWritten = written;
            end(State.ANSWERED);
        } else {
            free(borrowed, written);
            requireFailed();
        }
    }

    /** Answers that the thread of its handler has too much to do. The client comes again. */
    public void refuseAsBusy() {
        answer(route().refuse(this, route().busyError()));
    }

    // ---- discard ----

    /** Ends the call without an answer: the client wants none, has gone, or the broker is being closed. */
    public void discard() {
        if (origin.eventLoop().inEventLoop()) {
            discardHere();
        } else if (!laterOnEventLoop(this::discardHere)) {
            release();
        }
    }

    private void discardHere() {
        if (state == State.OPEN) {
            end(State.DISCARDED);
        } else {
            requireFailed();
        }
    }

    private void end(State newState) {
        state = newState;
        release();
        origin.ended(this);
    }

    /** An answer to a call that has failed comes too late. To any other that has ended, it is a bug. */
    private void requireFailed() {
        if (state != State.FAILED) {
            throw new IllegalStateException(key() + " was answered twice");
        }
    }

    // ---- fail ----

    /** Closes the connection, for its client has sent what can't be answered. */
    public void fail(String reason) {
        if (!execute(() -> failHere(reason))) {
            release();
        }
    }

    /** Its handler has failed, before or after it answered: the connection is closed. */
    public void fail(RuntimeException e) {
        fail("its request failed", e);
    }

    public void fail(String reason, RuntimeException e) {
        LOG.error("{} failed", key(), e);
        fail(reason);
    }

    private void failHere(String reason) {
        if (state == State.OPEN) {
            state = State.FAILED;
            release();
        }
        origin.close(reason);
    }

    // ---- the end ----

    /** Frees the request. Does nothing the second time. */
    private void release() {
        replaceFrame(Unpooled.EMPTY_BUFFER);
        Runnable actions = whenEnded;
        whenEnded = Call::nothing;
        actions.run();
    }

    private static void free(List<ByteBuf> borrowed, Runnable written) {
        borrowed.forEach(ByteBuf::release);
        written.run();
    }

    private static void nothing() {}

    /** The answer waits for its client, and others wait for the memory that it takes. Any thread. */
    public void giveUp() {
        laterOnEventLoop(() -> {
            if (origin.isOpen()) {
                origin.close("it does not read its answers, and others need the memory");
            }
            if (state == State.ANSWERED) { // and waits for the answer of an earlier call, which may never come
                state = State.DISCARDED;
                free(buffers, whenWritten);
            }
        });
    }

    // ---- the event loop ----

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
            fail(e);
        }
    }

    // ---- for the connection ----

    public boolean hasEnded() {
        return state != State.OPEN;
    }

    /** The answer, which is the connection's from here on, with its buffers; null when there is nothing to send. */
    public @Nullable Message take() {
        if (state != State.ANSWERED) {
            return null;
        }
        state = State.TAKEN;
        return response;
    }

    /** Buffers that the answer borrows from. */
    public List<ByteBuf> buffers() {
        return buffers;
    }

    /** The answer that was taken has been written, or never will be. */
    public void written() {
        whenWritten.run();
    }
}
