package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the queues in turn until the server or {@link #end} ends it, and counts what is acknowledged. Owned by: its
 * own thread; other threads may call what says so.
 */
final class PeerLoad {
    private final PeerConnection connection;
    private final PeerShape shape;
    private final int[] acknowledged;
    private final LongAdder messages = new LongAdder();
    private final LongAdder reached = new LongAdder();
    private final Thread thread = new Thread(this::run, "load");
    private volatile @Nullable String failure;

    PeerLoad(PeerConnection connection, PeerShape shape) {
        this.connection = connection;
        this.shape = shape;
        this.acknowledged = new int[shape.queues()];
    }

    /** Called by the thread that watches the load. */
    void start() {
        thread.start();
    }

    private void run() {
        int each = connection.messagesPerRequest();
        int inFlight = Math.max(1, shape.window() / each);
        try {
            connection.exchange(Long.MAX_VALUE, inFlight, connection::encode, (number, unused) -> add(number, each));
        } catch (IOException | BrokerFailedException | RuntimeException e) {
            failure = String.valueOf(e.getMessage());
        }
    }

    private void add(long request, int count) {
        int first = (int) (request % acknowledged.length * count % acknowledged.length);
        for (int i = 0; i < count; i++) {
            int queue = (first + i) % acknowledged.length;
            if (acknowledged[queue]++ == 0) {
                reached.increment();
            }
        }
        messages.add(count);
    }

    /** Messages that are acknowledged so far. Any thread. */
    long messages() {
        return messages.sum();
    }

    /** Queues with an acknowledged message. Any thread. */
    long reached() {
        return reached.sum();
    }

    /** Why it has ended, or null. Any thread. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Closes the connection and waits for the end of the thread. Called by the thread that watches the load. */
    void end() throws IOException, BrokerFailedException {
        connection.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerFailedException("interrupted", e);
        }
    }

    /** Messages of this queue that are acknowledged. Only after {@link #end}. */
    int acknowledged(int queue) {
        return acknowledged[queue];
    }
}
