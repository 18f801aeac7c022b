package io.rivulet.broker.txn;

import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The open and aborted transactions of one queue.
 *
 * <pre>
 * open:     producer id 8 | first offset 8                                             in the order of first offsets
 * aborted:  producer id 8 | first offset 8 | marker's offset 8 | first open offset 8   in the order of markers
 * </pre>
 *
 * The first open offset of an aborted transaction is the one after its marker was applied. Transactions that are
 * aborted later begin at that offset or after it, so a search ends at an entry whose first open offset is past the
 * requested range.
 *
 * <p>One thread changes it, any thread reads; guarded by its monitor.
 */
final class QueueHistory {
    static final long NONE_OPEN = Long.MAX_VALUE;

    /** Heap bytes of a new history: the object, its entry in a map, and one transaction. */
    static final int BYTES_AT_FIRST = 200;

    private static final int OPEN_WORDS = 2;
    private static final int ABORTED_WORDS = 4;
    private static final int BYTES_WHEN_EMPTY = 136;
    private static final int BYTES_PER_INDEXED = 100;
    /** With fewer open transactions there is no index. */
    private static final int INDEXED_FROM = 32;

    private long[] open = {};
    private int openCount;
    /** The first offset of each open transaction by producer, if there are many. */
    private @Nullable Map<Long, Long> firstOffsets;

    private long[] aborted = {};
    /** How many at the front have been removed. */
    private int forgotten;

    private int abortedCount;

    // ---- the log writer ----

    /** The producer has written a batch at the offset; true if that opens a transaction. */
    synchronized boolean written(long producerId, long baseOffset) {
        if (find(producerId) >= 0) {
            return false;
        }
        if (openCount * OPEN_WORDS == open.length) {
            open = Arrays.copyOf(open, Math.max(OPEN_WORDS, 2 * open.length));
        }
        open[openCount * OPEN_WORDS] = producerId;
        open[openCount * OPEN_WORDS + 1] = baseOffset;
        openCount++;
        index(producerId, baseOffset);
        return true;
    }

    private void index(long producerId, long baseOffset) {
        if (firstOffsets != null) {
            firstOffsets.put(producerId, baseOffset);
        } else {
            indexIfMany();
        }
    }

    private void indexIfMany() {
        if (openCount > INDEXED_FROM) {
            Map<Long, Long> all = new HashMap<>();
            for (int i = 0; i < openCount; i++) {
                all.put(open[i * OPEN_WORDS], open[i * OPEN_WORDS + 1]);
            }
            firstOffsets = all;
        }
    }

    /** The producer's transaction has ended with a marker at the offset; true if there was one. */
    synchronized boolean ended(long producerId, long markerOffset, boolean committed) {
        int index = find(producerId);
        if (index < 0) {
            return false;
        }
        long firstOffset = open[index * OPEN_WORDS + 1];
        int behind = (index + 1) * OPEN_WORDS;
        System.arraycopy(open, behind, open, behind - OPEN_WORDS, openCount * OPEN_WORDS - behind);
        openCount--;
        if (firstOffsets != null) {
            firstOffsets.remove(producerId);
            firstOffsets = openCount == 0 ? null : firstOffsets;
        }
        if (openCount == 0 && open.length > INDEXED_FROM * OPEN_WORDS) {
            open = new long[0];
        }
        if (!committed && (abortedCount == 0 || markerOffset(abortedCount - 1) < markerOffset)) {
            addAborted(producerId, firstOffset, markerOffset, firstOpenOffset());
        }
        return true;
    }

    private int find(long producerId) {
        if (firstOffsets != null) {
            Long first = firstOffsets.get(producerId);
            return first == null ? -1 : firstFrom(first, open, 0, openCount, OPEN_WORDS, 1);
        }
        for (int i = 0; i < openCount; i++) {
            if (open[i * OPEN_WORDS] == producerId) {
                return i;
            }
        }
        return -1;
    }

    private void addAborted(long producerId, long firstOffset, long markerOffset, long firstOpenOffset) {
        int at = (forgotten + abortedCount) * ABORTED_WORDS;
        if (at == aborted.length) {
            int room = abortedCount + Math.max(1, abortedCount / 2);
            moveToFront(room);
            at = abortedCount * ABORTED_WORDS;
        }
        aborted[at] = producerId;
        aborted[at + 1] = firstOffset;
        aborted[at + 2] = markerOffset;
        aborted[at + 3] = firstOpenOffset;
        abortedCount++;
    }

    private void moveToFront(int room) {
        int from = forgotten * ABORTED_WORDS;
        aborted = Arrays.copyOfRange(aborted, from, from + room * ABORTED_WORDS);
        forgotten = 0;
    }

    /** How many aborted transactions ended before the offset. */
    synchronized int endedBefore(long offset) {
        return firstWithMarkerFrom(offset);
    }

