package io.rivulet.broker.net;

import io.rivulet.broker.call.ResponseMemory;
import org.jspecify.annotations.Nullable;

/**
 * The short answers of one connection that its client has not read yet. If they are larger than 4 KiB, they are charged
 * to a memory that all connections share. When that is full, only clients that have read their answers get more. (Long
 * answers and records are charged where they are made.)
 *
 * <p>Owned by: the event loop of the connection.
 */
final class UnreadAnswers {
    private static final int UNCHARGED_BYTES = 4 << 10;

    private final ResponseMemory memory;
    private final Runnable giveUp;
    private long bytes;
    private ResponseMemory.@Nullable Answer charged;
    private boolean waiting;
    /** The last one; null before. */
    private ResponseMemory.@Nullable Waiter waiter;

    /** @param giveUp runs on any thread when the answers are unread for too long and others wait for memory */
    UnreadAnswers(ResponseMemory memory, Runnable giveUp) {
        this.memory = memory;
        this.giveUp = giveUp;
    }

    void add(int moreBytes) {
        bytes += moreBytes;
        if (bytes > UNCHARGED_BYTES) {
            charge();
        }
    }

    void remove(int lessBytes) {
        bytes -= lessBytes;
        if (charged != null) {
            charge();
        }
    }

    private void charge() {
        ResponseMemory.Answer before = charged;
        charged = bytes > UNCHARGED_BYTES ? memory.send(0, bytes, giveUp) : null;
        if (before != null) {
            memory.written(before);
        }
    }

    /**
     * Whether another answer may be added. If not, {@code again} runs once, on any thread, when that may have changed.
     */
    boolean mayAdd(Runnable again) {
        if (bytes <= UNCHARGED_BYTES || !memory.isFull()) {
            return true;
        }
        if (!waiting) {
            waiting = true;
            waiter = memory.whenFree(again);
        }
        return false;
    }

    /** The connection is closed: no answer is added any more. */
    void stopWaiting() {
        if (waiter != null) {
            boolean unused = memory.stopWaiting(waiter);
        }
    }

    /** Must be called by the action of {@link #mayAdd}. */
    void mayAskAgain() {
        waiting = false;
    }
}
