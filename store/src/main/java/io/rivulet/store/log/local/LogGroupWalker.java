package io.rivulet.store.log.local;

import io.rivulet.store.log.LogGroupLayout;
import io.rivulet.store.log.LogGroupView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes from group to group in a row of segments, as long as they are valid. Not thread-safe: one walk, one user.
 *
 * <p>After a group that ends at {@code e} comes the group at {@code e}, or the first group of the next segment if its
 * {@code previousEndLsn} is {@code e}. A group is accepted if three conditions hold. Its lsn is its place, so no group
 * of an earlier use of the segment is accepted. Its checksum matches. Its epoch is at least that of the group before
 * and at most {@code maxEpoch}, so no group is accepted that an earlier opening has dropped after the end. The first
 * group of a walk has none before it; its epoch is at least that of a group which comes after the same {@code e} in the
 * next segment. Otherwise the walk ends. The user decides what that means.
 */
final class LogGroupWalker {
    /**
     * Length of a read, unless a group needs more: small enough for the checksum to find the bytes in the processor's
     * cache.
     */
    private static final int CHUNK_BYTES = 1 << 20;

    /** Enough for an almost empty log and for most single groups. Further reads use whole chunks. */
    private static final int FIRST_CHUNK_BYTES = 64 << 10;

    private final List<Segment> row;
    private final Reads reads;
    private final long storeId;
    private final long maxEpoch;
    private final int chunkBytes;
    private ByteBuffer chunk;
    private long chunkLsn;
    private int segmentIndex;
    private long endLsn;
    private long lastEpoch;
    private int groupStart;
    private int groupLength;
    private String problem = "";

    /** Where the bytes come from. */
    @FunctionalInterface
    interface Reads {
        /** As {@link Segment#read}. */
        int read(Segment segment, long lsn, ByteBuffer target) throws IOException;
    }

    /** @param row without gaps; the caller retains it until the walk ends */
    LogGroupWalker(List<Segment> row, long storeId, long maxEpoch) {
        this(row, Segment::read, storeId, maxEpoch);
    }

    LogGroupWalker(List<Segment> row, Reads reads, long storeId, long maxEpoch) {
        this.row = row;
        this.reads = reads;
        this.storeId = storeId;
        this.maxEpoch = maxEpoch;
        this.chunkBytes = chunkBytes(row);
        this.chunk = ByteBuffer.allocateDirect(Math.min(FIRST_CHUNK_BYTES, chunkBytes))
                .limit(0);
    }

    private static int chunkBytes(List<Segment> row) {
        long largest = row.stream().mapToLong(Segment::segmentBytes).max().orElse(LogGroupLayout.HEADER_BYTES);
        return (int) Math.min(largest, CHUNK_BYTES);
    }

    /** Starts again at an lsn in the row, or at the end of its last segment. */
    void seek(long lsn) throws IOException {
        segmentIndex = Segment.indexOf(row, lsn);
        endLsn = Math.max(lsn, segment().firstLsn());
        lastEpoch = epochInNextSegment();
    }

    /** Of the group that comes after {@code endLsn}, if there is one in the next segment; else 0. */
    private long epochInNextSegment() throws IOException {
        if (segmentIndex + 1 == row.size()) {
            return 0;
        }
        Segment following = row.get(segmentIndex + 1);
        boolean follows = check(following, following.firstLsn()) == null && previousEndLsn() == endLsn;
        return follows && epoch() <= maxEpoch ? epoch() : 0;
    }

    /**
     * Goes to the next group. False if there is none; then {@link #endLsn()} and {@link #problem()} have place and
     * reason.
     */
    boolean next() throws IOException {
        Segment segment = row.get(segmentIndex);
        if (accept(segment, endLsn, LogGroupLayout.NO_LSN)) {
            return true;
        }
        String problemHere = problem;
        if (segmentIndex + 1 < row.size()) {
            Segment following = row.get(segmentIndex + 1);
            if (accept(following, following.firstLsn(), endLsn)) {
                segmentIndex++;
                return true;
            }
        }
        problem = problemHere;
        return false;
    }

