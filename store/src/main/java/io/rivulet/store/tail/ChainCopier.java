package io.rivulet.store.tail;

import io.rivulet.store.queue.QueueRow;
import java.nio.ByteBuffer;

/**
 * Copies a chain for the sweep, beginning at a given place: first the bytes, chunk by chunk, and then it finds in the
 * copy where records end. The chunks of a chain are scattered, so each chunk is a cache miss. Here the next chunk is
 * loaded while the one before it is copied.
 *
 * <p>The chain may be freed and overwritten meanwhile, as for {@link ChainReader}. Then the work is still bounded, and
 * the caller discards the copy.
 *
 * <p>Owned by: the sweeper.
 */
final class ChainCopier {
    private final ChunkPool pool;

    /** Keeps the compiler from removing the loads that fetch the next chunk. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    ChainCopier(ChunkPool pool) {
        this.pool = pool;
    }

    /**
     * Copies records from the cursor's place to the end offset, as many as {@code dst} has room for, moves the cursor
     * after them, and notes their chunks.
     *
     * @param last where the chain ended when it was read, not before the end offset
     * @param referencedBytes stops after the record with which the records refer to so many bytes
     * @return false if the bytes can't be a chain
     */
    boolean copy(
            TailCursor cursor, long endOffset, long last, ByteBuffer dst, long referencedBytes, TailReleases notes) {
        if (notes.noted() == 0 && cursor.at < ChunkPool.CHUNK_BYTES) {
            notes.note(cursor.chunk);
        }
        int before = notes.noted();
        int copied = copyBytes(cursor, last, dst, notes);
        boolean sound = copied >= 0 && findEnd(cursor, endOffset, dst, copied, referencedBytes);
        if (sound) {
            moveOn(cursor, before, notes);
        }
        return sound;
    }

    /**
     * Copies up to the last byte of the chain, or as much as {@code dst} has room for; -1 if the bytes can't be a
     * chain.
     */
    private int copyBytes(TailCursor cursor, long last, ByteBuffer dst, TailReleases notes) {
        int chunk = cursor.chunk;
        int at = cursor.at;
        int to = dst.position();
        int room = dst.remaining();
        int lastChunk = QueueRow.lastChunk(last);
        while (room > 0) {
            if (at == ChunkPool.CHUNK_BYTES && chunk != lastChunk) {
                chunk = pool.link(chunk);
                at = ChunkPool.LINK_BYTES;
                notes.note(chunk);
            }
            ByteBuffer slab = pool.slab(chunk);
            int limit = chunk == lastChunk ? QueueRow.writeAt(last) : ChunkPool.CHUNK_BYTES;
            if (slab == null || at < ChunkPool.LINK_BYTES || at > limit || limit > ChunkPool.CHUNK_BYTES) {
                return -1;
            }
            if (chunk != lastChunk) {
                touch(pool.link(chunk));
            }
            int length = Math.min(room, limit - at);
            Bytes.copy(slab, pool.base(chunk) + at, dst, to, length);
            to += length;
            room -= length;
            at += length;
            if (chunk == lastChunk) {
                break;
            }
        }
        return to - dst.position();
    }

    private void touch(int chunk) {
        ByteBuffer slab = pool.slab(chunk);
        if (slab != null) {
            touched += pool.touch(slab, chunk);
        }
    }

    /** Counts the whole records of the copy that are below the end offset. */
    private static boolean findEnd(
            TailCursor cursor, long endOffset, ByteBuffer dst, int copied, long referencedBytes) {
        int from = dst.position();
        int to = from + copied;
        int at = from;
        long left = referencedBytes;
        boolean cutOff = false;
        cursor.startOffset = cursor.offset;
        cursor.batches = 0;
        while (cursor.offset < endOffset && left > 0 && !cutOff) {
            cutOff = !cursor.header.decode(dst, at, to) || cursor.header.recordBytes() > to - at;
            if (!cutOff) {
                left -= cursor.header.isReference() ? cursor.header.referenceLength(dst, at) : 0;
                at += cursor.header.recordBytes();
                cursor.offset += cursor.header.recordCount();
                cursor.batches++;
            }
        }
        cursor.bytes = at - from;
        return cutOff ? copied == dst.remaining() : left <= 0 || cursor.offset == endOffset;
    }

    /** Removes the notes of chunks that were entered after the last copied record. */
    private static void moveOn(TailCursor cursor, int before, TailReleases notes) {
        int left = ChunkPool.CHUNK_BYTES - cursor.at;
        int behind = cursor.bytes - left;
        if (behind <= 0) {
            cursor.at += cursor.bytes;
            notes.keep(before);
            return;
        }
        int entered = (behind + ChunkPool.STREAM_BYTES - 1) / ChunkPool.STREAM_BYTES;
        cursor.chunk = notes.keep(before + entered);
        cursor.at = ChunkPool.LINK_BYTES + behind - (entered - 1) * ChunkPool.STREAM_BYTES;
    }
}
