package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group of the streams protocol.
 *
 * <p>Owned by: the coordinator thread.
 */
final class StreamsMembers {
    private final String groupId;
    private final int maxSize;
    private final TreeMap<String, StreamsMember> byId = new TreeMap<>();

    StreamsMembers(String groupId, int maxSize) {
        this.groupId = groupId;
        this.maxSize = maxSize;
    }

    /** In the order of their ids. */
    Collection<StreamsMember> all() {
        return byId.values();
    }

    int size() {
        return byId.size();
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    @Nullable
    StreamsMember find(String memberId) {
        return byId.get(memberId);
    }

    void put(StreamsMember member) {
        byId.put(member.id, member);
    }

    void remove(StreamsMember member) {
        byId.remove(member.id);
    }

    /** The member, or a new one that is not added yet. */
    StreamsMember joining(String memberId) {
        StreamsMember known = byId.get(memberId);
        if (known == null && byId.size() >= maxSize) {
            throw new RefusedException(
                    ErrorCode.GROUP_MAX_SIZE_REACHED,
                    "The streams group has reached its maximum capacity of " + maxSize + " members.");
        }
        return known == null ? new StreamsMember(memberId) : known;
    }

    StreamsMember present(String memberId) {
        StreamsMember member = byId.get(memberId);
        if (member == null) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_MEMBER_ID, "Member " + memberId + " is not a member of group " + groupId + ".");
        }
        return member;
    }

    /**
     * Those of the wanted tasks that the member can't get now. An active task is free when no other member has it, and
     * no member of the same process has it as a standby: they share a directory. A standby is free when no other member
     * of its process has the task.
     */
    Tasks taken(Tasks wanted, StreamsMember member) {
        TaskSet active = TaskSet.EMPTY;
        TaskSet standby = TaskSet.EMPTY;
        for (StreamsMember other : byId.values()) {
            if (other == member) {
                continue;
            }
            active = withCommon(active, wanted.active(), other.assigned.active());
            active = withCommon(active, wanted.active(), other.revoking.active());
            if (other.processId.equals(member.processId)) {
                Tasks owned = other.owned();
                active = withCommon(active, wanted.active(), owned.standby());
                standby = withCommon(standby, wanted.standby(), owned.active());
                standby = withCommon(standby, wanted.standby(), owned.standby());
            }
        }
        return new Tasks(active, standby);
    }

    private static TaskSet withCommon(TaskSet taken, TaskSet wanted, TaskSet owned) {
        return wanted.intersects(owned) ? taken.union(wanted.intersect(owned)) : taken;
    }
}
