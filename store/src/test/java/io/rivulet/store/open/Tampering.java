package io.rivulet.store.open;

import io.rivulet.store.BatchGate;
import io.rivulet.store.PublishListener;
import io.rivulet.store.View;
import io.rivulet.store.block.read.QueueView;
import io.rivulet.store.io.Disk;
import io.rivulet.store.log.CommitLog;
import io.rivulet.store.sweep.ChainReleaser;
import io.rivulet.store.sweep.SweepTarget;
import io.rivulet.store.writer.LogWriter;
import java.nio.ByteBuffer;

/** Lets a test add bugs to parts of a store; without overrides there are none. */
public interface Tampering {
    Tampering NONE = new Tampering() {};

    /** Whether requests may be refused and reads may fail: then the store must only keep what it has acknowledged. */
    default boolean mayFail() {
        return false;
    }

    /** Whether the store may fail for good. */
    default boolean mayFailForGood() {
        return mayFail();
    }

    /** Called before each step of a client. */
    default void step() {}

    /** Called after the last request: from now on everything must get a result. */
    default void settle() {}

    /** How much the store's clock is ahead. */
    default long clockErrorMillis() {
        return 0;
    }

    default Disk disk(Disk disk) {
        return disk;
    }

    default ByteBuffer allocateForTail(int slabBytes) {
        return ByteBuffer.allocateDirect(slabBytes);
    }

    default CommitLog log(CommitLog log) {
        return log;
    }

    default SweepTarget target(SweepTarget target) {
        return target;
    }

    default ChainReleaser releaser(LogWriter writer) {
        return writer::execute;
    }

    default QueueView mergedQueues(QueueView queues) {
        return queues;
    }

    default View view(View view) {
        return view;
    }

    default BatchGate gate(BatchGate gate) {
        return gate;
    }

    default PublishListener listener() {
        return PublishListener.NONE;
    }

    /** Passes the client that sends requests from now on. */
    default void client(SimulatedClient client) {}

    /** Whether requests that should be atomic are marked as atomic. */
    default boolean saysAtomic() {
        return true;
    }
}
