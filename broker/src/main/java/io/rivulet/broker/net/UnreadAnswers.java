package io.rivulet.broker.net;

import io.rivulet.broker.call.ResponseMemory;
import org.jspecify.annotations.Nullable;

/**
 * The short answers of one connection that its client has not taken yet. More than a few KiB are charged to a memory of all connections, and
 * when that is full, only who has taken its answers gets more. (Long answers, and records, are charged where they are made.)
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

    /** @param giveUp runs on any thread when they have been left for too long and others wait */
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
            memory.gone(before);
        }
    }

    /** Whether there may be one more. If not, {@code again} runs once, on any thread, when it is worth to ask again. */
    boolean mayAdd(Runnable again) {
        if (bytes <= UNCHARGED_BYTES || !memory.isFull()) {
            return true;
        }
        if (!waiting) {
            waiting = true;
            memory.whenFree(again);
        }
        return false;
    }

    /** The action of {@link #mayAdd} runs. */
    void asksAgain() {
        waiting = false;
    }
}