    private boolean accept(Segment segment, long lsn, long previousEndLsn) throws IOException {
        String wrong = check(segment, lsn);
        if (wrong == null && previousEndLsn != LogGroupLayout.NO_LSN && previousEndLsn() != previousEndLsn) {
            wrong = "its predecessor ended at lsn " + Long.toHexString(previousEndLsn());
        }
        if (wrong == null && epoch() < lastEpoch) {
            wrong = "the group here is left from epoch " + epoch();
        }
        if (wrong == null && epoch() > maxEpoch) {
            wrong = "the group here is of epoch " + epoch() + ", which the log has not reached";
        }
        if (wrong != null) {
            problem = wrong;
            return false;
        }
        lastEpoch = epoch();
        endLsn = lsn + groupLength;
        return true;
    }

    /** Checks the group by itself. Null if it is valid; then it is the current one. */
    @Nullable
    String check(Segment segment, long lsn) throws IOException {
        if (!segment.holds(lsn) || !fill(segment, lsn, LogGroupLayout.HEADER_BYTES)) {
            return "the segment ends here";
        }
        String wrong = LogGroupLayout.headerProblem(chunk, groupStart, lsn);
        if (wrong != null) {
            return wrong;
        }
        int length = chunk.getInt(groupStart + LogGroupLayout.LENGTH_AT);
        if (!fill(segment, lsn, length)) {
            return "the group here is longer than the segment";
        }
        if (!LogGroupLayout.crcMatches(storeId, chunk, groupStart, length)) {
            return "the group's checksum does not match";
        }
        groupLength = length;
        return null;
    }

    /** Ensures that the chunk has these bytes; the group starts at {@code groupStart} in it. */
    private boolean fill(Segment segment, long lsn, int lengthBytes) throws IOException {
        if (lsn < chunkLsn || lsn > chunkLsn + chunk.limit()) {
            chunkLsn = lsn;
            chunk.limit(0);
        }
        groupStart = (int) (lsn - chunkLsn);
        if (groupStart + lengthBytes <= chunk.limit()) {
            return true;
        }
        boolean goesOn = chunk.limit() > 0;
        int held = moveToFront(lengthBytes, goesOn ? chunkBytes : chunk.capacity());
        chunkLsn = lsn;
        groupStart = 0;
        reads.read(segment, lsn + held, chunk);
        chunk.flip();
        return lengthBytes <= chunk.limit();
    }

    /** Moves the bytes of the current group to the front; makes the chunk larger for a large group. */
    private int moveToFront(int groupBytes, int wantedBytes) {
        ByteBuffer held = chunk.slice(groupStart, chunk.limit() - groupStart);
        if (groupBytes > Math.max(wantedBytes, chunk.capacity())) {
            chunk = ByteBuffer.allocateDirect(Math.min(2 * groupBytes, LogGroupLayout.MAX_GROUP_BYTES));
        } else if (wantedBytes > chunk.capacity()) {
            chunk = ByteBuffer.allocateDirect(wantedBytes);
        }
        chunk.clear().put(held);
        return held.capacity();
    }

    /** The current group; valid until the next step. */
    LogGroupView view() {
        return LogGroupLayout.view(chunk, groupStart);
    }

    long lsn() {
        return chunk.getLong(groupStart + LogGroupLayout.LSN_AT);
    }

    long epoch() {
        return chunk.getLong(groupStart + LogGroupLayout.EPOCH_AT);
    }

    long previousEndLsn() {
        return chunk.getLong(groupStart + LogGroupLayout.PREVIOUS_END_AT);
    }

    long forcedLsn() {
        return chunk.getLong(groupStart + LogGroupLayout.FORCED_AT);
    }

    int length() {
        return groupLength;
    }

    /** The end of the last accepted group, or the start of the walk. */
    long endLsn() {
        return endLsn;
    }

    /** The current segment. */
    Segment segment() {
        return row.get(segmentIndex);
    }

    /** Why the walk ended. */
    String problem() {
        return problem;
    }
}
