package io.rivulet.broker.net;

/** A request that gets no answer: the connection is closed, and the message goes to the log. */
final class RejectedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RejectedRequestException(String message) {
        super(message, null, false, false);
    }
}
