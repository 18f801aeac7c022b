package io.rivulet.store.tail;

import io.rivulet.store.memory.Slabs;
import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamRecord;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/**
 * The recent end of each queue's stream, in chains of chunks; records span chunks.
 *
 * <h2>Threads</h2> The log-writer thread appends, publishes, releases and drops. Any thread reads. A reader takes no
 * lock, writes nothing and never delays the writer. It copies first and then checks that the copied chunks still
 * belonged to the queue. Slabs are never unmapped. So a reader that loses the race reads garbage, which is checked
 * against bounds and discarded.
 *
 * <h2>The protocol</h2> {@code tailStart} is a sequence lock whose stamp is an offset, so it never returns to an older
 * value.
 *
 * <pre>
 * writer, release T to N            reader, from the head                  reader, from a cursor at w
 * 1  tailStart = ~N   opaque        1  s = tailStart          acquire      1  tailStart &lt; w, else go to the head
 * 2  releaseFence                      s &lt; 0: begin again               2  e = endOffset   acquire
 * 3  head = boundary  opaque        2  e = endOffset          acquire      3  walk and copy   plain
 * 4  tailStart = N    release       3  h = head               opaque       4  acquireFence
 * 5  chunks before the boundary     4  walk and copy [s, e)   plain        5  settled(tailStart) &lt; w, else
 *    may be reused, any time        5  acquireFence                           begin again
 *                                   6  tailStart == s, else begin again    (settled(~N) = N)
 * </pre>
 *
 * <i>No reused chunk is accepted.</i> Suppose that a load in the reader's walk sees a store of the writer's step 3 or
 * 5. There is an acquireFence between this load and the final load of tailStart, and a releaseFence between step 1 and
 * that store. So the final load sees ~N or a later value. A stamp only grows, so it is not s. This is the argument of
 * {@code StampedLock}'s optimistic read. It needs no store order of the hardware except these fences. <br><i>No half
 * move is accepted.</i> Head and stamp are two words. A reader that acquires s = N at step 1 saw step 4, hence step 3:
 * its head is that of N. A reader between steps 1 and 4 sees a negative stamp and begins again. <br><i>All published
 * records are there.</i> Links, bytes and the head of a new chain are stored before endOffset is released, and loaded
 * after it was acquired. endOffset is loaded after the stamp, so e is not below s. <br><i>A cursor stays valid after
 * releases.</i> Its place is directly after the record that ends at w. So it is in or at the end of a chunk that has a
 * byte below w, or at the beginning of the next chunk. If tailStart &lt; w, that byte is not before the boundary, so
 * its chunk and all later ones are still in the chain. If tailStart == w, the chunk may be freed, and the head is at
 * the same place. {@link TailMarks} are cursors without an owner. <br><i>Delete</i> is a release to {@link
 * QueueRow#ABSENT}, which is above every offset; ids are not reused.
 *
 * <p>Owned by: log-writer thread, except reads.
 */
public class Tail {
    /** The sweep keeps one chunk in this many free, so at least these are free when no group is in flight. */
    public static final int UNSWEPT_SHARE = 4;

    /** Records that {@link #appendAll} touches before it appends them. */
    private static final int WINDOW = 64;

    /** Free chunks that it touches: more than a window of small records needs. */
    private static final int TOUCH_FREE = WINDOW / 2;

    private static final int MARK_EVERY_CHUNKS = 256;

    private final QueueTable table;
    private final ChunkPool pool;
    private final TailMarks marks;
    private final ChainReader reader;
    private final ChainCopier copier;
    private final long[] lasts = new long[WINDOW];
    private int referenceFromBytes = StreamRecord.REFERENCE_FROM_BYTES;

    /** Keeps the compiler from removing the loads of a touch. */
    @SuppressWarnings("UnusedVariable")
    private long touched;

    /** A tail of at most this many bytes, in slabs that are allocated as needed. */
    public Tail(QueueTable table, long capacityBytes) {
        this(table, capacityBytes, ByteBuffer::allocateDirect);
    }

