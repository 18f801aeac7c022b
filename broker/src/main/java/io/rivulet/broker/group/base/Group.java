package io.rivulet.broker.group.base;

import io.rivulet.broker.error.ErrorCode;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group of any protocol: its members and their state. Its committed offsets are kept apart, in the group's slot.
 *
 * <p>Owned by: the coordinator thread.
 */
public interface Group {
    /** The type in ListGroups. */
    String type();

    /** Kafka's name of the state. */
    String stateName();

    /** The protocol type of its members; empty for a group that only commits offsets. */
    String protocolType();

    /** Whether it has no members: then it may be deleted, and its offsets may expire. */
    boolean isEmpty();

    /** Whether it is empty and no client is joining. If the log has no state of it either, it may be removed. */
    boolean isIdle();

    /**
     * When its last member left, or -1 if its offsets expire by their own age.
     *
     * @param latestMillis the present time; a stored time after it is set to it, because the clock was set back
     */
    long emptySinceMillis(long latestMillis);

    /** Whether, in the present state, offsets of topics that no member subscribes to may expire. */
    boolean offsetsMayExpire();

    /** Whether a member subscribes to the topic. */
    boolean isSubscribedTo(String topicName);

    /** Whether the subscriptions are known, so that offsets of other topics may be deleted while there are members. */
    boolean knowsItsTopics();

    /** Whether the client may commit offsets. In a classic group, this also restarts the session of the member. */
    ErrorCode checkCommit(OffsetCommitter committer);

    /** Whether the member may fetch offsets. */
    ErrorCode checkFetch(@Nullable String memberId, int memberEpoch);

    int memberCount();

    /**
     * A client deletes the group, which is empty. Deletes what other rooms have of it.
     *
     * @param ready called on the coordinator thread, now or later: with null, or with the failure
     */
    default void beforeDeletion(Consumer<@Nullable Throwable> ready) {
        ready.accept(null);
    }

    /** The entry that deletes the group is under way. */
    default void deleted() {}

    /** That entry was refused. */
    default void notDeleted() {}

    /** Ends the group: cancels its timers and answers its waiting members. */
    void close();
}
