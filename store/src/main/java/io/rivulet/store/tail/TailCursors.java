package io.rivulet.store.tail;

import org.jspecify.annotations.Nullable;

/**
 * Cursors of a reader that reads many queues by turns. Each queue has one of a few cursors and may share it. If the
 * cursor is at another queue, or after the offset to read, the reader walks the chain from its head.
 *
 * <p>Owned by: the reader.
 */
public final class TailCursors {
    private static final int COUNT = 64;

    private final @Nullable TailCursor[] cursors = new TailCursor[COUNT];

    /** The cursor of the queue. It is where the queue was read last, if no other queue has used it since. */
    public TailCursor of(int queueId) {
        int index = queueId % COUNT;
        TailCursor cursor = cursors[index];
        if (cursor == null) {
            cursor = new TailCursor();
            cursors[index] = cursor;
        }
        return cursor;
    }
}
