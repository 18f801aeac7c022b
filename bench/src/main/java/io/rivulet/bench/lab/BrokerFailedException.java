package io.rivulet.bench.lab;

/** A broker failed at a case. The table shows the message. */
public final class BrokerFailedException extends Exception {
    private static final long serialVersionUID = 1;

    public BrokerFailedException(String message) {
        super(message);
    }

    public BrokerFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
