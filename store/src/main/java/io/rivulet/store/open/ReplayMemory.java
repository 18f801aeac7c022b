package io.rivulet.store.open;

import io.rivulet.store.tail.Tail;
import io.rivulet.store.thread.Workers;
import io.rivulet.store.thread.Workers.Worker;

/**
 * Gets the tail's memory from the system on a thread of its own, before a replay comes to need it: a gigabyte in fresh pages takes the
 * system as long as the replay itself. Never more than half of the log that is left would fill.
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