    /** @param allocator allocates a slab of so many bytes, or throws an OutOfMemoryError */
    public Tail(QueueTable table, long capacityBytes, IntFunction<ByteBuffer> allocator) {
        this(table, new Slabs("tail", capacityBytes, slabBytes(capacityBytes), allocator));
    }

    Tail(QueueTable table, Slabs slabs) {
        this(table, slabs, MARK_EVERY_CHUNKS, MARK_EVERY_CHUNKS * ChunkPool.CHUNK_BYTES);
    }

    Tail(QueueTable table, Slabs slabs, int markEveryChunks, int lookEveryBytes) {
        this.table = table;
        this.pool = new ChunkPool(slabs);
        this.marks = new TailMarks(pool.capacity(), markEveryChunks);
        this.reader = new ChainReader(pool, marks, lookEveryBytes);
        this.copier = new ChainCopier(pool);
    }

    /** Slabs of a 16th of the tail: few, and small enough to be allocated quickly. */
    private static int slabBytes(long capacityBytes) {
        long sixteenth = Long.highestOneBit(Math.max(capacityBytes / 16, 1));
        return (int) Math.max(64 << 10, Math.min(64 << 20, sixteenth));
    }

    /** Before the first record: payloads of this length are the shortest that stay in the log. */
    public void referFrom(int payloadBytes) {
        referenceFromBytes = payloadBytes;
    }

    /** Whether a payload of this length is in the tail. If not, the tail has a reference to it. */
    public boolean holds(int payloadLength) {
        return payloadLength < referenceFromBytes;
    }

    // ---- log-writer thread: room ----

    /** The most bytes that a record with this payload needs. */
    public int recordBytes(int payloadLength) {
        return StreamRecord.MAX_HEADER_BYTES + (holds(payloadLength) ? payloadLength : StreamRecord.REFERENCE_BYTES);
    }

    /** The most chunks that any record needs. */
    public int largestRecordChunks() {
        return chunksFor(recordBytes(referenceFromBytes - 1));
    }

    /** The most chunks of a record of this size, for any end of its queue's chain. */
    public static int chunksFor(int recordBytes) {
        return (recordBytes + ChunkPool.STREAM_BYTES - 1) / ChunkPool.STREAM_BYTES;
    }

    /**
     * Reserves chunks for records that will be appended. False if the tail has no room for them; then the caller stops
     * admitting. {@link #unreserve} the same number when they are appended, or when they will not be.
     *
     * @throws OutOfMemoryError if the JVM gives so little memory that some record never has room: nothing that the
     *     caller could wait for would help
     */
    public boolean reserve(int chunks) {
        boolean reserved = pool.reserve(chunks);
        if (!reserved && pool.canNeverHold(largestRecordChunks())) {
            throw new OutOfMemoryError("the JVM gives the tail " + capacityBytes() + " bytes, and a record may need "
                    + (long) largestRecordChunks() * ChunkPool.CHUNK_BYTES + ": raise -XX:MaxDirectMemorySize");
        }
        return reserved;
    }

    public void unreserve(int chunks) {
        pool.unreserve(chunks);
    }

    /** Whether memory should be allocated before the log writer needs it. Any thread; cheap. */
    public boolean wantsMemory() {
        return pool.wantsSlab();
    }

    /**
     * Allocates memory if {@link #wantsMemory}, so that the log writer does not wait for the system. Any thread, at any
     * time.
     */
    public void prepareMemory() {
        pool.prepareSlab();
    }

    /** Any thread: whether memory should be allocated for this much log that is still to be replayed. Cheap. */
    public boolean lacksMemoryFor(long logBytes) {
        return pool.lacksSlabsFor(logBytes);
    }

    /**
     * Any thread, at any time: allocates a part of that, at most about half of the tail ahead. False if it is already
     * allocated.
     */
    public boolean prepareMemoryFor(long logBytes) {
        return pool.prepareSlabsFor(logBytes);
    }

    // ---- log-writer thread: append and publish ----

