package io.rivulet.broker.call;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.quota.CallMeter;
import io.rivulet.broker.sasl.Login;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;
import io.rivulet.store.failure.LogLimit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request and the way back to its client. It has three exits, {@link #answer}, {@link #discard} and {@link #fail}.
 * One of them is taken, once. Then the request's frame and memory are freed.
 *
 * <pre>
 * OPEN      -- answer  --> ANSWERED   waits for the answers of earlier calls
 * OPEN      -- discard --> DISCARDED  there is no answer to send
 * OPEN      -- fail    --> FAILED     the connection is closed; a later answer is freed
 * ANSWERED  -- take    --> TAKEN      the connection writes the answer
 * ANSWERED  -- giveUp  --> DISCARDED  the connection is closed, and the answer is freed
 * </pre>
 *
 * <p>Owned by: the event loop of its connection. The exits may be taken on any thread.
 */
public final class Call {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    /** The connection that a call came from, on its event loop. */
    public interface Origin {
        EventLoop eventLoop();

        ByteBufAllocator allocator();

        /** Of the listener that it came to. */
        String listenerName();

        /** The address that clients of this listener connect to. */
        Endpoint advertised();

        /** The address of the client, in the form that Kafka uses. */
        String clientHost();

        /** What the client may do. Any thread. */
        Access access();

        /** How the client has logged in; null if it does not. */
        default @Nullable Login login() {
            return null;
        }

        /** False if the client has disconnected. Any thread. */
        boolean isOpen();

        /** Runs the action once, on the event loop, when the client has disconnected. Any thread. */
        default void whenClosed(Runnable action) {}

        /** The call has ended. Its answer, if it has one, is sent after those of earlier calls. */
        void ended(Call call);

        /** Starts no further calls until {@link #resume} has been called as many times. */
        void pause();

        void resume();

        void close(String reason);

        /**
         * Closes after a moment in which nothing is read any more. Some clients forget an answer that they have
         * received when they see the end of the connection with it.
         */
        default void closeSoon(String reason) {
            close(reason);
        }
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

    private final Route route;
    private final short version;
    private final int correlationId;
    private final String clientId;
    private final boolean exclusive;
    private final Origin origin;
    /** Null before it is decoded, and when the answer is taken. */
    private @Nullable Message body;

    private ByteBuf frame;
    private Runnable whenEnded;
    private @Nullable LongAnswers longAnswers;
    private @Nullable Timing timing;
    private @Nullable CallMeter meter;
    private int waitMillis;

    private State state = State.OPEN;
    private @Nullable Message response;
    private List<ByteBuf> buffers = List.of();
    private Runnable whenWritten = Call::nothing;
    private long startedNanos;

    public Call(Request request, Origin origin) {
        this.route = request.route();
        this.version = request.version();
        this.correlationId = request.correlationId();
        this.clientId = request.clientId();
        this.exclusive = request.body() == null || route.lane() == Route.Lane.ALONE;
        this.body = request.body();
        this.frame = request.frame();
        this.whenEnded = request.whenEnded();
        this.origin = origin;
    }

    public ApiKey key() {
        return route.key();
    }

    public Route route() {
        return route;
    }

    public short version() {
        return version;
    }

    public String clientId() {
        return clientId;
    }

    /** Whether its connection starts no further calls meanwhile: the request is long, or no others are in its lane. */
    public boolean isExclusive() {
        return exclusive;
    }

    public int correlationId() {
        return correlationId;
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

    /** Sets the body that was decoded from the frame. The frame is kept only if the body borrows from it. */
    void decoded(Message decoded, LongAnswers answers) {
        body = decoded;
        longAnswers = answers;
        if (!route().keepsFrame()) {
            replaceFrame(Unpooled.EMPTY_BUFFER);
        }
    }

    /** Adds an action that runs once when the call has ended. Called by the thread that has the call. */
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

    /** Releases the frame. From now on the call owns the other one. */
    public void replaceFrame(ByteBuf other) {
        frame.release();
        frame = other;
    }

    public Origin origin() {
        return origin;
    }

    /** What the client may do. Any thread. */
    public Access access() {
        return origin.access();
    }

    /** Null if slow requests are not logged. */
    public @Nullable Timing timing() {
        return timing;
    }

    /** Called before the call is handled. */
    public void timing(Timing newTiming) {
        timing = newTiming;
    }

    /** Null if no quota limits the client. */
    public @Nullable CallMeter meter() {
        return meter;
    }

    /** Called before the call is handled. */
    public void meter(CallMeter newMeter) {
        meter = newMeter;
    }

    /** Lets the client wait after the answer, whatever its quotas. Called before the answer. */
    public void letClientWait(int millis) {
        waitMillis = millis;
    }

    /** Whether {@link #letClientWait} was called. */
    public boolean isHeld() {
        return waitMillis > 0;
    }

    /** For how long its connection must not be read after the answer. */
    public long waitMillis() {
        return meter == null ? waitMillis : Math.max(waitMillis, meter.waitMillis());
    }

    /** Settles its meter, and puts the wait into the answer, which is null if there is none. */
    public void settle(@Nullable Message answer) {
        if (meter != null) {
            meter.settle(key(), answer != null);
        }
        if (answer != null && waitMillis() > 0) {
            answer.throttleTimeMs((int) waitMillis());
        }
    }

    // ---- answer ----

    /** The answer to a long request may be long, too, so another thread encodes it. */
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
     * @param borrowed buffers that the message borrows from; the call owns them from now on
     * @param written runs once, on any thread, when the answer is written or discarded
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

    /** Answers that the handler's thread is behind. The client retries. */
    public void refuseAsBusy() {
        answer(route().refuse(this, route().busyError()));
    }

    // ---- discard ----

    /** Ends the call without an answer: the client wants none or has disconnected, or the broker is closing. */
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

    /** An answer to a failed call is too late. An answer to any other ended call is a bug. */
    private void requireFailed() {
        if (state != State.FAILED) {
            throw new IllegalStateException(key() + " was answered twice");
        }
    }

    // ---- fail ----

    /** Closes the connection, because the request can't be answered. */
    public void fail(String reason) {
        if (!execute(() -> failHere(reason))) {
            release();
        }
    }

    /** Closes the connection, because the handler has failed, before or after it answered. */
    public void fail(RuntimeException e) {
        fail("its request failed", e);
    }

    public void fail(String reason, RuntimeException e) {
        LIMIT.log(more -> LOG.error("{} failed{}", key(), more, e));
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

    /** Frees the request. A repeated call has no effect. */
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

    /**
     * Closes the connection, because the client does not read its answers, and others wait for the memory. Any thread.
     */
    public void giveUp() {
        laterOnEventLoop(() -> {
            if (origin.isOpen()) {
                origin.close("the client does not read its answers, and other clients need the memory");
            }
            withdraw(); // it waits for the answer of an earlier call, which may never come
        });
    }

    // ---- the event loop ----

    /**
     * Runs the action on the connection's event loop: immediately if this is its thread.
     *
     * @return false if the loop has ended, and the connection too; then the action does not run
     */
    public boolean onEventLoop(Runnable action) {
        EventLoop loop = origin.eventLoop();
        if (loop.inEventLoop()) {
            action.run();
            return true;
        }
        return laterOnEventLoop(action);
    }

    /** As {@link #onEventLoop}, but never immediately. */
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

    /** Netty would only log an exception, and the client would wait for ever. */
    private void runHere(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    // ---- for the connection ----

    /** Sets when it started, on the clock of its connection. */
    public void startedAt(long nanos) {
        startedNanos = nanos;
    }

    public long startedNanos() {
        return startedNanos;
    }

    public boolean hasEnded() {
        return state != State.OPEN;
    }

    /** The answer, or null if there is none. From now on the connection owns it and its buffers. */
    public @Nullable Message take() {
        if (state != State.ANSWERED) {
            return null;
        }
        state = State.TAKEN;
        Message taken = response;
        response = null; // the call lives until the socket has the answer, which may take a while
        body = null;
        return taken;
    }

    /** Frees the answer, which must not be sent. Its connection is closed. */
    public void withdraw() {
        if (state == State.ANSWERED) {
            state = State.DISCARDED;
            free(buffers, whenWritten);
        }
    }

    /** Buffers that the answer borrows from. */
    public List<ByteBuf> buffers() {
        return buffers;
    }

    /** The answer that was taken is written or discarded. */
    public void written() {
        whenWritten.run();
    }
}
