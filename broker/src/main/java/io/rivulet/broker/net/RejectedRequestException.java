package io.rivulet.broker.net;

/** A request that is not answered. Its connection is closed, and the message is logged. */
final class RejectedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RejectedRequestException(String message) {
        super(message, null, false, false);
    }
}
