package io.rivulet.broker.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.config.ConsumerGroupSettings;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.coordinator.OneByOne;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.classic.ClassicGroup;
import io.rivulet.broker.group.classic.ClassicHandover;
import io.rivulet.broker.group.consumer.ConsumerContext;
import io.rivulet.broker.group.consumer.ConsumerDescription;
import io.rivulet.broker.group.consumer.ConsumerGroup;
import io.rivulet.broker.group.consumer.ConsumerImage;
import io.rivulet.broker.group.consumer.HeartbeatChecks;
import io.rivulet.protocol.message.ConsumerGroupDescribeRequest;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse;
import io.rivulet.protocol.message.ConsumerGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatRequest;
import io.rivulet.protocol.message.ConsumerGroupHeartbeatResponse;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the APIs of the consumer protocol.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ConsumerGroups {
    private final GroupCoordinator groups;
    private final GroupTable table;
    private final ConsumerContext context;

    ConsumerGroups(GroupCoordinator groups, GroupTable table, ConsumerContext context) {
        this.groups = groups;
        this.table = table;
        this.context = context;
    }

    /** Restores the groups whose members are in the log. */
    void restore() {
        for (GroupSlot slot : List.copyOf(table.all())) {
            if (slot.image instanceof ConsumerImage image) {
                slot.group = ConsumerGroup.of(slot.id, image, context, images(slot));
                downgradeIfDue(slot);
            }
        }
    }

    private ImageStore images(GroupSlot slot) {
        return groups.images(slot, GroupEntryLayout.CONSUMER_GROUP, () -> downgradeIfDue(slot));
    }

    // ---- heartbeat ----

    public void heartbeat(
            ConsumerGroupHeartbeatRequest request,
            short version,
            String clientId,
            String clientHost,
            Access access,
            Consumer<ConsumerGroupHeartbeatResponse> reply) {
        String regex = request.subscribedTopicRegex();
        if (!context.settings().enabled()) {
            reply.accept(refused(ErrorCode.UNSUPPORTED_VERSION));
            return;
        }
        try {
            HeartbeatChecks.check(request, version, context.settings());
        } catch (RefusedException e) {
            reply.accept(refused(e.code(), e.getMessage()));
            return;
        }
        if (regex == null || regex.isEmpty()) {
            heartbeat(request, clientId, clientHost, access, reply);
            return;
        }
        context.matcher().check(regex, refusal -> {
            if (refusal == null) {
                heartbeat(request, clientId, clientHost, access, reply);
            } else {
                reply.accept(refused(refusal.code(), refusal.getMessage()));
            }
        });
    }

    private void heartbeat(
            ConsumerGroupHeartbeatRequest request,
            String clientId,
            String clientHost,
            Access access,
            Consumer<ConsumerGroupHeartbeatResponse> reply) {
        try {
            boolean joins = request.memberEpoch() == HeartbeatChecks.JOIN;
            GroupSlot slot = joins ? slotToJoin(request) : slotOf(request.groupId());
            try {
                ConsumerGroup group = joins ? groupToJoin(slot) : groupIn(slot);
                ConsumerGroupHeartbeatResponse response = heartbeat(group, slot, request, clientId, clientHost, access);
                if (slot.group != group) {
                    install(slot, group);
                }
                group.whenDurable(failure -> reply.accept(failure == null ? response : refused(failure)));
            } finally {
                table.removeIfUnused(slot);
            }
        } catch (RefusedException e) {
            reply.accept(refused(e.code(), e.getMessage()));
        }
    }

    private static ConsumerGroupHeartbeatResponse heartbeat(
            ConsumerGroup group,
            GroupSlot slot,
            ConsumerGroupHeartbeatRequest request,
            String clientId,
            String clientHost,
            Access access) {
        try {
            return group.heartbeat(request, clientId, clientHost, access);
        } catch (RefusedException e) {
            if (slot.group != group) {
                group.close(); // it was not installed
            }
            throw e;
        }
    }

    private GroupSlot slotToJoin(ConsumerGroupHeartbeatRequest request) {
        if (!groups.mayAdd(request.groupId())) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "The broker has reached rivulet.max.groups or rivulet.groups.bytes.");
        }
        return table.findOrAdd(request.groupId());
    }

    private GroupSlot slotOf(String groupId) {
        GroupSlot slot = table.find(groupId);
        if (slot == null) {
            throw notFound(groupId);
        }
        return slot;
    }

    private ConsumerGroup groupIn(GroupSlot slot) {
        if (slot.group instanceof ConsumerGroup group) {
            return group;
        }
        throw notFound(slot.id);
    }

    /**
     * The group in the slot, or one that replaces an empty classic group. The first entry of the new group removes the
     * image of the old one.
     */
    private ConsumerGroup groupToJoin(GroupSlot slot) {
        Group group = slot.group;
        if (group instanceof ConsumerGroup consumer) {
            return consumer;
        }
        if (group == null || (group.isEmpty() && group instanceof ClassicGroup)) {
            return new ConsumerGroup(slot.id, context, images(slot));
        }
        ConsumerGroupSettings settings = context.settings();
        if (group instanceof ClassicGroup classic
                && settings.upgrade()
                && classic.protocolType().equals(ConsumerGroup.PROTOCOL_TYPE)) {
            ClassicHandover handed = classic.handOver();
            if (handed.members().size() < settings.maxSize()) {
                return ConsumerGroup.of(slot.id, handed, context, images(slot));
            }
        }
        throw notFound(slot.id);
    }

    /** Puts the group into the slot and ends the one that was there. */
    private static void install(GroupSlot slot, ConsumerGroup group) {
        Group before = slot.group;
        slot.group = group;
        if (before instanceof ClassicGroup classic) {
            classic.endForUpgrade();
        } else if (before != null) {
            before.close();
        }
    }

    /**
     * After the last member of the consumer protocol has left, the members that remain continue with the classic
     * protocol. If a static member of the classic protocol has taken its place, nothing else changes.
     */
    private void downgradeIfDue(GroupSlot slot) {
        if (slot.group instanceof ConsumerGroup group
                && context.settings().downgrade()
                && group.isSettled()
                && group.classicMembers().hasOnlyClassicMembers()) {
            group.close();
            slot.group = ClassicGroup.takeOver(
                    group.classicMembers().handOver(), group.isStable(), context.group(), groups.classicImages(slot));
        }
    }

    private static RefusedException notFound(String groupId) {
        return new RefusedException(ErrorCode.GROUP_ID_NOT_FOUND, "Group " + groupId + " is not a consumer group.");
    }

    private static ConsumerGroupHeartbeatResponse refused(Throwable failure) {
        return refused(Journal.errorOf(failure), ErrorMapper.refusal(failure).getMessage());
    }

    private static ConsumerGroupHeartbeatResponse refused(ErrorCode code, @Nullable String message) {
        return new ConsumerGroupHeartbeatResponse().errorCode(code.code()).errorMessage(message);
    }

    public static ConsumerGroupHeartbeatResponse refused(ErrorCode error) {
        return refused(error, null);
    }

    // ---- describe ----

    public LongQuestions.Question<ConsumerGroupDescribeResponse> describe(ConsumerGroupDescribeRequest request) {
        List<DescribedGroup> described = new ArrayList<>(request.groupIds().size());
        // A group that is named twice is described once, because it may be large.
        return new OneByOne<>(
                List.copyOf(new LinkedHashSet<>(request.groupIds())),
                id -> find(id) instanceof ConsumerGroup group ? ConsumerDescription.parts(group) : 0,
                id -> described.add(describe(id)),
                () -> new ConsumerGroupDescribeResponse().groups(described));
    }

    private DescribedGroup describe(String id) {
        if (!context.settings().enabled()) {
            return refusedGroup(id, ErrorCode.UNSUPPORTED_VERSION);
        }
        return find(id) instanceof ConsumerGroup group ? ConsumerDescription.of(group) : unknown(id);
    }

    private @Nullable Group find(String id) {
        GroupSlot slot = table.find(id);
        return slot == null ? null : slot.group;
    }

    private DescribedGroup unknown(String groupId) {
        boolean exists = table.find(groupId) != null;
        return groupId.isEmpty()
                ? new DescribedGroup().errorCode(ErrorCode.INVALID_GROUP_ID.code())
                : new DescribedGroup()
                        .groupId(groupId)
                        .errorCode(ErrorCode.GROUP_ID_NOT_FOUND.code())
                        .errorMessage("Group " + groupId + (exists ? " is not a consumer group." : " not found."));
    }

    public static ConsumerGroupDescribeResponse refused(ConsumerGroupDescribeRequest request, ErrorCode error) {
        return new ConsumerGroupDescribeResponse()
                .groups(request.groupIds().stream()
                        .map(groupId -> refusedGroup(groupId, error))
                        .toList());
    }

    private static DescribedGroup refusedGroup(String groupId, ErrorCode error) {
        return new DescribedGroup().groupId(groupId).errorCode(error.code());
    }
}
