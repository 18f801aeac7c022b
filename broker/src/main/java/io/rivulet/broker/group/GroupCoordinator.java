package io.rivulet.broker.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.config.GroupSettings;
import io.rivulet.broker.coordinator.Countdown;
import io.rivulet.broker.coordinator.Journal;
import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.coordinator.OneByOne;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.Group;
import io.rivulet.broker.group.base.GroupContext;
import io.rivulet.broker.group.base.ImageStore;
import io.rivulet.broker.group.classic.ClassicAnswers;
import io.rivulet.broker.group.classic.ClassicGroup;
import io.rivulet.broker.group.classic.ClassicProtocol;
import io.rivulet.broker.group.classic.ClassicStoredImage;
import io.rivulet.broker.group.classic.JoinCall;
import io.rivulet.broker.group.consumer.ConsumerGroup;
import io.rivulet.broker.group.offset.CommittedOffsets;
import io.rivulet.broker.group.offset.TopicNumbers;
import io.rivulet.broker.group.share.ShareGroup;
import io.rivulet.broker.group.streams.StreamsGroup;
import io.rivulet.broker.limit.LimitLog;
import io.rivulet.protocol.message.DeleteGroupsRequest;
import io.rivulet.protocol.message.DeleteGroupsResponse;
import io.rivulet.protocol.message.DeleteGroupsResponse.DeletableGroupResult;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.rivulet.protocol.message.HeartbeatRequest;
import io.rivulet.protocol.message.HeartbeatResponse;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.rivulet.protocol.message.LeaveGroupResponse;
import io.rivulet.protocol.message.LeaveGroupResponse.MemberResponse;
import io.rivulet.protocol.message.ListGroupsRequest;
import io.rivulet.protocol.message.ListGroupsResponse;
import io.rivulet.protocol.message.SyncGroupRequest;
import io.rivulet.protocol.message.SyncGroupResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the group APIs; {@link GroupOffsets} and {@link OffsetFetch} serve those for offsets. Every request gets one
 * response, now or later.
 *
 * <p>Owned by: the coordinator thread. It starts no threads, so a test can run it on its own.
 */
public final class GroupCoordinator {
    private static final short MEMBERS_LEAVE_TOGETHER_FROM_VERSION = 3;
    private static final short GROUP_ID_NOT_FOUND_FROM_VERSION = 6;
    private static final String DEAD = "Dead";
    /** Clients offer a few. Each is compared with those of all members. */
    private static final int MAX_PROTOCOLS = 100;
    /** A committed offset takes 18 bytes in an entry and 64 in the heap; images take less. */
    private static final long HEAP_BYTES_PER_ENTRY_BYTE = 4;

    private final GroupSettings settings;
    private final GroupContext context;
    private final GroupTable table;
    private final SlotJournal journal;
    /** Stands for each group that only commits offsets. It has no members. */
    private final Group offsetsOnly;

    GroupCoordinator(GroupContext context, GroupTable table, Journal journal) {
        this.settings = context.settings();
        this.context = context;
        this.table = table;
        this.journal = new SlotJournal(journal, table);
        this.offsetsOnly =
                new ClassicGroup(context, classicImages(new GroupSlot("", new CommittedOffsets(new TopicNumbers()))));
    }

    /** Restores the groups whose members are in the log. */
    void restore() {
        for (GroupSlot slot : List.copyOf(table.all())) {
            table.dropParts(slot);
            if (slot.image instanceof ClassicStoredImage image) {
                slot.group = ClassicGroup.of(image.bytes(), context, classicImages(slot));
            }
        }
    }

    // ---- entries ----

    /**
     * Appends an entry about the slot. The slot stays until the entry is applied, and the heap that the entry may take
     * is reserved.
     */
    void append(GroupSlot slot, ByteBuffer entry, Consumer<@Nullable Throwable> done) {
        long bytes = HEAP_BYTES_PER_ENTRY_BYTE * entry.remaining();
        slot.entriesUnderWay++;
        context.heap().add(bytes);
        journal.append(slot, entry, failure -> {
            slot.entriesUnderWay--;
            context.heap().add(-bytes);
            done.accept(failure);
            table.removeIfUnused(slot);
        });
    }

    ImageStore classicImages(GroupSlot slot) {
        return images(slot, GroupEntryLayout.GROUP, () -> {});
    }

    /**
     * Stores images of the group in the slot as entries of that type.
     *
     * @param whenChanged runs when a timer has changed the group
     */
    ImageStore images(GroupSlot slot, byte type, Runnable whenChanged) {
        return new ImageStore() {
            @Override
            public String groupId() {
                return slot.id;
            }

            @Override
            public void store(ByteBuffer image, Consumer<@Nullable Throwable> done) {
                append(slot, GroupEntryLayout.image(type, slot.id, image), done);
            }

            @Override
            public void changed() {
                whenChanged.run();
                table.removeIfUnused(slot);
            }
        };
    }

