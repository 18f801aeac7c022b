package io.rivulet.broker.txn;

import io.rivulet.protocol.message.FetchResponse.AbortedTransaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is open and what was aborted in one queue.
 *
 * <pre>
 * open:     producer id 8 | first offset 8                                             in the order of first offsets
 * aborted:  producer id 8 | first offset 8 | marker's offset 8 | first open offset 8   in the order of markers
 * </pre>
 *
 * The first open offset is that behind the marker's application; what is aborted later begins there or behind it, so a search may end
 * at an entry whose first open offset is behind what was asked for.
 *
 * <p>One thread changes it, any thread reads; guarded by its monitor.
 */
final class QueueHistory {
    static final long NONE_OPEN = Long.MAX_VALUE;

    private static final int OPEN_WORDS = 2;
    private static final int ABORTED_WORDS = 4;

    private long[] open = {};
    private int openCount;
    private long[] aborted = {};
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
        return true;
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
        if (!committed && (abortedCount == 0 || markerOffset(abortedCount - 1) < markerOffset)) {
            addAborted(producerId, firstOffset, markerOffset, firstOpenOffset());
        }
        return true;
    }

    private int find(long producerId) {
        for (int i = 0; i < openCount; i++) {
            if (open[i * OPEN_WORDS] == producerId) {
                return i;
            }
        }
        return -1;
    }

    private void addAborted(long producerId, long firstOffset, long markerOffset, long firstOpenOffset) {
        int at = abortedCount * ABORTED_WORDS;
        if (at == aborted.length) {
            aborted = Arrays.copyOf(aborted, Math.max(ABORTED_WORDS, 2 * aborted.length));
        }
        aborted[at] = producerId;
        aborted[at + 1] = firstOffset;
        aborted[at + 2] = markerOffset;
        aborted[at + 3] = firstOpenOffset;
        abortedCount++;
    }

    /** Forgets what ended before the queue's start; answers how much. */
    synchronized int trim(long startOffset) {
        int gone = firstWithMarkerFrom(startOffset);
        if (gone > 0) {
            abortedCount -= gone;
            aborted = Arrays.copyOfRange(aborted, gone * ABORTED_WORDS, (gone + abortedCount) * ABORTED_WORDS);
        }
        return gone;
    }

    synchronized boolean isEmpty() {
        return openCount == 0 && abortedCount == 0;
    }

    synchronized int abortedCount() {
        return abortedCount;
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

    synchronized List<AbortedTransaction> aborted(long fromOffset, long untilOffset) {
        List<AbortedTransaction> found = new ArrayList<>(0);
        for (int i = firstWithMarkerFrom(fromOffset); i < abortedCount; i++) {
            int at = i * ABORTED_WORDS;
            if (aborted[at + 1] < untilOffset) {
                found.add(new AbortedTransaction().producerId(aborted[at]).firstOffset(aborted[at + 1]));
            }
            if (aborted[at + 3] >= untilOffset && aborted[at + 2] >= untilOffset) {
                break;
            }
        }
        return found;
    }

    private int firstWithMarkerFrom(long offset) {
        int low = 0;
        int high = abortedCount;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (markerOffset(middle) < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private long markerOffset(int index) {
        return aborted[index * ABORTED_WORDS + 2];
    }

    // ---- snapshot ----

    /** {@code | open 4 | open | aborted 4 | aborted |}. */
    synchronized void write(ByteBuffer out) {
        out.putInt(openCount);
        out.asLongBuffer().put(open, 0, openCount * OPEN_WORDS);
        out.position(out.position() + openCount * OPEN_WORDS * Long.BYTES);
        out.putInt(abortedCount);
        out.asLongBuffer().put(aborted, 0, abortedCount * ABORTED_WORDS);
        out.position(out.position() + abortedCount * ABORTED_WORDS * Long.BYTES);
    }

    synchronized int bytes() {
        return 2 * Integer.BYTES + (openCount * OPEN_WORDS + abortedCount * ABORTED_WORDS) * Long.BYTES;
    }

    static QueueHistory read(ByteBuffer in) {
        QueueHistory history = new QueueHistory();
        history.openCount = in.getInt();
        history.open = longs(in, history.openCount * OPEN_WORDS);
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
