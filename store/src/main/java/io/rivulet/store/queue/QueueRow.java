package io.rivulet.store.queue;

import io.rivulet.store.Store;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Layout of a queue's row: six words of a {@code long[]}.
 *
 * <pre>
 * word 0  nextOffset   the next one to assign; log writer only
 *      1  endOffset    consumers read below it; release
 *      2  tailStart    the tail has [tailStart, endOffset); release; the stamp of optimistic reads
 *                      N = at rest | ~N = moving to N | ABSENT = no such queue
 *      3  head         headChunk (32) | headAt (32): place of tailStart in the stream; headChunk 0 = no chain
 *      4  last         lastChunk (32) | retention class (16) | writeAt (16): place of the next byte in the stream
 *      5  startOffset  consumers read from here on; release
 * </pre>
 *
 * An append uses words 0 to 4. They are side by side, because a row is narrower than a cache line but not aligned to
 * one. Only this package and the tail use it.
 *
 * <p>Stateless. The name of each accessor has its memory order; only the log writer writes.
 */
public final class QueueRow {
    /** Words of a row. */
    public static final int WORDS = Store.BYTES_PER_QUEUE / Long.BYTES;

    public static final int NEXT_OFFSET = 0;
    public static final int END_OFFSET = 1;
    public static final int TAIL_START = 2;
    public static final int HEAD = 3;
    public static final int LAST = 4;
    public static final int START_OFFSET = 5;

    /** The {@link #TAIL_START} of a queue that does not exist (yet, or any more). Greater than any offset. */
    public static final long ABSENT = Long.MAX_VALUE;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private QueueRow() {}

    public static long getPlain(long[] rows, int index) {
        return rows[index];
    }

    public static long getOpaque(long[] rows, int index) {
        return (long) WORD.getOpaque(rows, index);
    }

    public static long getAcquire(long[] rows, int index) {
        return (long) WORD.getAcquire(rows, index);
    }

    public static void setPlain(long[] rows, int index, long value) {
        rows[index] = value;
    }

    public static void setOpaque(long[] rows, int index, long value) {
        WORD.setOpaque(rows, index, value);
    }

    public static void setRelease(long[] rows, int index, long value) {
        WORD.setRelease(rows, index, value);
    }

    public static long head(int chunk, int at) {
        return (long) chunk << 32 | at;
    }

    public static int headChunk(long head) {
        return (int) (head >>> 32);
    }

    public static int headAt(long head) {
        return (int) head;
    }

    public static long last(int chunk, int retentionClass, int writeAt) {
        return (long) chunk << 32 | (long) retentionClass << 16 | writeAt;
    }

    /** The same word with another write place; the class stays. */
    public static long withLast(long last, int chunk, int writeAt) {
        return (long) chunk << 32 | (last & 0xFFFF_0000L) | writeAt;
    }

    public static int lastChunk(long last) {
        return (int) (last >>> 32);
    }

    public static int writeAt(long last) {
        return (int) last & 0xFFFF;
    }

    public static int retentionClass(long last) {
        return (int) last >>> 16;
    }

    /** The tail's start, now or after the current move. */
    public static long settled(long tailStart) {
        return tailStart < 0 ? ~tailStart : tailStart;
    }
}
