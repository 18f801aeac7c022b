package io.rivulet.cluster.ledger;

import io.rivulet.cluster.engine.Answer;
import io.rivulet.cluster.engine.Ledger;
import io.rivulet.store.log.LogGroup;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A group that has its place in the log, until it is durable and the engine has let go of its memory: also the slowest
 * copy may still be on its way from there.
 *
 * <p>{@code answersLeft}: guarded by the appends of the log. {@code heldEntries}: any thread. {@code isReleased}:
 * log-writer thread.
 */
final class PlacedGroup {
    /** Receives the answers to all entries of all groups. */
    interface Answers {
        void answered(PlacedGroup group, @Nullable Throwable failure);

        /** The memory of the group is free, if its user has released it. */
        void freed();
    }

    private final LogGroup group;
    private final long endLsn;
    private final int entries;
    private final AtomicInteger heldEntries;
    int answersLeft;
    boolean isReleased;
    private long sentNanos;

    PlacedGroup(LogGroup group, int entries) {
        this.group = group;
        this.entries = entries;
        this.endLsn = group.lsn() + entries;
        this.answersLeft = entries;
        this.heldEntries = new AtomicInteger();
    }

    LogGroup group() {
        return group;
    }

    long endLsn() {
        return endLsn;
    }

    boolean isHeld() {
        return heldEntries.get() > 0;
    }

    long sentNanos() {
        return sentNanos;
    }

    void send(Ledger ledger, Answers answers) {
        sentNanos = System.nanoTime();
        heldEntries.set(entries);
        ByteBuffer bytes = group.placed();
        long entryId = Lsns.entryId(group.lsn());
        Answer answer = new Answer() {
            @Override
            public void answered(@Nullable Throwable failure) {
                answers.answered(PlacedGroup.this, failure);
            }

            @Override
            public void released() {
                if (heldEntries.decrementAndGet() == 0) {
                    answers.freed();
                }
            }
        };
        for (int i = 0; i < entries; i++) {
            int at = i * Ledger.MAX_ENTRY_BYTES;
            int length = Math.min(Ledger.MAX_ENTRY_BYTES, bytes.capacity() - at);
            ledger.append(entryId + i, bytes.slice(at, length), answer);
        }
    }
}
