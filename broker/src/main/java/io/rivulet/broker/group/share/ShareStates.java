package io.rivulet.broker.group.share;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.consumer.QueueSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What share groups have done with the records of queues, as the APIs of groups see it. Thread-safe; does not block.
 *
 * <p>The callbacks are called once, on any thread: with null when the change is durable, or with the failure.
 */
public interface ShareStates {
    /**
     * Where a group is in a queue. Immutable.
     *
     * @param startOffset of the first record that is not done; -1 if the group has no state of the queue
     * @param lag the number of records that are not done; -1 if it is not known
     */
    record Position(long startOffset, int leaderEpoch, long lag) {
        public static final Position NONE = new Position(-1, 0, -1);
    }

    /** A new start offset of a queue. Immutable. */
    record Start(int queueId, long offset) {}

    Position read(String groupId, int queueId);

    /** Sets start offsets of a group without members. What was acquired is given up. */
    void alter(String groupId, Iterable<Start> starts, Consumer<@Nullable Throwable> done);

    /** Forgets the states of a group without members in these queues. */
    void delete(String groupId, QueueSet queues, Consumer<@Nullable Throwable> done);

    /** Forgets all states of a group that is being deleted. */
    void deleteGroup(String groupId, Consumer<@Nullable Throwable> done);

    /** Without records: no group has a state, and none can be set. */
    ShareStates NONE = new ShareStates() {
        @Override
        public Position read(String groupId, int queueId) {
            return Position.NONE;
        }

        @Override
        public void alter(String groupId, Iterable<Start> starts, Consumer<@Nullable Throwable> done) {
            done.accept(new RefusedException(ErrorCode.UNSUPPORTED_VERSION, "Records are not shared here."));
        }

        @Override
        public void delete(String groupId, QueueSet queues, Consumer<@Nullable Throwable> done) {
            done.accept(null);
        }

        @Override
        public void deleteGroup(String groupId, Consumer<@Nullable Throwable> done) {
            done.accept(null);
        }
    };
}
