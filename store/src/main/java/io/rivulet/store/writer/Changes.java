package io.rivulet.store.writer;

import io.rivulet.store.NotStoredException;
import io.rivulet.store.Outcome;
import io.rivulet.store.entry.EntryLayout;
import java.nio.ByteBuffer;

/** The state changes that there are. Stateless. */
public final class Changes {
    private Changes() {}

    /** Creates {@code count} queues with ids in a row; the result is the first. */
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

    /** Moves queues with ids in a row to a retention class; those that do not exist any more are passed over. The result is the class. */
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

    /** Deletes queues with ids in a row; those that do not exist any more are passed over. The result is the first id. */
    public static Change<Integer> deleteQueues(int firstQueueId, int count) {
        return new Change<>(
                0,
                assembly -> assembly.appendEntry(
                                EntryLayout.MAX_OVERHEAD_BYTES,
                                (body, at) -> EntryLayout.putQueuesDeleted(body, at, firstQueueId, count))
                        ? firstQueueId
                        : null);
    }

    /** Raises a queue's start offset, to its end at most. The result is the offset asked for or that end. */
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
