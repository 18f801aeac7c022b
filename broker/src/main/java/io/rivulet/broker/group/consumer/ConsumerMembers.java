package io.rivulet.broker.group.consumer;

import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.OffsetCommitter;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group of the consumer protocol, by member id and by instance id. Checks which requests they may
 * send, and counts what they agree on.
 *
 * <p>Owned by: the coordinator thread.
 */
final class ConsumerMembers {
    private final String groupId;
    private final ConsumerGroupSettings settings;
    private final TreeMap<String, ConsumerMember> byId = new TreeMap<>();
    private final TreeMap<String, ConsumerMember> byInstance = new TreeMap<>();

    ConsumerMembers(String groupId, ConsumerGroupSettings settings) {
        this.groupId = groupId;
        this.settings = settings;
    }

    // ---- members ----

    /** In the order of their ids. */
    Collection<ConsumerMember> all() {
        return byId.values();
    }

    int size() {
        return byId.size();
    }

    boolean isEmpty() {
        return byId.isEmpty();
    }

    @Nullable
    ConsumerMember find(String memberId) {
        return byId.get(memberId);
    }

    /** The member, or a new one that is not added yet. */
    ConsumerMember findOrNew(String memberId) {
        ConsumerMember known = byId.get(memberId);
        return known == null ? new ConsumerMember(memberId) : known;
    }

    @Nullable
    ConsumerMember findInstance(@Nullable String instanceId) {
        return instanceId == null ? null : byInstance.get(instanceId);
    }

    void put(ConsumerMember member) {
        byId.put(member.id, member);
        if (member.instanceId != null) {
            byInstance.put(member.instanceId, member);
        }
    }

    void remove(ConsumerMember member) {
        byId.remove(member.id);
        forgetInstance(member);
    }

    /** Before the member's instance id changes; {@link #put} adds the new one. */
    void forgetInstance(ConsumerMember member) {
        if (member.instanceId != null) {
            byInstance.remove(member.instanceId);
        }
    }

    // ---- checks ----

    void requireRoomFor(String memberId) {
        int max = settings.maxSize();
        if (byId.size() >= max && !byId.containsKey(memberId)) {
            throw new RefusedException(
                    ErrorCode.GROUP_MAX_SIZE_REACHED,
                    "The consumer group has reached its maximum capacity of " + max + " members.");
        }
    }

    /** The member that sent the request. */
    ConsumerMember present(String memberId, @Nullable String instanceId) {
        if (instanceId == null) {
            return known(byId.get(memberId), "Member " + memberId + " is not a member of group " + groupId + ".");
        }
        ConsumerMember member = known(byInstance.get(instanceId), "Instance id " + instanceId + " is unknown.");
        if (!member.id.equals(memberId)) {
            throw new RefusedException(
                    ErrorCode.FENCED_INSTANCE_ID,
                    "Static member " + memberId + " with instance id " + instanceId + " was fenced by member "
                            + member.id + ".");
        }
        return member;
    }

    private static ConsumerMember known(@Nullable ConsumerMember member, String otherwise) {
        if (member == null) {
            throw new RefusedException(ErrorCode.UNKNOWN_MEMBER_ID, otherwise);
        }
        return member;
    }

    /** Whether the client may commit offsets as this member. */
    ErrorCode checkCommit(OffsetCommitter committer) {
        ConsumerMember member = byId.get(committer.memberId());
        if (member == null) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        if (member.classic == null && !committer.knowsEpochs()) {
            return ErrorCode.UNSUPPORTED_VERSION;
        }
        int epoch = committer.generation();
        boolean hadThem =
                epoch < member.epoch && committer.queues().allMatch(queueId -> member.since.hasSince(queueId, epoch));
        return epoch == member.epoch || hadThem ? ErrorCode.NONE : otherEpoch(member);
    }

    /** Whether the client may fetch offsets as this member. */
    ErrorCode checkFetch(@Nullable String memberId, int memberEpoch) {
        ConsumerMember member = memberId == null ? null : byId.get(memberId);
        if (member == null) {
            return ErrorCode.UNKNOWN_MEMBER_ID;
        }
        return member.epoch == memberEpoch ? ErrorCode.NONE : otherEpoch(member);
    }

    private static ErrorCode otherEpoch(ConsumerMember member) {
        return member.classic == null ? ErrorCode.STALE_MEMBER_EPOCH : ErrorCode.ILLEGAL_GENERATION;
    }

    // ---- common choices ----

    /** The assignor that most members prefer; without a preference, the broker's first one. */
    Assignor preferredAssignor() {
        List<String> names = settings.assignors();
        int[] votes = new int[names.size()];
        for (ConsumerMember member : byId.values()) {
            int vote = member.assignor == null ? -1 : names.indexOf(member.assignor);
            if (vote >= 0) {
                votes[vote]++;
            }
        }
        int most = 0;
        for (int i = 1; i < votes.length; i++) {
            most = votes[i] > votes[most] ? i : most;
        }
        return Objects.requireNonNull(Assignor.named(names.get(most)), names.get(most));
    }

    /**
     * Hash of the assignor, and of the names and queues that each member subscribes to. When it changes, a new
     * assignment is needed.
     */
    long eligibility() {
        long hash = hash64(preferredAssignor().wireName());
        for (ConsumerMember member : byId.values()) {
            hash += eligibility(member);
        }
        return hash;
    }

    /** The member's part of the hash; 0 if it subscribes to nothing, or its regular expression matches nothing yet. */
    static long eligibility(ConsumerMember member) {
        Subscription subscription = member.subscription;
        if (member.allowed == null
                || (member.allowed.isEmpty() && subscription.names().isEmpty())) {
            return 0;
        }
        long subscribed = member.allowed.hash64() ^ QueueSet.mix(subscription.hashOfNames());
        return QueueSet.mix(subscribed ^ QueueSet.mix(hash64(member.staticOrOwnId())));
    }

    private static long hash64(String text) {
        long hash = text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = QueueSet.mix(hash ^ text.charAt(i));
        }
        return hash;
    }
}
