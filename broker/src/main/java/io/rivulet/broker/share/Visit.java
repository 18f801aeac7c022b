package io.rivulet.broker.share;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.wire.Records;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pass knows about one row while it claims, reads and acquires it. Used for many rows, one after the other.
 *
 * <p>Owned by: the pass.
 */
final class Visit {
    static final long UNKNOWN = -1;

    /** The slot in the session. */
    int slot;

    /** Whether the pass had begun again with the first slot when it found this one. */
    boolean wrapped;

    int queueId;
    ErrorCode error = ErrorCode.NONE;
    /** The first offset in the log. */
    long logStart;

    long logEnd;
    /** The offset behind the last one that may be read. */
    long readableEnd;
    /** Where the group would begin, if that had to be searched for; or {@link #UNKNOWN}. */
    long searchedStart;
    /** There is no row, and where it begins must be searched for first. */
    boolean needsSearch;

    @Nullable
    Claim claim;

    /** False if the source did not have its records, or the pass was full before. */
    boolean wasRead;
    /** The offset behind the last one that was read. */
    long readUntil;

    final Spans spans = new Spans();

    @Nullable
    Records records;

    List<Acquired> acquired = List.of();
    /** Whether there may be more to acquire. */
    boolean hasMore;

    void begin(int ofSlot, boolean isWrapped) {
        slot = ofSlot;
        wrapped = isWrapped;
        error = ErrorCode.NONE;
        searchedStart = UNKNOWN;
        needsSearch = false;
        claim = null;
        wasRead = false;
        readUntil = 0;
        spans.clear();
        records = null;
        acquired = List.of();
        hasMore = false;
    }

    /** The number of records that were read. */
    long readRecords() {
        long count = 0;
        for (int i = 0; i < spans.size(); i++) {
            count += spans.last(i) - spans.first(i) + 1;
        }
        return count;
    }
}
