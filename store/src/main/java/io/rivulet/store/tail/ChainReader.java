package io.rivulet.store.tail;

import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.stream.StreamRecord;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Walks along a chain that may be freed and overwritten meanwhile: every handle, length and count is checked before it
 * is used. So a walk always ends, with false if the bytes can't be a chain. The caller checks afterwards whether the
 * copy is valid.
 *
 * <p>Stateless; the cursor belongs to the calling thread.
 */
final class ChainReader {
    private final ChunkPool pool;
    private final TailMarks marks;
    private final int lookEveryBytes;

    ChainReader(ChunkPool pool, TailMarks marks, int lookEveryBytes) {
        this.pool = pool;
        this.marks = marks;
        this.lookEveryBytes = lookEveryBytes;
    }

    /** Moves the cursor to the record with the offset. Returns false if the chain has changed meanwhile. */
    boolean skipTo(Tail tail, TailCursor cursor, long fromOffset, long[] rows, int row, long highestStart) {
        int bytesSinceLook = 0;
        boolean mayJump = true;
        while (decode(cursor)) {
            long next = cursor.offset + cursor.header.recordCount();
            if (next > fromOffset) {
                return true;
            }
            int recordBytes = cursor.header.recordBytes();
            if (!advance(cursor, recordBytes)) {
                return false;
            }
            cursor.offset = next;
            bytesSinceLook += recordBytes;
            if (bytesSinceLook >= lookEveryBytes) {
                tail.interleave();
                if (!tail.undisturbed(rows, row, highestStart)) {
                    return false;
                }
                if (mayJump) {
                    jump(cursor, fromOffset);
                    mayJump = false;
                }
                bytesSinceLook = 0;
            }
        }
        return false;
    }

    /**
     * Moves the cursor to the best mark. The mark is as valid as the walk so far: the walk counts only if the tail's
     * start stays at or below the start of the walk. Everything above that is still in the chain.
     */
    private void jump(TailCursor cursor, long fromOffset) {
        TailMarks.Mark mark = marks.find(cursor.queueId, cursor.offset, fromOffset);
        if (mark != null) {
            cursor.chunk = QueueRow.headChunk(mark.place());
            cursor.at = QueueRow.headAt(mark.place());
            cursor.offset = mark.offset();
        }
    }

    /**
     * Copies records from the cursor's place to the end offset or the limits, moves the cursor after them and puts the
     * number of bytes into it. A reference counts at least as much as its payload. If nothing is copied, the first
     * record is larger than {@code room}, and the number is its size.
     */
    boolean copy(TailCursor cursor, long endOffset, int maxBytes, ByteBuffer dst) {
        int chunk = cursor.chunk;
        int at = cursor.at;
        cursor.startChunk = chunk;
        cursor.startAt = at;
        cursor.startOffset = cursor.offset;
        cursor.bytes = 0;
        cursor.batches = 0;
        return measure(cursor, endOffset, maxBytes, dst.remaining())
                && (cursor.batches == 0 || copyBytes(chunk, at, cursor.bytes, dst));
    }

    private boolean measure(TailCursor cursor, long endOffset, int maxBytes, int room) {
        int left = maxBytes;
        while (cursor.offset < endOffset) {
            if (!decode(cursor)) {
                return false;
            }
            int recordBytes = cursor.header.recordBytes();
            int countedBytes = cursor.header.isReference() ? StreamRecord.REFERENCE_FROM_BYTES : recordBytes;
            boolean isTooMuch = cursor.batches > 0 && countedBytes > left;
            if (isTooMuch || recordBytes > room - cursor.bytes) {
                cursor.bytes = cursor.batches > 0 ? cursor.bytes : recordBytes;
                return true;
            }
            if (!advance(cursor, recordBytes)) {
                return false;
            }
            left -= countedBytes;
            cursor.bytes += recordBytes;
            cursor.batches++;
            cursor.offset += cursor.header.recordCount();
        }
        return cursor.offset == endOffset;
    }

    private boolean copyBytes(int fromChunk, int fromAt, int bytes, ByteBuffer dst) {
        int chunk = fromChunk;
        int at = fromAt;
        int to = dst.position();
        int left = bytes;
        while (true) {
            ByteBuffer slab = pool.slab(chunk);
            if (slab == null) {
                return false;
            }
            int length = Math.min(left, ChunkPool.CHUNK_BYTES - at);
            Bytes.copy(slab, pool.base(chunk) + at, dst, to, length);
            to += length;
            left -= length;
            if (left == 0) {
                return true;
            }
            chunk = pool.link(chunk);
            at = ChunkPool.LINK_BYTES;
        }
    }

    /** Decodes the header at the cursor's place. At the end of a chunk, moves to the next chunk first. */
    private boolean decode(TailCursor cursor) {
        if (cursor.at == ChunkPool.CHUNK_BYTES) {
            cursor.chunk = pool.link(cursor.chunk);
            cursor.at = ChunkPool.LINK_BYTES;
        }
        ByteBuffer slab = pool.slab(cursor.chunk);
        if (slab == null || cursor.at < ChunkPool.LINK_BYTES || cursor.at > ChunkPool.CHUNK_BYTES) {
            return false;
        }
        int base = pool.base(cursor.chunk);
        return cursor.header.decode(slab, base + cursor.at, base + ChunkPool.CHUNK_BYTES)
                || decodeStraddling(cursor, slab, base);
    }

    private boolean decodeStraddling(TailCursor cursor, ByteBuffer slab, int base) {
        ByteBuffer scratch = cursor.scratch;
        int here = Math.min(ChunkPool.CHUNK_BYTES - cursor.at, scratch.capacity());
        Bytes.copy(slab, base + cursor.at, scratch, 0, here);
        int next = pool.link(cursor.chunk);
        @Nullable ByteBuffer nextSlab = pool.slab(next);
        if (nextSlab == null) {
            return false;
        }
        Bytes.copy(nextSlab, pool.base(next) + ChunkPool.LINK_BYTES, scratch, here, scratch.capacity() - here);
        return cursor.header.decode(scratch, 0, scratch.capacity());
    }

    /** Moves the place, to the end of a chunk rather than to the beginning of the next, which may not exist yet. */
    private boolean advance(TailCursor cursor, int bytes) {
        int at = cursor.at + bytes;
        int chunk = cursor.chunk;
        while (at > ChunkPool.CHUNK_BYTES) {
            chunk = pool.link(chunk);
            at -= ChunkPool.STREAM_BYTES;
            if (chunk == ChunkPool.NONE) {
                return false;
            }
        }
        cursor.chunk = chunk;
        cursor.at = at;
        return true;
    }
}
