package io.rivulet.bench.lab;

/** A broker did not do what a case asked of it; the message is what the table shows. */
public final class BrokerFailedException extends Exception {
    private static final long serialVersionUID = 1;

    public BrokerFailedException(String message) {
        super(message);
    }

    public BrokerFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