    /** Adds one encoded record to the stream of the queue. Readers see it when it is published. */
    public void append(int queueId, ByteBuffer src, int at, int length) {
        long[] rows = requireRows(queueId);
        int row = QueueTable.row(queueId);
        long last = QueueRow.getPlain(rows, row + QueueRow.LAST);
        int chunk = QueueRow.lastChunk(last);
        int writeAt = QueueRow.writeAt(last);
        if (chunk == ChunkPool.NONE) {
            chunk = beginChain(queueId, rows, row);
            writeAt = ChunkPool.LINK_BYTES;
        }
        if (length <= ChunkPool.CHUNK_BYTES - writeAt) {
            Bytes.copy(src, at, pool.ownSlab(chunk), pool.base(chunk) + writeAt, length);
            QueueRow.setOpaque(rows, row + QueueRow.LAST, QueueRow.withLast(last, chunk, writeAt + length));
        } else {
            long end = appendStraddling(queueId, QueueRow.head(chunk, writeAt), src, at, length);
            QueueRow.setOpaque(
                    rows, row + QueueRow.LAST, QueueRow.withLast(last, QueueRow.headChunk(end), QueueRow.headAt(end)));
        }
    }

    private int beginChain(int queueId, long[] rows, int row) {
        if (QueueRow.getPlain(rows, row + QueueRow.TAIL_START) == QueueRow.ABSENT) {
            throw new IllegalStateException("queue " + queueId + " does not exist");
        }
        int chunk = pool.acquire();
        QueueRow.setOpaque(rows, row + QueueRow.HEAD, QueueRow.head(chunk, ChunkPool.LINK_BYTES));
        table.dirty().set(queueId);
        return chunk;
    }

    private long appendStraddling(int queueId, long place, ByteBuffer src, int from, int length) {
        int chunk = QueueRow.headChunk(place);
        int at = QueueRow.headAt(place);
        int copied = 0;
        while (true) {
            int part = Math.min(length - copied, ChunkPool.CHUNK_BYTES - at);
            Bytes.copy(src, from + copied, pool.ownSlab(chunk), pool.base(chunk) + at, part);
            copied += part;
            at += part;
            if (copied == length) {
                return QueueRow.head(chunk, at);
            }
            int next = pool.acquire();
            pool.setLink(chunk, next);
            marks.added(next, queueId);
            chunk = next;
            at = ChunkPool.LINK_BYTES;
        }
    }

    /** Makes records before the offset readable; it must be the end of the last appended record. */
    public void publish(int queueId, long endOffset) {
        table.publish(queueId, endOffset);
        if (marks.isPending(queueId)) {
            long last = QueueRow.getPlain(requireRows(queueId), QueueTable.row(queueId) + QueueRow.LAST);
            marks.leave(queueId, endOffset, QueueRow.head(QueueRow.lastChunk(last), QueueRow.writeAt(last)));
        }
    }

    /**
     * Appends and publishes all records, in order, except those of deleted queues. With many queues each record costs
     * several misses of cache and address translation. Touching the memory for a window of records first lets the
     * misses overlap.
     */
    public void appendAll(TailAppends appends) {
        for (int from = 0; from < appends.count; from += WINDOW) {
            int to = Math.min(from + WINDOW, appends.count);
            touched = touchChunks(appends, from, to);
            for (int i = from; i < to; i++) {
                if (table.exists(appends.queueIds[i])) {
                    append(appends.queueIds[i], appends.src, appends.recordAt[i], appends.recordBytes[i]);
                    publish(appends.queueIds[i], appends.endOffsets[i]);
                }
            }
        }
    }

    private long touchChunks(TailAppends appends, int from, int to) {
        long sum = pool.touchFree(TOUCH_FREE);
        for (int i = from; i < to; i++) {
            int queueId = appends.queueIds[i];
            long[] rows = table.rows(queueId);
            if (rows != null) {
                int row = QueueTable.row(queueId);
                sum += rows[row + QueueRow.END_OFFSET];
                lasts[i - from] = rows[row + QueueRow.LAST];
            }
        }
        for (int i = 0; i < to - from; i++) {
            sum += pool.touch(QueueRow.lastChunk(lasts[i]), QueueRow.writeAt(lasts[i]));
        }
        return sum;
    }

