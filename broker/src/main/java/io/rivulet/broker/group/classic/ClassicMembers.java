package io.rivulet.broker.group.classic;

import io.rivulet.broker.coordinator.HeapBudget;
import io.rivulet.broker.coordinator.Timers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroupMember;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse.JoinGroupResponseMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of a classic group in the order in which they joined, the pending member ids, and the leader. It counts
 * the members that support each protocol, so the cost of a join does not depend on the number of members.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ClassicMembers {
    private final HeapBudget heap;
    private final Map<String, ClassicMember> byId = new LinkedHashMap<>();
    private final Map<String, ClassicMember> byInstance = new HashMap<>();
    private final Map<String, Timers.Timer> pending = new HashMap<>();
    /** The number of members that support each protocol. */
    private final Map<String, Integer> support = new HashMap<>();

    private @Nullable String leader;

    ClassicMembers(HeapBudget heap) {
        this.heap = heap;
    }

    // ---- pending ----

    void addPending(String id, Timers.Timer expiry) {
        pending.put(id, expiry);
        heap.add(pendingBytes(id));
    }

    boolean isPending(String id) {
        return pending.containsKey(id);
    }

    int pendingCount() {
        return pending.size();
    }

    void removePending(String id) {
        Timers.Timer expiry = pending.remove(id);
        if (expiry != null) {
            expiry.cancel();
            heap.add(-pendingBytes(id));
        }
    }

    private static long pendingBytes(String id) {
        return 200 + 2L * id.length();
    }

    // ---- members ----

    void add(ClassicMember member) {
        byId.put(member.id, member);
        if (member.instanceId != null) {
            byInstance.put(member.instanceId, member);
        }
        count(member, 1);
        if (leader == null) {
            leader = member.id;
        }
    }

    /** Removes the member without a response. Its session ends. */
    void remove(ClassicMember member) {
        byId.remove(member.id);
        if (member.instanceId != null) {
            byInstance.remove(member.instanceId);
        }
        count(member, -1);
        if (member.session != null) {
            member.session.cancel();
        }
        if (member.id.equals(leader)) {
            leader = byId.isEmpty() ? null : byId.keySet().iterator().next();
        }
    }

    /** Runs a change of the member and counts it. */
    void update(ClassicMember member, Runnable change) {
        count(member, -1);
        change.run();
        count(member, 1);
    }

    /** Gives a static member that came back its new id. */
    void rename(ClassicMember member, String newId) {
        boolean leads = member.id.equals(leader);
        byId.remove(member.id);
        member.id = newId;
        byId.put(newId, member);
        if (leads) {
            leader = newId;
        }
    }

    private void count(ClassicMember member, int times) {
        heap.add(times * (member.heapBytes() + member.assignment.length));
        for (JoinGroupRequestProtocol offered : member.protocols) {
            support.merge(offered.name(), times, (before, added) -> before + added == 0 ? null : before + added);
        }
    }

    void assign(ClassicMember member, byte[] assignment) {
        heap.add(assignment.length - member.assignment.length);
        member.assignment = assignment;
    }

    int size() {
        return byId.size();
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    Collection<ClassicMember> all() {
        return byId.values();
    }

    /** A copy, for callers that change the group while they iterate. */
    List<ClassicMember> listed() {
        return new ArrayList<>(byId.values());
    }

    Set<String> ids() {
        return byId.keySet();
    }

    @Nullable
    ClassicMember find(String id) {
        return byId.get(id);
    }

    /** The member that {@link #check} has accepted. */
    ClassicMember get(String id) {
        return Objects.requireNonNull(byId.get(id), id);
    }

    @Nullable
    ClassicMember findInstance(@Nullable String instanceId) {
        return instanceId == null ? null : byInstance.get(instanceId);
    }

    /** Whether the client may act as this member. */
    ErrorCode check(String id, @Nullable String instanceId) {
        if (instanceId != null) {
            ClassicMember member = byInstance.get(instanceId);
            if (member == null) {
                return ErrorCode.UNKNOWN_MEMBER_ID;
            }
            return member.id.equals(id) ? ErrorCode.NONE : ErrorCode.FENCED_INSTANCE_ID;
        }
        return byId.containsKey(id) ? ErrorCode.NONE : ErrorCode.UNKNOWN_MEMBER_ID;
    }

    // ---- common choices ----

    int joiningCount() {
        int joining = 0;
        for (ClassicMember member : byId.values()) {
            joining += member.isJoining() ? 1 : 0;
        }
        return joining;
    }

    boolean haveAllJoined() {
        if (!pending.isEmpty()) {
            return false;
        }
        for (ClassicMember member : byId.values()) {
            if (!member.isJoining()) {
                return false;
            }
        }
        return true;
    }

    int rebalanceTimeoutMillis() {
        int longest = 0;
        for (ClassicMember member : byId.values()) {
            longest = Math.max(longest, member.rebalanceTimeoutMillis);
        }
        return longest;
    }

    boolean isSupportedByAll(String protocol) {
        return support.getOrDefault(protocol, 0) == byId.size();
    }

    /**
     * Each member votes for the first of its protocols that all support. With equal votes, the protocol that got a vote
     * first wins.
     */
    @Nullable
    String selectProtocol() {
        Map<String, Integer> votes = new LinkedHashMap<>();
        for (ClassicMember member : byId.values()) {
            for (JoinGroupRequestProtocol offered : member.protocols) {
                if (isSupportedByAll(offered.name())) {
                    votes.merge(offered.name(), 1, Integer::sum);
                    break;
                }
            }
        }
        String selected = null;
        for (Map.Entry<String, Integer> vote : votes.entrySet()) {
            if (selected == null || vote.getValue() > votes.getOrDefault(selected, 0)) {
                selected = vote.getKey();
            }
        }
        return selected;
    }

    /** The members in the leader's join response. */
    List<JoinGroupResponseMember> joinResponseMembers(@Nullable String protocol) {
        List<JoinGroupResponseMember> results = new ArrayList<>(byId.size());
        for (ClassicMember member : byId.values()) {
            results.add(new JoinGroupResponseMember()
                    .memberId(member.id)
                    .groupInstanceId(member.instanceId)
                    .metadata(member.metadata(protocol)));
        }
        return results;
    }

    @Nullable
    String leader() {
        return leader;
    }

    void lead(@Nullable String id) {
        leader = id;
    }

    boolean isLeader(ClassicMember member) {
        return member.id.equals(leader);
    }

    /** Elects a leader that has joined; false if no member has. */
    boolean electLeader() {
        ClassicMember current = leader == null ? null : byId.get(leader);
        if (current != null && current.isJoining()) {
            return true;
        }
        for (ClassicMember member : byId.values()) {
            if (member.isJoining()) {
                leader = member.id;
                return true;
            }
        }
        return false;
    }

    // ---- descriptions ----

    /** @param stable whether metadata and assignments are final, and so included */
    List<DescribedGroupMember> described(@Nullable String protocol, boolean stable) {
        List<DescribedGroupMember> results = new ArrayList<>(byId.size());
        for (ClassicMember member : byId.values()) {
            DescribedGroupMember one = new DescribedGroupMember()
                    .memberId(member.id)
                    .groupInstanceId(member.instanceId)
                    .clientId(member.clientId)
                    .clientHost(member.clientHost);
            results.add(
                    stable ? one.memberMetadata(member.metadata(protocol)).memberAssignment(member.assignment) : one);
        }
        return results;
    }

    Map<String, byte[]> assignments() {
        Map<String, byte[]> assignments = new HashMap<>();
        byId.values().forEach(member -> assignments.put(member.id, member.assignment));
        return assignments;
    }
}
