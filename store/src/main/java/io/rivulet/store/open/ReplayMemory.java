package io.rivulet.store.open;

import io.rivulet.store.tail.Tail;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.thread.Workers.Worker;

/**
 * Allocates memory for the tail on a thread of its own before a replay needs it: for the system, a gigabyte of fresh
 * pages takes as long as the replay itself. Never allocates more than half of the remaining log would fill.
 *
 * <p>Owned by: the thread that opens the store.
 */
final class ReplayMemory implements AutoCloseable {
    private final Tail tail;
    private final Worker worker;
    private volatile long bytesLeft;

    ReplayMemory(Tail tail, Workers workers) {
        this.tail = tail;
        this.worker = workers.start("replay-memory", this::prepare);
    }

    void stillToReplay(long logBytes) {
        bytesLeft = logBytes;
        if (tail.lacksMemoryFor(logBytes)) {
            worker.signal();
        }
    }

    private void prepare() {
        boolean more = true;
        while (more) {
            more = tail.prepareMemoryFor(bytesLeft);
        }
    }

    @Override
    public void close() {
        bytesLeft = 0;
        worker.close();
    }
}