    // ---- groups ----

    /** The group in the slot. A group that only commits offsets counts as an empty classic group. */
    Group groupIn(GroupSlot slot) {
        Group group = slot.group;
        return group == null ? offsetsOnly : group;
    }

    /** The group with that id as members of the classic protocol use it; null if there is none. */
    private @Nullable ClassicProtocol findForClassic(String id) {
        GroupSlot slot = table.find(id);
        Group group = slot == null ? null : slot.group;
        if (group instanceof ConsumerGroup consumer) {
            return consumer.classicMembers();
        }
        return group instanceof ClassicGroup classic ? classic : null;
    }

    /** Whether a group with that id exists or may be added. */
    boolean mayAdd(String id) {
        if (table.find(id) != null
                || (table.size() < settings.maxGroups() && context.heap().hasRoomFor(2L * id.length()))) {
            return true;
        }
        LimitLog.refused("rivulet.max.groups or rivulet.groups.bytes", "a new group");
        return false;
    }

    // ---- members ----

    public void join(JoinCall call) {
        String id = call.request().groupId();
        String memberId = call.request().memberId();
        int sessionTimeoutMillis = call.request().sessionTimeoutMs();
        ErrorCode error = ErrorCode.NONE;
        if (id.isEmpty()) {
            error = ErrorCode.INVALID_GROUP_ID;
        } else if (sessionTimeoutMillis < settings.minSessionTimeoutMillis()
                || sessionTimeoutMillis > settings.maxSessionTimeoutMillis()) {
            error = ErrorCode.INVALID_SESSION_TIMEOUT;
        } else if (call.request().protocols().size() > MAX_PROTOCOLS) {
            error = ErrorCode.INCONSISTENT_GROUP_PROTOCOL;
        } else if (table.find(id) == null && !memberId.isEmpty()) {
            error = ErrorCode.UNKNOWN_MEMBER_ID;
        } else if (!mayAdd(id)) {
            error = ErrorCode.POLICY_VIOLATION;
        } else if (isOfOtherKind(id)) {
            error = ErrorCode.INCONSISTENT_GROUP_PROTOCOL;
        }
        if (error != ErrorCode.NONE) {
            call.reply().accept(ClassicAnswers.joinError(memberId, error));
            return;
        }
        GroupSlot slot = table.findOrAdd(id);
        Group group = slot.group;
        if (group instanceof ShareGroup) {
            call.reply().accept(ClassicAnswers.joinError("", ErrorCode.INCONSISTENT_GROUP_PROTOCOL));
        } else if (group instanceof ConsumerGroup consumer && !consumer.isEmpty()) {
            consumer.classicMembers().join(call);
        } else {
            ClassicGroup classic =
                    group instanceof ClassicGroup one ? one : new ClassicGroup(context, classicImages(slot));
            if (group != null && group != classic) {
                group.close();
            }
            slot.group = classic;
            classic.join(call);
        }
        table.removeIfUnused(slot);
    }

    /** Whether the group has members that neither use the classic protocol nor can change to it. */
    private boolean isOfOtherKind(String id) {
        GroupSlot slot = table.find(id);
        return slot != null && slot.group instanceof StreamsGroup group && !group.isEmpty();
    }

    public void sync(SyncGroupRequest request, Consumer<SyncGroupResponse> reply) {
        ClassicProtocol group = findForClassic(request.groupId());
        if (request.groupId().isEmpty()) {
            reply.accept(ClassicAnswers.syncError(ErrorCode.INVALID_GROUP_ID));
        } else if (group == null) {
            reply.accept(ClassicAnswers.syncError(ErrorCode.UNKNOWN_MEMBER_ID));
        } else {
            group.sync(request, reply);
        }
    }

    public HeartbeatResponse heartbeat(HeartbeatRequest request) {
        ClassicProtocol group = findForClassic(request.groupId());
        ErrorCode error;
        if (request.groupId().isEmpty()) {
            error = ErrorCode.INVALID_GROUP_ID;
        } else {
            error = group == null ? ErrorCode.UNKNOWN_MEMBER_ID : group.heartbeat(request);
        }
        return new HeartbeatResponse().errorCode(error.code());
    }