    // ---- log-writer thread: release and drop ----

    /**
     * Frees the chunks before the boundaries of the releases {@code from} to {@code to - 1}. The caller limits their
     * number, so that appends do not wait for all of them. Their records are in block files that readers can see. For a
     * queue that was deleted meanwhile, frees nothing.
     *
     * @return how many of them were not void
     */
    public int releaseAll(TailReleases releases, int from, int to) {
        int released = 0;
        for (int i = from; i < to; i++) {
            released += release(releases, i) ? 1 : 0;
        }
        return released;
    }

    boolean release(TailReleases releases, int i) {
        int queueId = releases.queueIds[i];
        long newTailStart = releases.newStarts[i];
        long boundary = releases.boundaries[i];
        long[] rows = table.rows(queueId);
        int row = QueueTable.row(queueId);
        if (rows == null || QueueRow.getPlain(rows, row + QueueRow.TAIL_START) != releases.oldStarts[i]) {
            return false;
        }
        requireBoundary(queueId, rows, row, newTailStart);
        long oldHead = QueueRow.getPlain(rows, row + QueueRow.HEAD);
        long last = QueueRow.getPlain(rows, row + QueueRow.LAST);
        long end = QueueRow.head(QueueRow.lastChunk(last), QueueRow.writeAt(last));
        int fromChunk = releases.chunksFrom(i);
        int toChunk = releases.chunkEnds[i];
        if (releases.chunks[fromChunk] != QueueRow.headChunk(oldHead)
                || releases.chunks[toChunk - 1] != QueueRow.headChunk(boundary)) {
            throw new IllegalStateException("queue " + queueId + ": other chunks were noted than those of its chain");
        }
        long newHead = boundary == end ? 0 : intoNextChunk(boundary);
        moveStart(rows, row, newTailStart, newHead);
        if (newHead == 0) {
            QueueRow.setOpaque(rows, row + QueueRow.LAST, QueueRow.withLast(last, ChunkPool.NONE, 0));
            table.dirty().clear(queueId);
        }
        boolean staysInUse = newHead == boundary;
        freeChunks(releases.chunks, fromChunk, staysInUse ? toChunk - 1 : toChunk);
        return true;
    }

    /** Frees the chunks with indexes {@code [from, to)}. */
    void freeChunks(int[] chunks, int from, int to) {
        pool.free(chunks, from, to);
    }

    private static void requireBoundary(int queueId, long[] rows, int row, long newTailStart) {
        long from = QueueRow.getPlain(rows, row + QueueRow.TAIL_START);
        long end = QueueRow.getPlain(rows, row + QueueRow.END_OFFSET);
        if (newTailStart <= from || newTailStart > end) {
            throw new IllegalArgumentException("queue " + queueId + ": can't release up to offset " + newTailStart
                    + ", the published tail is [" + from + ", " + end + ")");
        }
    }

    /** The same place, at the beginning of a chunk rather than at the end of the one before. */
    private long intoNextChunk(long place) {
        return QueueRow.headAt(place) == ChunkPool.CHUNK_BYTES
                ? QueueRow.head(pool.ownLink(QueueRow.headChunk(place)), ChunkPool.LINK_BYTES)
                : place;
    }

    /** Steps 1 to 4 of the protocol. */
    void moveStart(long[] rows, int row, long newTailStart, long newHead) {
        QueueRow.setOpaque(rows, row + QueueRow.TAIL_START, ~newTailStart);
        VarHandle.releaseFence();
        interleave();
        QueueRow.setOpaque(rows, row + QueueRow.HEAD, newHead);
        interleave();
        QueueRow.setRelease(rows, row + QueueRow.TAIL_START, newTailStart);
    }

    /** Frees the chunks from {@code from} to the one before {@code until}. */
    private void freeChain(int from, int until) {
        for (int chunk = from; chunk != until; ) {
            int next = pool.ownLink(chunk);
            pool.free(chunk);
            chunk = next;
        }
    }

