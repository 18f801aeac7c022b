package io.rivulet.cluster.bookkeeper;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.rivulet.cluster.engine.Answer;
import io.rivulet.cluster.engine.FencedException;
import io.rivulet.cluster.engine.Ledger;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Enumeration;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.LedgerEntry;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.bookkeeper.client.LedgerHandleAdv;
import org.jspecify.annotations.Nullable;

/** A ledger of BookKeeper: one that this client has created, or one that it has opened with recovery. */
final class BookKeeperLedger implements Ledger {
    private final LedgerHandle handle;

    BookKeeperLedger(LedgerHandle handle) {
        this.handle = handle;
    }

    @Override
    public long id() {
        return handle.getId();
    }

    @Override
    public long entryCount() {
        return handle.getLastAddConfirmed() + 1;
    }

    @Override
    public long lengthBytes() {
        return handle.getLength();
    }

    /** BookKeeper calls back in the order of the entries. */
    @Override
    public void append(long entryId, ByteBuffer entry, Answer answer) {
        ((LedgerHandleAdv) handle)
                .asyncAddEntry(
                        entryId,
                        new EntryBuf(entry, answer),
                        (code, ledger, addedId, nanos, context) ->
                                answer.answered(failure(code, id(), entryId, addedId)),
                        null);
    }

    private static @Nullable Throwable failure(int code, long ledgerId, long entryId, long addedId) {
        if (code == BKException.Code.LedgerFencedException) {
            return new FencedException(ledgerId);
        }
        if (code != BKException.Code.OK) {
            return BKException.create(code);
        }
        return addedId == entryId
                ? null
                : new IllegalStateException("entry " + entryId + " was added as entry " + addedId);
    }

    @Override
    public void read(long firstEntryId, int maxEntries, EntryReader reader) throws IOException {
        long last = Math.min(firstEntryId + maxEntries, entryCount()) - 1;
        try {
            Enumeration<LedgerEntry> entries = handle.readEntries(firstEntryId, last);
            while (entries.hasMoreElements()) {
                LedgerEntry entry = entries.nextElement();
                ByteBuf bytes = entry.getEntryBuffer();
                try {
                    reader.entry(entry.getEntryId(), bytes.nioBuffer());
                } finally {
                    bytes.release();
                }
            }
        } catch (BKException e) {
            throw new IOException(
                    "ledger " + id() + ", entries " + firstEntryId + " to " + last + " can't be read: "
                            + e.getMessage(),
                    e);
        } catch (InterruptedException e) {
            throw BookKeeperEngine.interrupted(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            BookKeeperEngine.get(handle.closeAsync());
        } catch (BKException e) {
            throw new IOException("ledger " + id() + " does not close: " + e.getMessage(), e);
        }
    }

    /** The bytes of an entry in the memory of its group. Its count is zero when no copy needs them any more. */
    private static final class EntryBuf extends UnpooledDirectByteBuf {
        private final Answer answer;

        EntryBuf(ByteBuffer entry, Answer answer) {
            super(UnpooledByteBufAllocator.DEFAULT, entry, entry.remaining());
            this.answer = answer;
        }

        @Override
        protected void deallocate() {
            answer.released();
        }
    }
}
