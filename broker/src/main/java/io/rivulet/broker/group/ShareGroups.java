package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.coordinator.OneByOne;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.share.ShareChecks;
import io.rivulet.broker.group.share.ShareContext;
import io.rivulet.broker.group.share.ShareDescription;
import io.rivulet.broker.group.share.ShareGroup;
import io.rivulet.broker.group.share.ShareImage;
import io.rivulet.protocol.message.ShareGroupDescribeRequest;
import io.rivulet.protocol.message.ShareGroupDescribeResponse;
import io.rivulet.protocol.message.ShareGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the APIs for members of share groups. {@link ShareGroupOffsets} serves those for start offsets.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class ShareGroups {
    private final GroupCoordinator groups;
    private final GroupTable table;
    private final ShareContext context;

    ShareGroups(GroupCoordinator groups, GroupTable table, ShareContext context) {
        this.groups = groups;
        this.table = table;
        this.context = context;
    }

    /** Restores the groups that are in the log, without members. */
    void restore() {
        for (GroupSlot slot : List.copyOf(table.all())) {
            if (slot.image instanceof ShareImage image) {
                ShareGroup group = newGroup(slot, image);
                group.installed();
                slot.group = group;
            }
        }
        context.known().restored();
    }

    private ShareGroup newGroup(GroupSlot slot, @Nullable ShareImage image) {
        return new ShareGroup(slot.id, context, groups.images(slot, GroupEntryLayout.SHARE_GROUP, () -> {}), image);
    }

    // ---- heartbeat ----

    public void heartbeat(
            ShareGroupHeartbeatRequest request,
            String clientId,
            String clientHost,
            Consumer<ShareGroupHeartbeatResponse> reply) {
        try {
            ShareChecks.check(request);
            boolean joins = request.memberEpoch() == ShareChecks.JOIN;
            GroupSlot slot = joins ? slotFor(request.groupId()) : slotOf(request.groupId(), "Share group ");
            try {
                ShareGroup group = joins ? groupToJoin(slot) : groupIn(slot);
                ShareGroupHeartbeatResponse response = group.heartbeat(request, clientId, clientHost);
                group.installed();
                slot.group = group;
                group.whenDurable(failure -> reply.accept(failure == null ? response : refused(failure)));
            } finally {
                table.removeIfUnused(slot);
            }
        } catch (RefusedException e) {
            reply.accept(refused(e.code(), e.getMessage()));
        }
    }

    /**
     * The slot of a group, which may be new.
     *
     * @throws RefusedException if there is no room for it
     */
    GroupSlot slotFor(String groupId) {
        if (!groups.mayAdd(groupId)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "The broker has reached rivulet.max.groups or rivulet.groups.bytes.");
        }
        return table.findOrAdd(groupId);
    }

    private GroupSlot slotOf(String groupId, String kind) {
        GroupSlot slot = table.find(groupId);
        if (slot == null) {
            throw new RefusedException(ErrorCode.GROUP_ID_NOT_FOUND, kind + groupId + " not found.");
        }
        return slot;
    }

    /** @throws RefusedException if there is no such share group */
    ShareGroup find(String groupId) {
        return groupIn(slotOf(groupId, "Group "));
    }

    private static ShareGroup groupIn(GroupSlot slot) {
        if (slot.group instanceof ShareGroup group) {
            return group;
        }
        throw new RefusedException(ErrorCode.GROUP_ID_NOT_FOUND, "Group " + slot.id + " is not a share group.");
    }

    /** The group in the slot, or a new one if the slot is new. Groups of other kinds are not replaced. */
    ShareGroup groupToJoin(GroupSlot slot) {
        boolean isNew = slot.group == null && slot.offsets.count() == 0 && slot.pending == null;
        return isNew ? newGroup(slot, null) : groupIn(slot);
    }

    private static ShareGroupHeartbeatResponse refused(Throwable failure) {
        return refused(Journal.errorOf(failure), ErrorMapper.refusal(failure).getMessage());
    }

    private static ShareGroupHeartbeatResponse refused(ErrorCode code, @Nullable String message) {
        return new ShareGroupHeartbeatResponse().errorCode(code.code()).errorMessage(message);
    }

    public static ShareGroupHeartbeatResponse refused(ErrorCode error) {
        return refused(error, null);
    }

    // ---- describe ----

    public LongQuestions.Question<ShareGroupDescribeResponse> describe(ShareGroupDescribeRequest request) {
        List<DescribedGroup> described = new ArrayList<>(request.groupIds().size());
        // A group that is named twice is described once, because it may be large.
        return new OneByOne<>(
                List.copyOf(new LinkedHashSet<>(request.groupIds())),
                id -> {
                    GroupSlot slot = table.find(id);
                    return slot != null && slot.group instanceof ShareGroup group ? ShareDescription.parts(group) : 0;
                },
                id -> described.add(describe(id)),
                () -> new ShareGroupDescribeResponse().groups(described));
    }

    private DescribedGroup describe(String id) {
        if (id.isEmpty()) {
            return refusedGroup(id, ErrorCode.INVALID_GROUP_ID);
        }
        try {
            return ShareDescription.of(find(id));
        } catch (RefusedException e) {
            return refusedGroup(id, e.code()).errorMessage(e.getMessage());
        }
    }

    public static ShareGroupDescribeResponse refused(ShareGroupDescribeRequest request, ErrorCode error) {
        return new ShareGroupDescribeResponse()
                .groups(request.groupIds().stream()
                        .map(groupId -> refusedGroup(groupId, error))
                        .toList());
    }

    private static DescribedGroup refusedGroup(String groupId, ErrorCode error) {
        return new DescribedGroup().groupId(groupId).errorCode(error.code());
    }
}