    /** Forgets the aborted transactions that ended before the offset. */
    synchronized void forget(long beforeOffset) {
        int removed = firstWithMarkerFrom(beforeOffset);
        forgotten += removed;
        abortedCount -= removed;
        // Moved when as many are removed as remain, so each is moved about once.
        if (removed > 0 && forgotten >= abortedCount) {
            moveToFront(abortedCount);
        }
    }

    synchronized boolean isEmpty() {
        return openCount == 0 && abortedCount == 0;
    }

    /** Approximate heap bytes. */
    synchronized long heapBytes() {
        long index = firstOffsets == null ? 0 : (long) firstOffsets.size() * BYTES_PER_INDEXED;
        return BYTES_WHEN_EMPTY + index + (long) (open.length + aborted.length) * Long.BYTES;
    }

    // ---- any thread ----

    synchronized long firstOpenOffset() {
        return openCount == 0 ? NONE_OPEN : open[1];
    }

    /** Where the producer's transaction begins in the queue, or -1. */
    synchronized long firstOffset(long producerId) {
        int index = find(producerId);
        return index < 0 ? -1 : open[index * OPEN_WORDS + 1];
    }

    /** The aborted transactions of these producers that overlap the range. */
    List<AbortedTransaction> aborted(long fromOffset, long untilOffset, LongPredicate producers) {
        return listed().overlapping(fromOffset, untilOffset, producers);
    }

    private synchronized Listed listed() {
        return new Listed(aborted, forgotten, abortedCount);
    }

    /** Aborted transactions at some time. Rows are never changed in place, so the search needs no lock. Immutable. */
    @SuppressWarnings("ArrayRecordComponent") // a view of the array, which is never compared
    private record Listed(long[] rows, int start, int count) {
        List<AbortedTransaction> overlapping(long fromOffset, long untilOffset, LongPredicate producers) {
            List<AbortedTransaction> found = new ArrayList<>(0);
            int first = firstFrom(fromOffset, rows, start, count, ABORTED_WORDS, 2);
            for (int at = (start + first) * ABORTED_WORDS; at < (start + count) * ABORTED_WORDS; at += ABORTED_WORDS) {
                if (rows[at + 1] < untilOffset && producers.test(rows[at])) {
                    found.add(new AbortedTransaction().producerId(rows[at]).firstOffset(rows[at + 1]));
                }
                if (rows[at + 3] >= untilOffset && rows[at + 2] >= untilOffset) {
                    break;
                }
            }
            return found;
        }
    }

    /** The part of {@link #heapBytes} that remains when no transaction is open. */
    synchronized long abortedBytes() {
        return abortedCount == 0 ? 0 : BYTES_WHEN_EMPTY + (long) aborted.length * Long.BYTES;
    }

    synchronized boolean listsAborted() {
        return abortedCount > 0;
    }

    /** Whether the marker at the offset ends a transaction that is listed as aborted. */
    synchronized boolean isListedAsAborted(long markerOffset) {
        int index = firstWithMarkerFrom(markerOffset);
        return index < abortedCount && markerOffset(index) == markerOffset;
    }

    private int firstWithMarkerFrom(long offset) {
        return firstFrom(offset, aborted, forgotten, abortedCount, ABORTED_WORDS, 2);
    }

    /**
     * The first of the ascending rows whose column has this offset or a higher one; their count if there is none.
     *
     * @param start the row that counts as row 0
     */
    private static int firstFrom(long offset, long[] rows, int start, int count, int words, int column) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (rows[(start + middle) * words + column] < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private long markerOffset(int index) {
        return aborted[(forgotten + index) * ABORTED_WORDS + 2];
    }

    // ---- snapshot ----

    /** {@code | open 4 | open | aborted 4 | aborted |}. */
    synchronized void write(ByteBuffer out) {
        out.putInt(openCount);
        out.asLongBuffer().put(open, 0, openCount * OPEN_WORDS);
        out.position(out.position() + openCount * OPEN_WORDS * Long.BYTES);
        out.putInt(abortedCount);
        out.asLongBuffer().put(aborted, forgotten * ABORTED_WORDS, abortedCount * ABORTED_WORDS);
        out.position(out.position() + abortedCount * ABORTED_WORDS * Long.BYTES);
    }

    synchronized int bytes() {
        return 2 * Integer.BYTES + (openCount * OPEN_WORDS + abortedCount * ABORTED_WORDS) * Long.BYTES;
    }

    static QueueHistory read(ByteBuffer in) {
        QueueHistory history = new QueueHistory();
        history.openCount = in.getInt();
        history.open = longs(in, history.openCount * OPEN_WORDS);
        history.indexIfMany();
        history.abortedCount = in.getInt();
        history.aborted = longs(in, history.abortedCount * ABORTED_WORDS);
        return history;
    }

    private static long[] longs(ByteBuffer in, int count) {
        long[] read = new long[count];
        in.asLongBuffer().get(read);
        in.position(in.position() + count * Long.BYTES);
        return read;
    }
}
