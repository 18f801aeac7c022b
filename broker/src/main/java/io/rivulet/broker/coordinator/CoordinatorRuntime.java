package io.rivulet.broker.coordinator;

import io.rivulet.broker.environment.Environment;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.time.StoreClock;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * What all coordinators share: one thread, its timers and clock, and the count of bytes in flight to the log.
 *
 * <p>Thread-safe, except for the methods that the coordinator thread alone may call. Close it after the store, because
 * it delivers the store's last completions.
 */
public final class CoordinatorRuntime implements AutoCloseable {
    /** While more bytes are in flight to the log, requests that write are refused. */
    private static final long MAX_BYTES_IN_FLIGHT = 64 << 20;

    private final Environment environment;
    private final CoordinatorClock clock;
    private final Timers timers = new Timers();
    private final CoordinatorThread thread;
    /** Owned by: the coordinator thread. */
    private long bytesInFlight;

    public CoordinatorRuntime(StoreClock storeClock, FailureLatch failures) {
        this(Environment.of(storeClock, failures));
    }

    public CoordinatorRuntime(Environment environment) {
        this.environment = environment;
        clock = CoordinatorClock.of(environment.clock());
        thread = new CoordinatorThread(timers, clock.nanos(), environment);
    }

    /** @param whenFailed run by the thread, as its last task, when it or another thread of the broker has failed */
    public void start(Runnable whenFailed) {
        thread.start(whenFailed);
    }

    /** Runs the request on the coordinator thread; false when too many requests wait there. */
    public boolean offer(Runnable request) {
        return thread.offer(request);
    }

    /** Runs the task on the coordinator thread, before all waiting requests. The caller bounds how many there are. */
    public void deliver(Runnable task) {
        thread.deliver(task);
    }

    /** Makes a table that belongs to the coordinator thread reachable for a view of the log. */
    public OwnedTable ownedTable(Consumer<ByteBuffer> applying) {
        return new OwnedTable(thread, applying);
    }

    public Environment environment() {
        return environment;
    }

    public CoordinatorClock clock() {
        return clock;
    }

    public Timers timers() {
        return timers;
    }

    // ---- for the coordinator thread ----

    public LongQuestions questions() {
        return thread.questions();
    }

    /** Whether too many bytes are in flight to the log, so that requests that write are refused. */
    public boolean isBehind() {
        return bytesInFlight > MAX_BYTES_IN_FLIGHT;
    }

    /** @param bytes the number of bytes that were appended; negative when they are durable or have failed */
    public void addBytesInFlight(long bytes) {
        bytesInFlight += bytes;
    }

    /** A journal that writes entries of the view into the store. */
    public Journal journal(Store store, int viewId) {
        return (entry, done) -> {
            int bytes = entry.remaining();
            addBytesInFlight(bytes);
            store.appendState(viewId, entry)
                    .whenComplete((stored, failure) -> deliver(() -> {
                        addBytesInFlight(-bytes);
                        done.accept(failure);
                    }));
        };
    }

    @Override
    public void close() {
        thread.close();
    }
}
