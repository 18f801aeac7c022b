package io.rivulet.store.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes from group to group in a row of segments, as far as they are what was written. Not thread-safe: one walk, one user.
 *
 * <p>After a group that ends at {@code e} comes the group at {@code e}, or else the first of the next segment if that says
 * that its predecessor ended at {@code e}. A group is accepted only if it says that it belongs where it is (so no frame of
 * a segment that was used before passes), if its checksum matches, and if its epoch is at least that of the group before
 * and at most {@code maxEpoch} (so no frame passes that an earlier opening left behind the end). Where that fails, the
 * walk ends; what the end means, the user has to know.
 */
final class LogGroupWalker {
    /** Reads are this long, or as long as a group needs: short enough for the checksum to find the bytes in the cache. */
    private static final int CHUNK_BYTES = 1 << 20;

    /** Enough for a log that holds next to nothing, and for most single groups; what goes on is read in whole chunks. */
    private static final int FIRST_CHUNK_BYTES = 64 << 10;

    private final List<Segment> row;
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

    /** @param row retained by the caller for as long as the walk lasts, without gaps */
    LogGroupWalker(List<Segment> row, long storeId, long maxEpoch) {
        this.row = row;
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

    /** Starts over at an lsn in the row, or at the end of its last segment. */
    void seek(long lsn) {
        segmentIndex = 0;
        while (!row.get(segmentIndex).holds(lsn) && segmentIndex < row.size() - 1) {
            segmentIndex++;
        }
        endLsn = Math.max(lsn, segment().firstLsn());
        lastEpoch = 0;
    }

    /** Goes to the next group; false when there is none, and {@link #endLsn()} and {@link #problem()} then say where and why. */
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
            wrong = "the group here was left behind by epoch " + epoch();
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

    /** What is wrong with the group there by itself; null when nothing is and it has become the current one. */
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

    /** Has the chunk hold these bytes, the group's start among them at {@code groupStart}. */
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
        segment.read(lsn + held, chunk);
        chunk.flip();
        return lengthBytes <= chunk.limit();
    }

    /** Keeps what the chunk holds of the current group, followed by room; makes the chunk larger for a large group. */
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

    /** The current group; good until the next step. */
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

    /** Behind the last group accepted, or where the walk started. */
    long endLsn() {
        return endLsn;
    }

    /** The segment in which the walk stands. */
    Segment segment() {
        return row.get(segmentIndex);
    }

    /** Why the walk ended. */
    String problem() {
        return problem;
    }
}
