package io.rivulet.cluster.fake;

import io.rivulet.cluster.engine.Answer;
import io.rivulet.cluster.engine.Ledger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A ledger as one client sees it. Guarded by the engine. */
final class FakeLedger implements Ledger {
    /** An entry until all its copies have arrived or were given up. */
    static final class Entry {
        private final FakeLedger ledger;
        private final long entryId;
        private final ByteBuffer bytes;
        private final Answer answer;
        private int copiesLeft;
        private int copiesAnswered;
        private boolean isAnswered;
        private boolean isReleased;

        Entry(FakeLedger ledger, long entryId, ByteBuffer bytes, Answer answer, int copies) {
            this.ledger = ledger;
            this.entryId = entryId;
            this.bytes = bytes;
            this.answer = answer;
            this.copiesLeft = copies;
        }

        /** The same, with the bytes that it has now. */
        Entry of(FakeLedger other) {
            ByteBuffer now = ByteBuffer.allocate(bytes.remaining())
                    .put(bytes.duplicate())
                    .flip();
            return new Entry(other, entryId, now, answer, copiesLeft);
        }

        FakeLedger ledger() {
            return ledger;
        }

        long entryId() {
            return entryId;
        }

        ByteBuffer bytes() {
            return bytes;
        }

        void copySent() {
            copiesLeft--;
            if (copiesLeft == 0) {
                release();
            }
        }

        private void release() {
            if (!isReleased && !ledger.client.isDead()) {
                isReleased = true;
                answer.released();
            }
        }

        private void answer(@Nullable Throwable failure) {
            if (!isAnswered && !ledger.client.isDead()) {
                isAnswered = true;
                answer.answered(failure);
            }
        }
    }

    private static final int COPIES = 3;

    private final FakeEngine engine;
    private final FakeClient client;
    private final FakeEngine.State state;
    private final boolean writes;
    private final ArrayDeque<Entry> unanswered = new ArrayDeque<>();
    private long appended;
    private long acknowledged;
    private long acknowledgedBytes;
    private @Nullable IOException failure;

    FakeLedger(FakeEngine engine, FakeClient client, FakeEngine.State state, boolean writes) {
        this.engine = engine;
        this.client = client;
        this.state = state;
        this.writes = writes;
    }

    FakeEngine.State state() {
        return state;
    }

    FakeClient client() {
        return client;
    }

    /** A mistake: whatever arrived. */
    void acknowledgeAll() {
        for (Entry entry : new ArrayDeque<>(unanswered)) {
            copyAnswered(entry, 0);
        }
    }

    @Override
    public long id() {
        return state.id;
    }

    @Override
    public long entryCount() {
        synchronized (engine) {
            return writes ? acknowledged : state.entryCount;
        }
    }

    @Override
    public long lengthBytes() {
        synchronized (engine) {
            return writes ? acknowledgedBytes : state.lengthBytes;
        }
    }

    @Override
    public void append(long entryId, ByteBuffer bytes, Answer answer) {
        synchronized (engine) {
            if (entryId != appended || bytes.remaining() > MAX_ENTRY_BYTES) {
                throw new IllegalStateException(
                        "entry " + entryId + " of " + bytes.remaining() + " bytes after " + appended + " others");
            }
            appended++;
            Entry entry = new Entry(this, entryId, bytes, answer, COPIES);
            if (failure != null) {
                entry.answer(failure);
                entry.release();
                return;
            }
            unanswered.add(entry);
            engine.send(entry);
        }
    }

    /** Acknowledges entries in their order. */
    void copyAnswered(Entry entry, int quorum) {
        entry.copiesAnswered++;
        for (Entry first = unanswered.peek();
                first != null && first.copiesAnswered >= quorum && failure == null;
                first = unanswered.peek()) {
            unanswered.remove();
            acknowledged++;
            acknowledgedBytes += first.bytes.remaining();
            first.answer(null);
            if (engine.bug == FakeEngine.Bug.EARLY_RELEASE) {
                first.release();
            }
        }
    }

    /** Nothing is acknowledged any more. */
    void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
            unanswered.forEach(entry -> entry.answer(cause));
            unanswered.clear();
        }
    }

    @Override
    public void read(long firstEntryId, int maxEntries, EntryReader reader) throws IOException {
        long end = Math.min(entryCount(), firstEntryId + maxEntries);
        if (firstEntryId < 0 || firstEntryId >= end) {
            throw new IOException("ledger " + state.id + " has no entry " + firstEntryId);
        }
        for (long entryId = firstEntryId; entryId < end; entryId++) {
            reader.entry(entryId, engine.read(state.id, entryId));
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (engine) {
            if (writes && failure == null) {
                fail(new IOException("ledger " + state.id + " is closed"));
                engine.closeLedger(state, acknowledged, acknowledgedBytes);
            }
        }
    }
}
