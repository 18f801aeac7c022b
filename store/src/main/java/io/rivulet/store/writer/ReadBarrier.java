package io.rivulet.store.writer;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * Lets readers wait until they can read everything that was acknowledged. A request that waits for the write is
 * acknowledged before it is durable, and read after that.
 *
 * <p>Owned by: log-writer thread, except {@link #isOpen}, {@link #await} and {@link #open}.
 */
final class ReadBarrier {
    private static final int CHUNK = 64;
    private static final long NONE = -1;

    private record Reader(long lsn, Runnable action) {}

    private final MpscUnboundedArrayQueue<Reader> arriving = new MpscUnboundedArrayQueue<>(CHUNK);
    private final Queue<Reader> waiting = new ArrayDeque<>();
    /** The last group with a part that was acknowledged before the group was durable. */
    private volatile long acknowledgedLsn = NONE;

    /** Called before a part of the group is acknowledged early. */
    void acknowledge(long groupLsn) {
        acknowledgedLsn = groupLsn;
    }

    /**
     * Whether everything acknowledged can be read. Any thread.
     *
     * @param appliedLsn every group before this one can be read
     */
    boolean isOpen(long appliedLsn) {
        return acknowledgedLsn < appliedLsn;
    }

    /** The action waits for {@link #run}. Any thread. */
    void await(Runnable action) {
        arriving.offer(new Reader(acknowledgedLsn, action));
    }

    /** Runs the actions that need only groups before this one. */
    void run(long appliedLsn) {
        for (Reader next = arriving.poll(); next != null; next = arriving.poll()) {
            waiting.add(next);
        }
        for (Reader first = waiting.peek(); first != null && first.lsn < appliedLsn; first = waiting.peek()) {
            waiting.remove();
            first.action.run();
        }
    }

    /** Runs all actions. Any thread, one at a time, after the end of the log-writer thread. */
    void open() {
        run(Long.MAX_VALUE);
    }
}
