package io.rivulet.store.open;

import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.maintenance.Maintenance;
import io.rivulet.store.thread.Workers.Worker;
import io.rivulet.store.writer.LogWriter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The signals between the log writer, maintenance, and callers that wait for room. Threads start one after the other; a
 * signal for a thread that has not started yet is dropped.
 *
 * <p>Thread-safe.
 */
final class StoreSignals implements LogWriter.Surroundings {
    private final FailureLatch failures;
    private final Queue<Runnable> roomWaiters = new ConcurrentLinkedQueue<>();
    private volatile @Nullable LogWriter writer;
    private volatile @Nullable Maintenance maintenance;
    private volatile @Nullable Worker maintenanceWorker;

    StoreSignals(FailureLatch failures) {
        this.failures = failures;
    }

    void started(LogWriter newWriter) {
        writer = newWriter;
    }

    void starting(Maintenance newMaintenance) {
        maintenance = newMaintenance;
    }

    void started(Worker newMaintenanceWorker) {
        maintenanceWorker = newMaintenanceWorker;
    }

    void signalWriter() {
        LogWriter started = writer;
        if (started != null) {
            started.signal();
        }
    }

    void signalMaintenance() {
        Worker started = maintenanceWorker;
        if (started != null) {
            started.signal();
        }
    }

    void signalAll() {
        signalWriter();
        signalMaintenance();
    }

    /** Runs the action once, on the log-writer thread, when there may be room for what was rejected. */
    void whenRoom(Runnable action) {
        roomWaiters.add(action);
        signalWriter();
    }

    // ---- from the log writer ----

    @Override
    public void applied() {
        Maintenance started = maintenance;
        if (started != null && started.isNeeded()) {
            signalMaintenance();
        }
    }

    /** Runs the actions that wait now. An action that is rejected again waits for the next time. */
    @Override
    public void hasRoom() {
        for (int left = roomWaiters.size(); left > 0; left--) {
            Runnable action = roomWaiters.poll();
            if (action == null) {
                return;
            }
            action.run();
        }
    }

    @Override
    public boolean isDiskFull() {
        Maintenance started = maintenance;
        return started != null && started.isDiskFull();
    }

    @Override
    public void broken(Throwable cause) {
        failures.fail(cause);
    }
}
