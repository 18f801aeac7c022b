package io.rivulet.broker.group;

import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.coordinator.OneByOne;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.streams.StreamsContext;
import io.rivulet.broker.group.streams.StreamsDescription;
import io.rivulet.broker.group.streams.StreamsGroup;
import io.rivulet.broker.group.streams.StreamsGroup.Answer;
import io.rivulet.broker.group.streams.StreamsHeartbeatChecks;
import io.rivulet.broker.group.streams.StreamsImage;
import io.rivulet.protocol.message.StreamsGroupDescribeRequest;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the APIs of the streams protocol.
 *
 * <p>Owned by: the coordinator thread.
 */
public final class StreamsGroups {
    /** Of a topology, which is most of a request to join. */
    private static final long HEAP_BYTES_PER_REQUEST_BYTE = 4;

    private final GroupCoordinator groups;
    private final GroupTable table;
    private final StreamsContext context;

    StreamsGroups(GroupCoordinator groups, GroupTable table, StreamsContext context) {
        this.groups = groups;
        this.table = table;
        this.context = context;
    }

    /** Restores the groups whose members are in the log. */
    void restore() {
        for (GroupSlot slot : List.copyOf(table.all())) {
            if (slot.image instanceof StreamsImage image) {
                slot.group = StreamsGroup.of(slot.id, image, context, images(slot));
            }
        }
    }

    private ImageStore images(GroupSlot slot) {
        return groups.images(slot, GroupEntryLayout.STREAMS_GROUP, () -> {});
    }

    // ---- heartbeat ----

    /** @param reply gets the response, and the internal topics to create, when the changes are durable */
    public void heartbeat(
            StreamsGroupHeartbeatRequest request, String clientId, String clientHost, Consumer<Answer> reply) {
        if (!context.settings().enabled()) {
            reply.accept(new Answer(refused(ErrorCode.UNSUPPORTED_VERSION), List.of()));
            return;
        }
        try {
            StreamsHeartbeatChecks.check(request);
            boolean joins = request.memberEpoch() == StreamsHeartbeatChecks.JOIN;
            GroupSlot slot = joins ? slotToJoin(request) : slotOf(request.groupId());
            try {
                StreamsGroup group = joins ? groupToJoin(slot) : groupIn(slot);
                Answer answer = heartbeat(group, slot, request, clientId, clientHost);
                install(slot, group);
                group.whenDurable(failure -> reply.accept(failure == null ? answer : refused(failure)));
            } finally {
                table.removeIfUnused(slot);
            }
        } catch (RefusedException e) {
            reply.accept(new Answer(refused(e.code(), e.getMessage()), List.of()));
        }
    }

    private static Answer heartbeat(
            StreamsGroup group,
            GroupSlot slot,
            StreamsGroupHeartbeatRequest request,
            String clientId,
            String clientHost) {
        try {
            return group.heartbeat(request, clientId, clientHost);
        } catch (RefusedException e) {
            if (slot.group != group) {
                group.close(); // it was not installed
            }
            throw e;
        }
    }

    private GroupSlot slotToJoin(StreamsGroupHeartbeatRequest request) {
        long bytes = HEAP_BYTES_PER_REQUEST_BYTE * request.sizeInBytes((short) 0);
        if (!groups.mayAdd(request.groupId()) || !context.group().heap().hasRoomFor(bytes)) {
            throw new RefusedException(
                    ErrorCode.POLICY_VIOLATION, "The broker has reached rivulet.max.groups or rivulet.groups.bytes.");
        }
        return table.findOrAdd(request.groupId());
    }

    private GroupSlot slotOf(String groupId) {
        GroupSlot slot = table.find(groupId);
        if (slot == null) {
            throw new RefusedException(ErrorCode.GROUP_ID_NOT_FOUND, "Group " + groupId + " not found.");
        }
        return slot;
    }

    private static StreamsGroup groupIn(GroupSlot slot) {
        if (slot.group instanceof StreamsGroup group) {
            return group;
        }
        throw new RefusedException(ErrorCode.GROUP_ID_NOT_FOUND, "Group " + slot.id + " is not a streams group.");
    }

    /** The group in the slot, or one that replaces an empty group of another kind. */
    private StreamsGroup groupToJoin(GroupSlot slot) {
        Group group = slot.group;
        return !(group instanceof StreamsGroup) && (group == null || group.isEmpty())
                ? new StreamsGroup(slot.id, context, images(slot))
                : groupIn(slot);
    }

    /** Puts the group into the slot and ends the one that was there. */
    private static void install(GroupSlot slot, StreamsGroup group) {
        Group before = slot.group;
        if (before != group) {
            slot.group = group;
            if (before != null) {
                before.close();
            }
        }
    }

    private static Answer refused(Throwable failure) {
        return new Answer(
                refused(Journal.errorOf(failure), ErrorMapper.refusal(failure).getMessage()), List.of());
    }

    private static StreamsGroupHeartbeatResponse refused(ErrorCode code, @Nullable String message) {
        return new StreamsGroupHeartbeatResponse()
                .errorCode(code.code())
                .errorMessage(message)
                .status(List.of());
    }

    public static StreamsGroupHeartbeatResponse refused(ErrorCode error) {
        return refused(error, null);
    }

    // ---- describe ----

    public LongQuestions.Question<StreamsGroupDescribeResponse> describe(StreamsGroupDescribeRequest request) {
        List<DescribedGroup> described = new ArrayList<>(request.groupIds().size());
        // A group that is named twice is described once, because it may be large.
        return new OneByOne<>(
                List.copyOf(new LinkedHashSet<>(request.groupIds())),
                id -> find(id) instanceof StreamsGroup group ? StreamsDescription.parts(group) : 0,
                id -> described.add(describe(id, request.includeTopologyDescription())),
                () -> new StreamsGroupDescribeResponse().groups(described));
    }

    private DescribedGroup describe(String id, boolean withDescription) {
        if (!context.settings().enabled()) {
            return refusedGroup(id, ErrorCode.UNSUPPORTED_VERSION);
        }
        if (find(id) instanceof StreamsGroup group) {
            // Descriptions of topologies are for a plugin of the broker.
            return StreamsDescription.of(group).topologyDescriptionStatus((byte) (withDescription ? 1 : 0));
        }
        return id.isEmpty()
                ? refusedGroup(id, ErrorCode.INVALID_GROUP_ID)
                : refusedGroup(id, ErrorCode.GROUP_ID_NOT_FOUND)
                        .errorMessage(RefusedException.fitting(
                                "Group " + id + (table.find(id) == null ? " not found." : " is not a streams group.")));
    }

    private @Nullable Group find(String id) {
        GroupSlot slot = table.find(id);
        return slot == null ? null : slot.group;
    }

    public static StreamsGroupDescribeResponse refused(StreamsGroupDescribeRequest request, ErrorCode error) {
        return new StreamsGroupDescribeResponse()
                .groups(request.groupIds().stream()
                        .map(groupId -> refusedGroup(groupId, error))
                        .toList());
    }

    private static DescribedGroup refusedGroup(String groupId, ErrorCode error) {
        return new DescribedGroup().groupId(groupId).errorCode(error.code());
    }
}
