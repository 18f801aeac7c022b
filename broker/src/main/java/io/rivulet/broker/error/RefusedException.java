package io.rivulet.broker.error;

/** A request of a client is refused. The message is for the client. It has no stack trace, so that it is cheap. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public RefusedException(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
