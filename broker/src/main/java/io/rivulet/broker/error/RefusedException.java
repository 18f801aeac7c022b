package io.rivulet.broker.error;

/** A client asked for what can't be done. The message is for the client. No stack trace: refusing must be cheap. */
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
