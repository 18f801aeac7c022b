package io.rivulet.broker.group.base;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import org.jspecify.annotations.Nullable;

/**
 * Who consumes together: the members of a group, whatever protocol they use. What it has committed is kept beside it, in
 * {@link GroupSlot}.
 *
 * <p>Owned by: the thread that owns the groups.
 */
public interface Group {
    /** As ListGroups calls it. */
    String type();

    /** As Kafka calls it. */
    String stateName();

    /** What its members consume with; empty for a group that only commits offsets. */
    String protocolType();

    /** Whether it has no members: it may be deleted, and what it has committed may expire. */
    boolean isEmpty();

    /** Whether it is empty and nobody is about to join: without anything in the log, it may be forgotten. */
    boolean isIdle();

    /**
     * Since when it has been without members, or -1 when offsets expire by their own age.
     *
     * @param latestMillis a later time was taken back: it counts as this from now on
     */
    long emptySinceMillis(long latestMillis);

    /** Whether offsets that nobody is subscribed to expire in the state that it is in. */
    boolean offsetsMayExpire();

    /** Whether offsets of the topic are in use. */
    boolean isSubscribedTo(String topicName);

    /** Whether whose offsets are in use is known at all, so that others may be deleted while there are members. */
    boolean knowsItsTopics();

    /**
     * Whether the offsets may be committed, which is a sign of life as well.
     *
     * @param generation or member epoch; below 0 from those who are no members
     */
    ErrorCode checkCommit(String memberId, @Nullable String instanceId, int generation);

    /** Whether the member may fetch offsets. */
    ErrorCode checkFetch(@Nullable String memberId, int memberEpoch);

    int memberCount();

    /** Fills in all but the group's id. */
    void describe(DescribedGroup place);

    /** Ends it: timers are cancelled, who waits is told. */
    void close();
}
