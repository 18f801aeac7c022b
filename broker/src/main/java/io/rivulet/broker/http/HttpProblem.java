package io.rivulet.broker.http;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request gets this status and one line of text. Has no stack trace. */
public final class HttpProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient HttpResponseStatus status;

    public HttpProblem(HttpResponseStatus status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    public static HttpProblem badRequest(String message) {
        return new HttpProblem(HttpResponseStatus.BAD_REQUEST, message);
    }

    HttpResponseStatus status() {
        return status;
    }
}
