package io.rivulet.store.log.local;

import io.rivulet.store.log.LogGroupLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Searches for a whole group at every place where one may start. Reads each byte once, even if many places look like
 * the start of a group: a reused segment is full of old groups. Not thread-safe.
 */
final class LaterGroupSearch {
    private static final int CHUNK_BYTES = 1 << 20;

    private final List<Segment> row;
    private final LogGroupWalker checker;
    /** Bytes of one segment, beginning at {@link #chunkLsn}. */
    private final ByteBuffer chunk;

    private long chunkLsn;

    /** @param checker its current group is the group found */
    LaterGroupSearch(List<Segment> row, LogGroupWalker checker) {
        this.row = row;
        this.checker = checker;
        long largest = row.stream().mapToLong(Segment::segmentBytes).max().orElse(0);
        this.chunk =
                ByteBuffer.allocateDirect((int) Math.min(largest, CHUNK_BYTES)).limit(0);
    }

    /** The lsn of the first whole group at or after this one; {@link LogGroupLayout#NO_LSN} if there is none. */
    long next(long fromLsn) throws IOException {
        for (Segment segment : row) {
            long lsn = Math.max(fromLsn, segment.firstLsn());
            while (lsn < segment.limitLsn()) {
                if (lsn < chunkLsn || lsn >= chunkLsn + chunk.limit()) {
                    read(segment, lsn);
                }
                long candidate = firstMagic(lsn);
                if (candidate == LogGroupLayout.NO_LSN) {
                    lsn = chunkLsn + chunk.limit();
                } else if (checker.check(segment, candidate) == null) {
                    return candidate;
                } else {
                    lsn = candidate + LogGroupLayout.MIN_ALIGNMENT_BYTES;
                }
            }
        }
        return LogGroupLayout.NO_LSN;
    }

    private void read(Segment segment, long lsn) throws IOException {
        chunk.clear();
        int count = segment.read(lsn, chunk);
        if (count < LogGroupLayout.MIN_ALIGNMENT_BYTES) {
            throw segment.damaged(lsn, "the file is shorter than it was");
        }
        chunkLsn = lsn;
        chunk.limit(count);
    }

    private long firstMagic(long lsn) {
        for (int i = (int) (lsn - chunkLsn);
                i + Integer.BYTES <= chunk.limit();
                i += LogGroupLayout.MIN_ALIGNMENT_BYTES) {
            if (chunk.getInt(i) == LogGroupLayout.MAGIC) {
                return chunkLsn + i;
            }
        }
        return LogGroupLayout.NO_LSN;
    }
}
