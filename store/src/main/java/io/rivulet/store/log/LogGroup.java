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
public class LogGroup {
    /** What a group begins with: an idle log never asks for more. */
    private static final int SMALL_BYTES = 64 << 10;
    /** How much larger it gets when that is too small: many producers of tiny messages fill some hundred KiB and never the last step. */
    private static final int GROWTH = 8;

    private final int capacityBytes;
    private final int alignmentBytes;
    /** Zeros, as many as a group may need behind its body. */
    private final ByteBuffer padding;

    /** Replaced when the group outgrows it; readers of a group that was appended before may be in the old one. */
    private volatile ByteBuffer whole;

    private ByteBuffer body;
    private int entryCount;
    private long timestamp;
    private long doubtMillis;
    private long lsn = LogGroupLayout.NO_LSN;
    private @Nullable Segment segment;

    /** The lsn whose body the memory holds, also after the group was released and until it is used again. */
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
     * Where entries are laid, one after the other: its position is where the next one starts, which is its body index; its
     * limit is all there is without {@link #hasRoom}. Big-endian, and the same object until that is called.
     */
    public ByteBuffer body() {
        return body;
    }

    /** Whether so many more bytes fit in; takes the memory for it, for good. */
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

    /** By so much the true time may be earlier. */
    public void doubt(long millis) {
        this.doubtMillis = millis;
    }

    public long timestamp() {
        return timestamp;
    }

    public boolean isEmpty() {
        return body.position() == 0;
    }

    /** Whether it has a place in the log: false again when the log has given up the group. */
    public boolean isAppended() {
        return lsn != LogGroupLayout.NO_LSN;
    }

    /** Where the log put it; only while it {@link #isAppended()}. */
    public long lsn() {
        if (lsn == LogGroupLayout.NO_LSN) {
            throw new IllegalStateException("this group has not been appended");
        }
        return lsn;
    }

    /** What it takes in the log, as far as it is laid down now. */
    int paddedLength() {
        return LogGroupLayout.paddedLength(body.position(), alignmentBytes);
    }

    /** Gives it its place, and fills in everything around the body: it is ready to be written. */
    void place(Segment placedIn, long placedLsn, long storeId, long epoch, long previousEndLsn, long forcedLsn) {
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
        sealed.putInt(crcAt, LogGroupLayout.crc(storeId, sealed, 0, length));
        segment = placedIn;
        lsn = placedLsn;
        recentLsn = placedLsn;
    }

    /** The log has given up the group's place. */
    void withdrawn() {
        recentLsn = LogGroupLayout.NO_LSN;
        lsn = LogGroupLayout.NO_LSN;
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

    /** As {@link #write}, by way of the page cache. */
    void writeCached() throws IOException {
        segment().writeCached(lsn(), whole.slice(0, paddedLength()));
    }

    void clear() {
        withdrawn();
        VarHandle.releaseFence();
        body.clear();
        entryCount = 0;
        timestamp = 0;
        doubtMillis = 0;
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
        target.put(target.position(), whole, LogGroupLayout.HEADER_BYTES + bodyIndex, lengthBytes);
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
