package io.rivulet.it.suites;

/**
 * A test asked for a part of Kafka's broker that no client can see. It is an error and not an exception, because tests
 * that wait for a condition catch exceptions and try again.
 */
public final class UsesInternals extends Error {
    private static final long serialVersionUID = 1;

    public UsesInternals(String part) {
        super("the test uses an internal of Kafka: " + part);
    }
}
