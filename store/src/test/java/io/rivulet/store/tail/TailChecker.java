package io.rivulet.store.tail;

import io.rivulet.store.queue.QueueRow;
import io.rivulet.store.queue.QueueTable;
import io.rivulet.store.stream.StreamCursor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * Walks over everything while the writer is idle, and throws if an invariant is broken.
 *
 * <ul>
 * <li>ChunksBalanced: each chunk is in exactly one chain, or freed once, or was never used
 * <li>ChainsReadable: a chain is the valid stream of its queue from tailStart on, past the published end
 * <li>DirtyMeansChain: a queue is dirty if and only if it has a chain
 * </ul>
 */
final class TailChecker {
    private TailChecker() {}

    static void check(Tail tail, QueueTable table) {
        ChunkPool pool = tail.pool();
        BitSet seen = new BitSet();
        for (int chunk : pool.freed()) {
            mark(seen, chunk, "the free list");
        }
        int freed = seen.cardinality();
        for (int id = 0; id < table.idLimit(); id++) {
            checkQueue(pool, table, id, seen);
        }
        require(seen.cardinality() == pool.nextFresh() - 1, "ChunksBalanced: a chunk is neither free nor in a chain");
        require(seen.cardinality() - freed == tail.usedChunks(), "ChunksBalanced: the count of used chunks is wrong");
    }

    private static void checkQueue(ChunkPool pool, QueueTable table, int id, BitSet seen) {
        long[] rows = table.rows(id);
        int row = QueueTable.row(id);
        long head = rows == null ? 0 : QueueRow.getPlain(rows, row + QueueRow.HEAD);
        require((head != 0) == table.dirty().isSet(id), "DirtyMeansChain: queue " + id);
        if (rows == null || head == 0) {
            require(
                    rows == null || !table.exists(id) || table.tailStart(id) == table.endOffset(id),
                    "ChainsReadable: queue " + id + " has a published tail, but no chain");
            return;
        }
        require(table.exists(id), "ChainsReadable: queue " + id + " has a chain, but does not exist");
        ByteBuffer stream = stream(pool, id, head, QueueRow.getPlain(rows, row + QueueRow.LAST), seen);
        StreamCursor records = new StreamCursor().reset(stream, 0, stream.limit(), table.tailStart(id));
        boolean more = records.next();
        while (more) {
            more = records.next();
        }
        require(records.nextOffset() >= table.endOffset(id), "ChainsReadable: queue " + id + " ends too early");
        Batches.requireSound(
                stream, 0, stream.limit(), id, table.tailStart(id), records.nextOffset(), new StreamCursor());
    }

    private static ByteBuffer stream(ChunkPool pool, int id, long head, long last, BitSet seen) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        int chunk = QueueRow.headChunk(head);
        int at = QueueRow.headAt(head);
        while (true) {
            mark(seen, chunk, "queue " + id);
            boolean isLast = chunk == QueueRow.lastChunk(last);
            int to = isLast ? QueueRow.writeAt(last) : ChunkPool.CHUNK_BYTES;
            for (; at < to; at++) {
                stream.write(pool.ownSlab(chunk).get(pool.base(chunk) + at));
            }
            if (isLast) {
                return ByteBuffer.wrap(stream.toByteArray());
            }
            chunk = pool.ownLink(chunk);
            at = ChunkPool.LINK_BYTES;
        }
    }

    private static void mark(BitSet seen, int chunk, String where) {
        require(chunk > 0 && !seen.get(chunk), "ChunksBalanced: chunk " + chunk + " is in two places, one is " + where);
        seen.set(chunk);
    }

    private static void require(boolean condition, String invariant) {
        if (!condition) {
            throw new AssertionError(invariant);
        }
    }
}