    public LeaveGroupResponse leave(LeaveGroupRequest request, short version) {
        if (request.groupId().isEmpty()) {
            return new LeaveGroupResponse().errorCode(ErrorCode.INVALID_GROUP_ID.code());
        }
        boolean together = version >= MEMBERS_LEAVE_TOGETHER_FROM_VERSION;
        List<MemberIdentity> leaving =
                together ? request.members() : List.of(new MemberIdentity().memberId(request.memberId()));
        ClassicProtocol group = findForClassic(request.groupId());
        List<MemberResponse> results = new ArrayList<>(leaving.size());
        boolean any = false;
        for (MemberIdentity member : leaving) {
            ErrorCode error = group == null
                    ? ErrorCode.UNKNOWN_MEMBER_ID
                    : group.leave(member.memberId(), member.groupInstanceId());
            any |= error == ErrorCode.NONE;
            results.add(new MemberResponse()
                    .memberId(member.memberId())
                    .groupInstanceId(member.groupInstanceId())
                    .errorCode(error.code()));
        }
        if (group != null && any) {
            group.membersLeft();
            removeIfUnused(request.groupId());
        }
        return together
                ? new LeaveGroupResponse().members(results)
                : new LeaveGroupResponse().errorCode(results.get(0).errorCode());
    }

    private void removeIfUnused(String id) {
        GroupSlot slot = table.find(id);
        if (slot != null) {
            table.removeIfUnused(slot);
        }
    }

    // ---- describe, list, delete ----

    public LongQuestions.Question<DescribeGroupsResponse> describe(DescribeGroupsRequest request, short version) {
        List<DescribedGroup> described = new ArrayList<>(request.groups().size());
        // A group that is named twice is described once, because it may be large.
        return new OneByOne<>(
                List.copyOf(new LinkedHashSet<>(request.groups())),
                this::memberCount,
                id -> described.add(describe(id, version)),
                () -> new DescribeGroupsResponse().groups(described));
    }

    private long memberCount(String id) {
        GroupSlot slot = table.find(id);
        return slot == null ? 0 : groupIn(slot).memberCount();
    }

    private DescribedGroup describe(String id, short version) {
        DescribedGroup place = new DescribedGroup().groupId(id);
        GroupSlot slot = table.find(id);
        if (slot != null && groupIn(slot) instanceof ClassicGroup classic) {
            classic.describe(place);
        } else {
            place.groupState(DEAD);
            if (version >= GROUP_ID_NOT_FOUND_FROM_VERSION) {
                place.errorCode(ErrorCode.GROUP_ID_NOT_FOUND.code())
                        .errorMessage("Group " + id + (slot == null ? " not found." : " is not a classic group."));
            }
        }
        return place;
    }

    public LongQuestions.Question<ListGroupsResponse> list(ListGroupsRequest request, Access access) {
        return new GroupListing(request, access, table, this::groupIn);
    }

    public void delete(DeleteGroupsRequest request, Consumer<DeleteGroupsResponse> reply) {
        List<DeletableGroupResult> results = new ArrayList<>();
        Countdown countdown = new Countdown(() -> reply.accept(new DeleteGroupsResponse().results(results)));
        for (String id : new LinkedHashSet<>(request.groupsNames())) {
            DeletableGroupResult result = new DeletableGroupResult().groupId(id);
            results.add(result);
            GroupSlot slot = table.find(id);
            if (slot == null) {
                result.errorCode(ErrorCode.GROUP_ID_NOT_FOUND.code());
            } else if (!groupIn(slot).isEmpty()) {
                result.errorCode(ErrorCode.NON_EMPTY_GROUP.code());
            } else {
                countdown.expectOne();
                delete(slot, failure -> {
                    if (failure != null) {
                        result.errorCode(Journal.errorOf(failure).code());
                    }
                    countdown.oneDone();
                });
            }
        }
        countdown.allExpected();
    }

    private void delete(GroupSlot slot, Consumer<@Nullable Throwable> done) {
        Group group = groupIn(slot);
        group.beforeDeletion(failure -> {
            if (failure != null) {
                done.accept(failure);
            } else if (table.find(slot.id) != slot || groupIn(slot) != group) {
                done.accept(new RefusedException(ErrorCode.GROUP_ID_NOT_FOUND, "Another request has deleted it."));
            } else if (!group.isEmpty()) {
                done.accept(new RefusedException(ErrorCode.NON_EMPTY_GROUP, "A member has joined."));
            } else {
                group.deleted();
                append(slot, GroupEntryLayout.groupDeleted(slot.id), failed -> {
                    table.removeIfUnused(slot); // first: whoever asks after the answer must not find the group
                    if (failed != null) {
                        group.notDeleted();
                    }
                    done.accept(failed);
                });
            }
        });
    }

    /** Ends all groups. */
    void close() {
        for (GroupSlot slot : table.all()) {
            Group group = slot.group;
            if (group != null) {
                group.close();
            }
        }
    }
}
