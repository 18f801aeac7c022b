package io.rivulet.store.writer;

import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.entry.EntryLayout;
import java.nio.ByteBuffer;

/** All kinds of state changes. Stateless. */
public final class Changes {
    private Changes() {}

    /** Creates {@code count} queues with consecutive ids; the result is the first id. */
    public static Change<Integer> createQueues(int count, int retentionClass) {
        return new Change<>(0, assembly -> {
            int first = assembly.nextQueueId();
            boolean appended = assembly.appendEntry(
                    EntryLayout.MAX_OVERHEAD_BYTES,
                    (body, at) -> EntryLayout.putQueuesCreated(body, at, first, count, retentionClass));
            if (appended) {
                assembly.takeQueueIds(count);
            }
            return appended ? first : null;
        });
    }

    /** Moves queues with consecutive ids to a retention class and skips deleted ones. The result is the class. */
    public static Change<Integer> classQueues(int firstQueueId, int count, int retentionClass) {
        return new Change<>(
                0,
                assembly -> assembly.appendEntry(
                                EntryLayout.MAX_OVERHEAD_BYTES,
                                (body, at) ->
                                        EntryLayout.putQueuesClassed(body, at, firstQueueId, count, retentionClass))
                        ? retentionClass
                        : null);
    }

    /** Deletes queues with consecutive ids and skips deleted ones. The result is the first id. */
    public static Change<Integer> deleteQueues(int firstQueueId, int count) {
        return new Change<>(
                0,
                assembly -> assembly.appendEntry(
                                EntryLayout.MAX_OVERHEAD_BYTES,
                                (body, at) -> EntryLayout.putQueuesDeleted(body, at, firstQueueId, count))
                        ? firstQueueId
                        : null);
    }

    /** Raises the start offset of a queue, at most to its end. The result is the new start. */
    public static Change<Long> trim(int queueId, long startOffset) {
        return new Change<>(0, assembly -> {
            if (!assembly.exists(queueId)) {
                throw new NotStoredException(Outcome.NO_QUEUE);
            }
            long offset = Math.min(startOffset, assembly.nextOffset(queueId));
            return assembly.appendEntry(
                            EntryLayout.MAX_OVERHEAD_BYTES,
                            (body, at) -> EntryLayout.putTrimmed(body, at, queueId, offset))
                    ? offset
                    : null;
        });
    }

    /** An entry for a view. The result is the number of bytes. */
    public static Change<Integer> state(int viewId, ByteBuffer bytes) {
        int length = bytes.remaining();
        return new Change<>(length, assembly -> {
            if (length > assembly.maxPayloadBytes()) {
                throw new NotStoredException(Outcome.TOO_LARGE);
            }
            return assembly.appendEntry(
                            EntryLayout.MAX_OVERHEAD_BYTES + length,
                            (body, at) -> EntryLayout.putState(body, at, viewId, bytes, bytes.position(), length))
                    ? length
                    : null;
        });
    }
}
