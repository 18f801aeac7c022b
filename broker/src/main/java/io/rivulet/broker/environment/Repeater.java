package io.rivulet.broker.environment;

/** What repeats a {@link Repeated}. Thread-safe. */
public interface Repeater extends AutoCloseable {
    void start();

    /** There is something to do. Cheap, and never waits. */
    void wake();

    /** Whether there will be no further round. */
    boolean hasEnded();

    /**
     * Returns when the work has ended; it must be {@link Repeated#isOver over}.
     *
     * @throws IllegalStateException if it does not end
     */
    @Override
    void close();
}
