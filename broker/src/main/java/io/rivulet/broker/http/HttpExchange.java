package io.rivulet.broker.http;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.rivulet.broker.access.Access;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer. Thread-safe: a page may read it and answer on any thread.
 *
 * <p>{@link #answer} or {@link #stream} is called once. Of more calls, the first one counts.
 */
public final class HttpExchange {
    private static final Logger LOG = LoggerFactory.getLogger(HttpExchange.class);
    private static final int MOST_FIELDS = 256;
    private static final String POLICY =
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

    private final Channel channel;
    private final HttpMethod method;
    private final HttpHeaders headers;
    private final String path;
    private final Map<String, List<String>> parameters;
    private final byte[] body;
    private final boolean keepAlive;
    private final OpenConnections connections;
    private final Runnable next;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile Access access = Access.UNLIMITED;

    /**
     * @param next called when the answer is written and the connection stays open, on the thread of the pages
     * @throws IllegalArgumentException if the address of the request is malformed
     */
    HttpExchange(Channel channel, FullHttpRequest request, OpenConnections connections, Runnable next) {
        this.channel = channel;
        this.connections = connections;
        this.next = next;
        this.method = request.method();
        this.headers = request.headers();
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        this.path = uri.path();
        this.parameters = uri.parameters();
        this.body = ByteBufUtil.getBytes(request.content());
        this.keepAlive = HttpUtil.isKeepAlive(request);
    }

    // ---- the request ----

    public boolean isPost() {
        return method.equals(HttpMethod.POST);
    }

    /** Decoded, without the query. */
    public String path() {
        return path;
    }

    /** The first value of this parameter of the query; null if it is not there. */
    public @Nullable String parameter(String name) {
        List<String> values = parameters.get(name);
        return values == null ? null : values.get(0);
    }

    /**
     * Refuses what the page does not know: a misspelt parameter would be ignored.
     *
     * @throws HttpProblem if the query has another parameter, or one of them twice
     */
    public void allow(String... known) {
        parameters.forEach((name, values) -> {
            if (!List.of(known).contains(name)) {
                throw HttpProblem.badRequest(
                        "there is no parameter '" + name + "'; known are: " + String.join(", ", known));
            }
            if (values.size() > 1) {
                throw HttpProblem.badRequest(name + " is there " + values.size() + " times");
            }
        });
    }

    /**
     * The number in this parameter of the query, or the default.
     *
     * @throws HttpProblem if the text is not a number between the limits
     */
    public long number(String name, long orElse, long least, long most) {
        String text = parameter(name);
        if (text == null || text.isEmpty()) {
            return orElse;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As if it were outside the limits.
        }
        throw HttpProblem.badRequest(name + " must be a number from " + least + " to " + most);
    }

    public @Nullable String header(CharSequence name) {
        return headers.get(name);
    }

    /** The parameters of a body that is application/x-www-form-urlencoded. */
    public Map<String, List<String>> form() {
        QueryStringDecoder form = new QueryStringDecoder(
                new String(body, StandardCharsets.UTF_8), StandardCharsets.UTF_8, false, MOST_FIELDS);
        try {
            return form.parameters();
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest("the body is malformed: " + e.getMessage());
        }
    }

    // ---- the client ----

    /** False if the client has disconnected. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /** What the client may do: everything, unless a page has asked who it is. */
    public Access access() {
        return access;
    }

    /** The client has said who it is. */
    public void enter(Access ofClient) {
        access = ofClient;
    }

    /** The thread of the pages. */
    public EventLoop eventLoop() {
        return channel.eventLoop();
    }

    /** The address of the client; empty if it has disconnected. */
    public String clientHost() {
        return channel.remoteAddress() instanceof InetSocketAddress remote && remote.getAddress() != null
                ? remote.getAddress().getHostAddress()
                : "";
    }

    // ---- the answer ----

    public void answer(HttpAnswer answer) {
        if (!answered.compareAndSet(false, true)) {
            answer.body().release();
            return;
        }
        int bytes = answer.body().readableBytes();
        if (connections.reserve(bytes)) {
            write(answer, bytes);
        } else {
            answer.body().release();
            write(
                    HttpAnswer.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "other clients do not read their answers"),
                    0);
        }
    }

    public void answer(HttpResponseStatus status, String line) {
        answer(HttpAnswer.text(status, line));
    }

    /** @param reservedBytes of memory for this answer */
    private void write(HttpAnswer answer, int reservedBytes) {
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, answer.status(), answer.body());
        int length = answer.body().readableBytes();
        if (method.equals(HttpMethod.HEAD)) {
            response.content().clear();
        }
        decorate(response, answer.contentType());
        answer.headers().forEach(response.headers()::set);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        HttpUtil.setKeepAlive(response, keepAlive);
        channel.writeAndFlush(response).addListener(written -> {
            connections.written(reservedBytes);
            if (keepAlive && written.isSuccess()) {
                next.run();
            } else {
                channel.close();
            }
        });
    }

    /**
     * Answers with a stream of events that stays open until one side closes it.
     *
     * @return null if the exchange has been answered
     */
    public @Nullable EventStream stream() {
        if (!answered.compareAndSet(false, true)) {
            return null;
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        decorate(response, "text/event-stream");
        HttpUtil.setTransferEncodingChunked(response, true);
        var unused = channel.writeAndFlush(response);
        channel.read(); // sees that the client has gone
        return new EventStream(channel, connections);
    }

    private static void decorate(HttpResponse response, String contentType) {
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, contentType)
                .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
                .set("X-Content-Type-Options", "nosniff")
                .set("Referrer-Policy", "no-referrer")
                .set("Content-Security-Policy", POLICY);
    }

    /** Runs the action on the thread of the pages. Not after the server is closed. */
    public void soon(Runnable action) {
        later(0, action);
    }

    /** Runs the action on the thread of the pages, after a time. Not after the server is closed. */
    public void later(long millis, Runnable action) {
        try {
            var unused = channel.eventLoop().schedule(() -> run(action), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The page {} has no answer, because the broker is closing", path);
        }
    }

    /** Runs the action, on the calling thread. What it throws is the answer. */
    public void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /** What a page throws is an answer, too. */
    private void fail(RuntimeException failure) {
        if (failure instanceof HttpProblem problem) {
            answer(problem.status(), String.valueOf(problem.getMessage()));
        } else {
            LOG.warn("The page {} has failed", path, failure);
            answer(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error: " + failure);
        }
    }
}
