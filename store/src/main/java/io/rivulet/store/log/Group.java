package io.rivulet.store.log;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one write puts into the log: room for many entries behind a header that the log fills in.
 *
 * <p>Owned by: log-writer thread, from {@link CommitLog#acquireGroup()} to {@link CommitLog#releaseGroup(Group)}; from its append
 * until it is written, the log reads it too, on a thread of its own. Memory is off-heap and reused; a released group keeps its body, for readers of the log, until it is acquired again.
 */
public class Group {
    private final ByteBuffer whole;
    private final ByteBuffer body;
    private final int alignmentBytes;
    private int entryCount;
    private long timestamp;
    private long lsn = GroupLayout.NO_LSN;
    private @Nullable Segment segment;

    /** The lsn whose body the memory holds, also after the group was released and until it is used again. */
    private volatile long recentLsn = GroupLayout.NO_LSN;

    /** @param capacityBytes of everything; a multiple of the alignment, so that padding always fits */
    Group(int capacityBytes, int alignmentBytes) {
        this.alignmentBytes = alignmentBytes;
        this.whole = ByteBuffer.allocateDirect(capacityBytes + alignmentBytes)
                .alignedSlice(alignmentBytes)
                .slice(0, capacityBytes);
        this.body =
                whole.slice(GroupLayout.HEADER_BYTES, capacityBytes - GroupLayout.HEADER_BYTES - GroupLayout.CRC_BYTES);
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

    /** Gives up the entries behind the first so many, which end at the body index. */
    public void cutTo(int entries, int bodyIndex) {
        body.position(bodyIndex);
        entryCount = entries;
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

    /** Whether it has a place in the log: false again when the log has given up the group. */
    public boolean isAppended() {
        return lsn != GroupLayout.NO_LSN;
    }

    /** Where the log put it; only while it {@link #isAppended()}. */
    public long lsn() {
        if (lsn == GroupLayout.NO_LSN) {
            throw new IllegalStateException("this group has not been appended");
        }
        return lsn;
    }

    /** What it takes in the log, as far as it is laid down now. */
    int paddedLength() {
        return GroupLayout.paddedLength(body.position(), alignmentBytes);
    }

    /** Gives it its place, and fills in everything around the body: it is ready to be written. */
    void place(Segment placedIn, long placedLsn, long storeId, long epoch, long previousEndLsn, long forcedLsn) {
        int length = paddedLength();
        int bodyLength = body.position();
        whole.putInt(GroupLayout.MAGIC_AT, GroupLayout.MAGIC);
        whole.putInt(GroupLayout.LENGTH_AT, length);
        whole.putInt(GroupLayout.BODY_LENGTH_AT, bodyLength);
        whole.putInt(GroupLayout.ENTRY_COUNT_AT, entryCount);
        whole.putLong(GroupLayout.LSN_AT, placedLsn);
        whole.putLong(GroupLayout.EPOCH_AT, epoch);
        whole.putLong(GroupLayout.PREVIOUS_END_AT, previousEndLsn);
        whole.putLong(GroupLayout.FORCED_AT, forcedLsn);
        whole.putLong(GroupLayout.TIMESTAMP_AT, timestamp);
        int crcAt = length - GroupLayout.CRC_BYTES;
        for (int i = GroupLayout.HEADER_BYTES + bodyLength; i < crcAt; i++) {
            whole.put(i, (byte) 0);
        }
        whole.putInt(crcAt, GroupLayout.crc(storeId, whole, 0, length));
        segment = placedIn;
        lsn = placedLsn;
        recentLsn = placedLsn;
    }

    /** The log has given up the group's place. */
    void withdrawn() {
        recentLsn = GroupLayout.NO_LSN;
        lsn = GroupLayout.NO_LSN;
        segment = null;
    }

    Segment segment() {
        return Objects.requireNonNull(segment);
    }

    /** Where the group behind it may start. */
    long endLsn() {
        return lsn() + paddedLength();
    }

    void write() throws IOException {
        segment().write(lsn(), whole.slice(0, paddedLength()));
    }

    void clear() {
        withdrawn();
        VarHandle.releaseFence();
        body.clear();
        entryCount = 0;
        timestamp = 0;
    }

    /** Any thread: whether the bytes are those of the group at this lsn, for now. */
    boolean isRecently(long wantedLsn) {
        return recentLsn == wantedLsn;
    }

    /**
     * Any thread: copies bytes of the body, and checks afterwards that they were not overwritten meanwhile: a store to the
     * next body that the copy has seen comes after the fence in {@link #clear}, so {@link #recentLsn} is seen to have changed.
     */
    boolean copyIfStill(long wantedLsn, int bodyIndex, int lengthBytes, ByteBuffer target) {
        target.put(target.position(), whole, GroupLayout.HEADER_BYTES + bodyIndex, lengthBytes);
        copied();
        VarHandle.acquireFence();
        boolean still = recentLsn == wantedLsn;
        if (still) {
            target.position(target.position() + lengthBytes);
        }
        return still;
    }

    /** Where a test lets the writer go on while a reader has copied and not yet checked. */
    void copied() {}
}
