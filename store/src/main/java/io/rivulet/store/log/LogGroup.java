package io.rivulet.store.log;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The content of one append to the log: a header, which the log fills in, and room for many entries.
 *
 * <p>Owned by: log-writer thread, from {@link CommitLog#acquireGroup()} to {@link CommitLog#releaseGroup(LogGroup)}.
 * From its append until it is written, a thread of the log reads it too. Memory is off-heap and reused. A released
 * group keeps its body for readers of the log until it is acquired again.
 */
public class LogGroup {
    /** The initial size of a group: an idle log never needs more. */
    private static final int SMALL_BYTES = 64 << 10;
    /**
     * The factor by which a group grows. With many producers of tiny messages, a group needs some hundred KiB and never
     * the last step.
     */
    private static final int GROWTH = 8;

    private final int capacityBytes;
    private final int alignmentBytes;
    /** Zeros, as many as a group may need behind its body. */
    private final ByteBuffer padding;

    /** Replaced when the group outgrows it; readers of an earlier appended group may use the old one. */
    private volatile ByteBuffer whole;

    private ByteBuffer body;
    private final GroupCrc crc = new GroupCrc();
    private int entryCount;
    private long timestamp;
    private long doubtMillis;
    private long lsn = LogGroupLayout.NO_LSN;

    /** The lsn of the body in memory, also after the group was released and until it is reused. */
    private volatile long recentLsn = LogGroupLayout.NO_LSN;

    /** @param capacityBytes of everything; a multiple of the alignment, so that padding always fits */
    LogGroup(int capacityBytes, int alignmentBytes) {
        this.capacityBytes = capacityBytes;
        this.alignmentBytes = alignmentBytes;
        this.padding = ByteBuffer.allocateDirect(alignmentBytes);
        this.whole = allocate(Math.min(SMALL_BYTES, capacityBytes));
        this.body = bodyOf(whole);
    }

    private ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes + alignmentBytes)
                .alignedSlice(alignmentBytes)
                .slice(0, bytes);
    }

    private static ByteBuffer bodyOf(ByteBuffer whole) {
        return whole.slice(
                LogGroupLayout.HEADER_BYTES, whole.capacity() - LogGroupLayout.HEADER_BYTES - LogGroupLayout.CRC_BYTES);
    }

    /**
     * The buffer for entries. Its position is the body index where the next entry starts. Its limit is the room without
     * {@link #hasRoom}. Big-endian, and the same object until that is called.
     */
    public ByteBuffer body() {
        return body;
    }

    /** Whether this many more bytes fit. Allocates memory for them, which the group keeps. */
    public boolean hasRoom(int bytes) {
        if (body.remaining() < bytes && whole.capacity() < capacityBytes) {
            long neededBytes = (long) whole.capacity() - body.remaining() + bytes;
            long largerBytes = whole.capacity();
            while (largerBytes < neededBytes) {
                largerBytes *= GROWTH;
            }
            ByteBuffer larger = allocate((int) Math.min(largerBytes, capacityBytes));
            body = bodyOf(larger).put(body.flip());
            whole = larger;
        }
        return body.remaining() >= bytes;
    }

    /** Counts a complete entry. */
    public void entryAdded() {
        entryCount++;
        crc.grown(body);
    }

    /** Counts a complete entry, whose last {@code bytes} bytes have this CRC-32C. */
    public void entryAdded(int bytes, int sum) {
        entryCount++;
        crc.grown(body, bytes, sum);
    }

    /** Removes all entries after the first {@code entries}, which end at the body index. */
    public void cutTo(int entries, int bodyIndex) {
        body.position(bodyIndex);
        crc.cutTo(bodyIndex);
        entryCount = entries;
    }

    public int entryCount() {
        return entryCount;
    }

    /** The group's time in milliseconds. A replay uses this time, never the clock. */
    public void timestamp(long timestampMillis) {
        this.timestamp = timestampMillis;
    }

    /** How much earlier the true time may be. */
    public void doubt(long millis) {
        this.doubtMillis = millis;
    }

    public long timestamp() {
        return timestamp;
    }

    public boolean isEmpty() {
        return body.position() == 0;
    }

    /** Whether it has a place in the log. False again when the log has withdrawn the group. */
    public boolean isAppended() {
        return lsn != LogGroupLayout.NO_LSN;
    }

    /** Its place in the log; only while it {@link #isAppended()}. */
    public long lsn() {
        if (lsn == LogGroupLayout.NO_LSN) {
            throw new IllegalStateException("this group has not been appended");
        }
        return lsn;
    }

    /** Its length in the log with its current content. */
    public int paddedLength() {
        return LogGroupLayout.paddedLength(body.position(), alignmentBytes);
    }

    /** For logs: sets its place and writes everything around the body: the group is ready to be written. */
    public void place(long placedLsn, long storeId, long epoch, long previousEndLsn, long forcedLsn) {
        ByteBuffer sealed = whole;
        int length = paddedLength();
        int bodyLength = body.position();
        sealed.putInt(LogGroupLayout.MAGIC_AT, LogGroupLayout.MAGIC);
        sealed.putInt(LogGroupLayout.LENGTH_AT, length);
        sealed.putInt(LogGroupLayout.BODY_LENGTH_AT, bodyLength);
        sealed.putInt(LogGroupLayout.ENTRY_COUNT_AT, entryCount);
        sealed.putLong(LogGroupLayout.LSN_AT, placedLsn);
        sealed.putLong(LogGroupLayout.EPOCH_AT, epoch);
        sealed.putLong(LogGroupLayout.PREVIOUS_END_AT, previousEndLsn);
        sealed.putLong(LogGroupLayout.FORCED_AT, forcedLsn);
        sealed.putLong(LogGroupLayout.TIMESTAMP_AT, LogGroupLayout.packed(timestamp, doubtMillis));
        int crcAt = length - LogGroupLayout.CRC_BYTES;
        int paddingAt = LogGroupLayout.HEADER_BYTES + bodyLength;
        sealed.put(paddingAt, padding, 0, crcAt - paddingAt);
        sealed.putInt(crcAt, crc.of(storeId, sealed, length));
        lsn = placedLsn;
        recentLsn = placedLsn;
    }

    /** For logs: the group has no place in the log any more. */
    public void withdrawn() {
        recentLsn = LogGroupLayout.NO_LSN;
        lsn = LogGroupLayout.NO_LSN;
    }

    /** For logs: the bytes to write, from the header to the checksum. Only after {@link #place}. */
    public ByteBuffer placed() {
        return whole.slice(0, paddedLength());
    }

    void clear() {
        withdrawn();
        VarHandle.releaseFence();
        body.clear();
        crc.clear();
        entryCount = 0;
        timestamp = 0;
        doubtMillis = 0;
    }

    /** Any thread: whether the memory currently has the group at this lsn. */
    boolean isRecently(long wantedLsn) {
        return recentLsn == wantedLsn;
    }

    /**
     * Any thread: copies bytes of the body, then checks that they were not overwritten meanwhile. If the copy saw a
     * store to the next body, that store came after the fence in {@link #clear}, so the check sees that {@link
     * #recentLsn} has changed. False as well if the body is shorter.
     */
    boolean copyIfStill(long wantedLsn, int bodyIndex, int lengthBytes, ByteBuffer target) {
        ByteBuffer source = whole;
        if (bodyIndex + lengthBytes > source.getInt(LogGroupLayout.BODY_LENGTH_AT)) {
            return false;
        }
        target.put(target.position(), source, LogGroupLayout.HEADER_BYTES + bodyIndex, lengthBytes);
        copied();
        VarHandle.acquireFence();
        boolean still = recentLsn == wantedLsn;
        if (still) {
            target.position(target.position() + lengthBytes);
        }
        return still;
    }

    /** A test overrides it to run the writer between copy and check. */
    void copied() {}
}
