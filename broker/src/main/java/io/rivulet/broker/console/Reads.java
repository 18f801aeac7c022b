package io.rivulet.broker.console;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.http.HttpAnswer;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.store.StoreReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Work of the console that may wait for the disk or takes long. It runs on the read threads, one task at a time, so
 * that consumers keep the other threads. Thread-safe.
 */
final class Reads {
    static final String TOO_MANY = "too many requests wait";
    private static final int MAX_WAITING = 256;

    /** Makes an answer. */
    @FunctionalInterface
    interface Read {
        HttpAnswer read(StoreReader reader) throws IOException;
    }

    private final ReadPool pool;
    /** Under {@code this}. */
    private final Deque<Consumer<StoreReader>> waiting = new ArrayDeque<>();
    /** Under {@code this}. */
    private boolean busy;

    Reads(ReadPool pool) {
        this.pool = pool;
    }

    /** Answers the request with the result of the read. */
    void answer(HttpExchange exchange, Read read) {
        boolean taken = offer(reader -> exchange.run(() -> {
            try {
                exchange.answer(read.read(reader));
            } catch (IOException e) {
                throw unreadable(e);
            }
        }));
        if (!taken) {
            throw tooMany();
        }
    }

    static HttpProblem unreadable(IOException failure) {
        return new HttpProblem(
                HttpResponseStatus.INTERNAL_SERVER_ERROR, "the records can't be read: " + failure.getMessage());
    }

    static HttpProblem tooMany() {
        return new HttpProblem(HttpResponseStatus.SERVICE_UNAVAILABLE, TOO_MANY);
    }

    /**
     * Runs the task later. It must catch its own exceptions.
     *
     * @return false if too many wait, or the broker is closing
     */
    boolean offer(Consumer<StoreReader> task) {
        synchronized (this) {
            if (busy) {
                return waiting.size() < MAX_WAITING && waiting.add(task);
            }
            busy = true;
        }
        return start(task);
    }

    private boolean start(Consumer<StoreReader> task) {
        boolean started = pool.read(reader -> run(reader, task), failure -> {});
        if (!started) {
            synchronized (this) {
                waiting.clear(); // the broker is closing, and with it all connections
            }
        }
        return started;
    }

    private void run(StoreReader reader, Consumer<StoreReader> task) {
        try {
            task.accept(reader);
        } finally {
            Consumer<StoreReader> next;
            synchronized (this) {
                next = waiting.poll();
                busy = next != null;
            }
            if (next != null) {
                start(next);
            }
        }
    }
}
