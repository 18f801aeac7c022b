package io.rivulet.bench.versus;

/** A broker did not do what a case asked of it; the message is what the table shows. */
final class BrokerFailedException extends Exception {
    private static final long serialVersionUID = 1;

    BrokerFailedException(String message) {
        super(message);
    }

    BrokerFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
