package io.rivulet.store.log;

import java.nio.ByteBuffer;

/**
 * What one write puts into the log: room for many entries behind a header that the log fills in.
 *
 * <p>Owned by: log-writer thread, from {@link CommitLog#acquireGroup()} to {@link CommitLog#releaseGroup(Group)}. Memory is
 * off-heap and reused; the body of a released group belongs to the next.
 */
public final class Group {
    private final ByteBuffer whole;
    private final ByteBuffer body;
    private int entryCount;
    private long timestamp;
    private long lsn = GroupLayout.NO_LSN;

    /** @param capacityBytes of header and body; a multiple of the padding unit, so that padding always fits */
    Group(int capacityBytes, int alignmentBytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(capacityBytes + alignmentBytes - 1);
        int skipped = (alignmentBytes - memory.alignmentOffset(0, alignmentBytes)) % alignmentBytes;
        this.whole = memory.slice(skipped, capacityBytes);
        this.body = whole.slice(GroupLayout.HEADER_BYTES, capacityBytes - GroupLayout.HEADER_BYTES);
    }

    /**
     * Where entries are laid, one after the other: its position is where the next one starts, which is its body index; its
     * limit is all there is. Big-endian, and always the same object.
     */
    public ByteBuffer body() {
        return body;
    }

    /** Notes that an entry is complete. The log only counts them. */
    public void entryAdded() {
        entryCount++;
    }

    public int entryCount() {
        return entryCount;
    }

    /** The group's time in milliseconds; entries are replayed with it, never with the clock. */
    public void timestamp(long timestampMillis) {
        this.timestamp = timestampMillis;
    }

    public long timestamp() {
        return timestamp;
    }

    public boolean isEmpty() {
        return body.position() == 0;
    }

    /** Where the log put it; only after a successful append. */
    public long lsn() {
        if (lsn == GroupLayout.NO_LSN) {
            throw new IllegalStateException("this group has not been appended");
        }
        return lsn;
    }

    boolean isAppended() {
        return lsn != GroupLayout.NO_LSN;
    }

    /** Header, body and what is left of the memory, from address 0 to its capacity. */
    ByteBuffer whole() {
        return whole;
    }

    void appendedAt(long newLsn) {
        this.lsn = newLsn;
    }

    void clear() {
        body.clear();
        entryCount = 0;
        timestamp = 0;
        lsn = GroupLayout.NO_LSN;
    }
}
