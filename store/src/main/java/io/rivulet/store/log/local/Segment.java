package io.rivulet.store.log.local;

import io.rivulet.store.io.DiskFile;
import io.rivulet.store.log.DamagedLogException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One open file of the log. Only this class converts lsns to addresses.
 *
 * <p>Guarded by a count of users: the log is one until it trims the segment, and each read is one while it lasts. The
 * thread that brings it to zero calls {@code unused}; then the file may be renamed or deleted.
 */
final class Segment {
    private final DiskFile file;
    private final long baseLsn;
    private final long segmentBytes;
    private final Runnable unused;
    private final AtomicInteger users = new AtomicInteger(1);

    Segment(DiskFile file, SegmentLayout.Header header, Runnable unused) {
        this.file = file;
        this.baseLsn = header.baseLsn();
        this.segmentBytes = header.segmentBytes();
        this.unused = unused;
    }

    DiskFile file() {
        return file;
    }

    String name() {
        return file.name();
    }

    long baseLsn() {
        return baseLsn;
    }

    long segmentBytes() {
        return segmentBytes;
    }

    long firstLsn() {
        return baseLsn + SegmentLayout.HEADER_BYTES;
    }

    /** Where the next segment starts. */
    long limitLsn() {
        return baseLsn + segmentBytes;
    }

    /** The index of the segment with this lsn; the last one if there is none. */
    static int indexOf(List<Segment> row, long lsn) {
        int index = 0;
        while (!row.get(index).holds(lsn) && index < row.size() - 1) {
            index++;
        }
        return index;
    }

    boolean holds(long lsn) {
        return baseLsn <= lsn && lsn < limitLsn();
    }

    long address(long lsn) {
        return lsn - baseLsn;
    }

    void write(long lsn, ByteBuffer source) throws IOException {
        file.write(address(lsn), source);
    }

    /** As {@link #write}, through the page cache. */
    void writeCached(long lsn, ByteBuffer source) throws IOException {
        file.writeCached(address(lsn), source);
    }

    /** Reads until the target is full or the segment ends. */
    int read(long lsn, ByteBuffer target) throws IOException {
        int limit = target.limit();
        target.limit(target.position() + (int) Math.min(target.remaining(), limitLsn() - lsn));
        int count = file.read(address(lsn), target);
        target.limit(limit);
        return count;
    }

    /** Reads past the page cache, see {@link DiskFile#readPast}. All of it is in the segment. */
    int readPast(long lsn, ByteBuffer target) throws IOException {
        return file.readPast(address(lsn), target);
    }

    /** False if the segment has been trimmed and has no users left. */
    boolean retain() {
        int seen = users.get();
        while (seen > 0 && !users.compareAndSet(seen, seen + 1)) {
            seen = users.get();
        }
        return seen > 0;
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            unused.run();
        }
    }

    boolean isUnused() {
        return users.get() == 0;
    }

    DamagedLogException damaged(long lsn, String what) {
        return new DamagedLogException(name(), address(lsn), what);
    }
}
