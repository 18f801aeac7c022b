package io.rivulet.broker.internal;

import io.rivulet.broker.coordinator.CoordinatorRuntime;
import io.rivulet.store.AppendRequest;
import io.rivulet.store.Outcome;
import io.rivulet.store.Store;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Appends in flight, in order, and the actions that wait for them.
 *
 * <p>Owned by: the coordinator thread.
 */
final class InternalAppends {
    private record Waiter(long target, Runnable action) {}

    private final Store store;
    private final CoordinatorRuntime runtime;
    private final Runnable whenFailed;
    private final Deque<AppendRequest> toAppend = new ArrayDeque<>();
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private long begun;
    private long ended;
    private long waitingBytes;
    /** The first request waits for a file or for room. */
    private boolean blocked;

    private boolean hugeWritten;

    /** @param whenFailed runs when a batch was not stored */
    InternalAppends(Store store, CoordinatorRuntime runtime, Runnable whenFailed) {
        this.store = store;
        this.runtime = runtime;
        this.whenFailed = whenFailed;
    }

    boolean isIdle() {
        return ended == begun;
    }

    long waitingBytes() {
        return waitingBytes;
    }

    /** Appends the batches, after all earlier ones. */
    void append(StagedBatches batches, StagedBatches.Queues queues) {
        AppendRequest request = batches.take(queues, completed -> runtime.deliver(() -> ended(completed)));
        begun++;
        waitingBytes += request.source().limit();
        toAppend.add(request);
        pass();
    }

    private void pass() {
        while (!blocked && !toAppend.isEmpty()) {
            AppendRequest first = toAppend.getFirst();
            blocked = true;
            if (!hugeWritten && store.hasHuge(first)) {
                hugeWritten = true;
                store.writeHuge(first, () -> runtime.deliver(this::unblock));
            } else if (!store.append(first)) {
                store.whenRoom(() -> runtime.deliver(this::unblock));
            } else {
                toAppend.removeFirst();
                hugeWritten = false;
                blocked = false;
            }
        }
    }

    private void unblock() {
        blocked = false;
        pass();
    }

    private void ended(AppendRequest request) {
        ended++;
        waitingBytes -= request.source().limit();
        for (int i = 0; i < request.count(); i++) {
            if (request.outcome(i) != Outcome.DURABLE) {
                whenFailed.run();
                break;
            }
        }
        while (!waiters.isEmpty() && waiters.getFirst().target <= ended) {
            waiters.removeFirst().action.run();
        }
    }

    /** Runs the action when all appends until now have ended. */
    void whenEnded(Runnable action) {
        if (isIdle()) {
            action.run();
        } else {
            waiters.add(new Waiter(begun, action));
        }
    }
}
