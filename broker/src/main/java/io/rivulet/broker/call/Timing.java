package io.rivulet.broker.call;

/**
 * The time that a call takes, while slow requests are logged. Owned by: the event loop of the connection.
 */
public final class Timing {
    private final int requestBytes;
    private final long startedNanos;
    private long waitedNanos;

    public Timing(int requestBytes, long startedNanos) {
        this.requestBytes = requestBytes;
        this.startedNanos = startedNanos;
    }

    public int requestBytes() {
        return requestBytes;
    }

    public long startedNanos() {
        return startedNanos;
    }

    /** Adds time that the client wanted the call to wait. */
    public void waited(long nanos) {
        waitedNanos += nanos;
    }

    public long waitedNanos() {
        return waitedNanos;
    }
}