    /** Deletes the queue and its chain. No effect if it does not exist. */
    public void drop(int queueId) {
        marks.forget(queueId);
        long[] rows = table.rows(queueId);
        if (rows == null || !table.exists(queueId)) {
            return;
        }
        int row = QueueTable.row(queueId);
        long head = QueueRow.getPlain(rows, row + QueueRow.HEAD);
        int lastChunk = QueueRow.lastChunk(QueueRow.getPlain(rows, row + QueueRow.LAST));
        table.dirty().clear(queueId);
        table.delete(queueId);
        VarHandle.releaseFence();
        QueueRow.setOpaque(rows, row + QueueRow.HEAD, 0);
        QueueRow.setOpaque(rows, row + QueueRow.LAST, 0);
        if (head != 0) {
            freeChain(QueueRow.headChunk(head), lastChunk);
            pool.free(lastChunk);
        }
    }

    // ---- any thread ----

    /**
     * Copies whole records, from the one with {@code fromOffset} to the published end, to {@code dst} at its position,
     * which moves only if the result is OK. Stops before a record that would exceed {@code maxBytes}, but copies at
     * least one if {@code dst} has room for it. The bytes after {@code dst}'s position may be overwritten in any case.
     */
    public TailRead read(int queueId, long fromOffset, int maxBytes, ByteBuffer dst, TailCursor cursor) {
        TailRead result = tryRead(queueId, fromOffset, maxBytes, dst, cursor);
        while (result == TailRead.DISTURBED) {
            Thread.onSpinWait();
            result = tryRead(queueId, fromOffset, maxBytes, dst, cursor);
        }
        return result;
    }

    /**
     * The sweeper's read: copies published records from the start of the tail, as many as {@code dst} has room for. The
     * next call with the same cursor continues. Begin each queue with a {@link TailCursor#reset}. When the copy is
     * durable and visible, the log writer calls {@link #releaseAll} with the notes.
     *
     * @param referencedBytes stops when the copied records refer to so many bytes
     */
    public TailRead copyChain(
            int queueId, ByteBuffer dst, long referencedBytes, TailCursor cursor, TailReleases notes) {
        TailRead result = tryCopyChain(queueId, dst, referencedBytes, cursor, notes);
        while (result == TailRead.DISTURBED) {
            Thread.onSpinWait();
            result = tryCopyChain(queueId, dst, referencedBytes, cursor, notes);
        }
        return result;
    }

    /** One attempt; the steps are those of {@link #tryRead}. */
    private TailRead tryCopyChain(
            int queueId, ByteBuffer dst, long referencedBytes, TailCursor cursor, TailReleases notes) {
        long[] rows = table.rows(queueId);
        if (rows == null) {
            return TailRead.NO_QUEUE;
        }
        int row = QueueTable.row(queueId);
        long stamp = QueueRow.getAcquire(rows, row + QueueRow.TAIL_START);
        if (stamp == QueueRow.ABSENT) {
            return TailRead.NO_QUEUE;
        }
        long endOffset = QueueRow.getAcquire(rows, row + QueueRow.END_OFFSET);
        boolean goesOn = cursor.queueId == queueId && cursor.offset > QueueRow.settled(stamp);
        long fromOffset = goesOn ? cursor.offset : QueueRow.settled(stamp);
        if (!goesOn) {
            notes.forget();
        }
        if (fromOffset >= endOffset) {
            return TailRead.NOTHING;
        }
        long highestStart = place(cursor, queueId, fromOffset, stamp, rows, row);
        if (highestStart < 0) {
            return TailRead.DISTURBED;
        }
        interleave();
        long last = QueueRow.getOpaque(rows, row + QueueRow.LAST);
        boolean sound = copier.copy(cursor, endOffset, last, dst, referencedBytes, notes);
        interleave();
        VarHandle.acquireFence();
        return conclude(sound, undisturbed(rows, row, highestStart), dst, cursor);
    }

    /** One attempt of {@link #read}; the steps are those of the protocol. */
    TailRead tryRead(int queueId, long fromOffset, int maxBytes, ByteBuffer dst, TailCursor cursor) {
        long[] rows = table.rows(queueId);
        if (rows == null) {
            return TailRead.NO_QUEUE;
        }
        int row = QueueTable.row(queueId);
        long stamp = QueueRow.getAcquire(rows, row + QueueRow.TAIL_START);
        if (stamp == QueueRow.ABSENT) {
            return TailRead.NO_QUEUE;
        }
        if (fromOffset < QueueRow.settled(stamp)) {
            return TailRead.BELOW_TAIL;
        }
        long endOffset = QueueRow.getAcquire(rows, row + QueueRow.END_OFFSET);
        if (fromOffset >= endOffset) {
            return TailRead.NOTHING;
        }
        long highestStart = place(cursor, queueId, fromOffset, stamp, rows, row);
        if (highestStart < 0) {
            return TailRead.DISTURBED;
        }
        interleave();
        boolean sound = reader.skipTo(this, cursor, fromOffset, rows, row, highestStart)
                && reader.copy(cursor, endOffset, maxBytes, dst);
        interleave();
        VarHandle.acquireFence();
        return conclude(sound, undisturbed(rows, row, highestStart), dst, cursor);
    }

    /**
     * Keeps the cursor's place if it is useful; else moves it to where the last read began, or to the chain's head.
     *
     * @return the highest start of the tail with which a walk from there is undisturbed; negative to begin again
     */
    private long place(TailCursor cursor, int queueId, long fromOffset, long stamp, long[] rows, int row) {
        if (cursor.queueId == queueId && cursor.offset > fromOffset && cursor.startOffset <= fromOffset) {
            cursor.backToStart();
        }
        if (cursor.queueId == queueId && cursor.offset <= fromOffset && cursor.offset > QueueRow.settled(stamp)) {
            return cursor.offset - 1;
        }
        cursor.reset();
        if (stamp < 0) {
            return stamp;
        }
        long head = QueueRow.getOpaque(rows, row + QueueRow.HEAD);
        cursor.queueId = queueId;
        cursor.chunk = QueueRow.headChunk(head);
        cursor.at = QueueRow.headAt(head);
        cursor.offset = stamp;
        return stamp;
    }

    /** The last step, after the fence. */
    boolean undisturbed(long[] rows, int row, long highestStart) {
        return QueueRow.settled(QueueRow.getOpaque(rows, row + QueueRow.TAIL_START)) <= highestStart;
    }

    private static TailRead conclude(boolean sound, boolean undisturbed, ByteBuffer dst, TailCursor cursor) {
        if (!undisturbed) {
            cursor.reset();
            return TailRead.DISTURBED;
        }
        if (!sound) {
            throw new IllegalStateException("queue " + cursor.queueId + ": the chain is broken near offset "
                    + cursor.offset + " (chunk " + cursor.chunk + " at " + cursor.at + ")");
        }
        if (cursor.batches == 0) {
            return TailRead.TOO_SMALL;
        }
        dst.position(dst.position() + cursor.bytes);
        return TailRead.OK;
    }

    /** Tests override it to run the other side. */
    void interleave() {}

    ChunkPool pool() {
        return pool;
    }

    /** For a thread that will copy many chains. */
    public ChainWarmer warmer() {
        return new ChainWarmer(table, pool);
    }

    /** Chunks in chains. */
    public int usedChunks() {
        return pool.used();
    }

    /** The greatest number of chunks. */
    public int capacityChunks() {
        return pool.capacity();
    }

    /** Of memory that the chunks in use take. */
    public long usedBytes() {
        return (long) usedChunks() * ChunkPool.CHUNK_BYTES;
    }

    /** The capacity in bytes. */
    public long capacityBytes() {
        return (long) capacityChunks() * ChunkPool.CHUNK_BYTES;
    }

    private long[] requireRows(int queueId) {
        long[] rows = table.rows(queueId);
        if (rows == null) {
            throw new IllegalStateException("queue " + queueId + " does not exist");
        }
        return rows;
    }
}
