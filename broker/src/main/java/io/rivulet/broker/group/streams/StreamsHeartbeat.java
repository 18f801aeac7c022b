package io.rivulet.broker.group.streams;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.MemberTexts;
import io.rivulet.broker.group.streams.StreamsMember.Endpoint;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.Status;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.TaskIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeats of members. With a heartbeat a member joins, reports its tasks, gets its tasks, or leaves.
 *
 * <p>Owned by: the coordinator thread.
 */
final class StreamsHeartbeat {
    /** Bounds the work that one heartbeat may ask for, again and again if the topics can't be created. */
    private static final int MAX_CREATIONS = 1_000;

    private final StreamsGroup group;
    private final StreamsMembers members;

    StreamsHeartbeat(StreamsGroup group) {
        this.group = group;
        this.members = group.members();
    }

    StreamsGroup.Answer answer(StreamsGroupHeartbeatRequest request, String clientId, String clientHost) {
        return request.memberEpoch() < StreamsHeartbeatChecks.JOIN
                ? leave(request)
                : stay(request, clientId, clientHost);
    }

    private StreamsGroup.Answer stay(StreamsGroupHeartbeatRequest request, String clientId, String clientHost) {
        boolean joins = request.memberEpoch() == StreamsHeartbeatChecks.JOIN;
        StreamsMember member = joins ? members.joining(request.memberId()) : members.present(request.memberId());
        ReportedTasks reported = ReportedTasks.of(request, member);
        if (!joins) {
            checkEpoch(member, request.memberEpoch(), reported);
        }
        ConfiguredTopology topics = group.configured(group.topologyWith(request.topology()));
        ReportedTasks.require(topics, request);
        requireHeap(member, request, clientId);
        // From here on nothing is refused.
        group.use(topics);
        Tasks before = member.assigned;
        boolean changed = update(member, request, clientId, clientHost);
        group.updated(member, changed);
        List<Status> status = new ArrayList<>();
        if (member.topologyEpoch < topics.topology().epoch()) {
            status.add(StreamsStatus.STALE_TOPOLOGY.with(
                    "The member's topology epoch " + member.topologyEpoch + " is behind the group's topology epoch "
                            + topics.topology().epoch() + "."));
        }
        Status delayed = group.target().assign(topics);
        if (delayed != null) {
            status.add(delayed);
        }
        group.reconcile(member, reported);
        group.restartSession(member);
        if (request.shutdownApplication()) {
            group.shutDownFor(member.id);
        }
        addStatus(topics, status);
        boolean hasNewTasks = joins || !member.assigned.equals(before);
        // It reports other tasks than it should have: the response that had them may be lost.
        boolean differs = reported != null && !reported.own().equals(member.assigned);
        if (hasNewTasks) {
            group.endpoints().changed(member);
        }
        return new StreamsGroup.Answer(
                response(request, member, hasNewTasks || differs).status(status), some(topics.toCreate()));
    }

    /** The next heartbeat brings the others. */
    private static List<InternalTopic> some(List<InternalTopic> missing) {
        return missing.subList(0, Math.min(missing.size(), MAX_CREATIONS));
    }

    private void addStatus(ConfiguredTopology topics, List<Status> status) {
        if (topics.problem() != null) {
            status.add(topics.problem().status().with(topics.problem().detail()));
        }
        String requester = group.shutdownRequester();
        if (requester != null) {
            status.add(StreamsStatus.SHUTDOWN_APPLICATION.with(
                    "Streams group member " + requester + " requested a shutdown of the entire application."));
        }
    }

    // ---- checks ----

    /** The previous epoch is accepted if the member has nothing that it should not have: then the response was lost. */
    private static void checkEpoch(StreamsMember member, int epoch, @Nullable ReportedTasks reported) {
        boolean responseWasLost = epoch < member.epoch
                && epoch == member.previousEpoch
                && reported != null
                && !reported.others()
                && member.assigned.containsAll(reported.own());
        if (epoch != member.epoch && !responseWasLost) {
            throw new RefusedException(
                    ErrorCode.FENCED_MEMBER_EPOCH,
                    "The streams group member has a " + (epoch > member.epoch ? "greater" : "smaller")
                            + " member epoch (" + epoch + ") than the one known by the group coordinator ("
                            + member.epoch + "). The member must abandon all its partitions and rejoin.");
        }
    }

    /** One member has little, but members may be many. */
    private void requireHeap(StreamsMember member, StreamsGroupHeartbeatRequest request, String clientId) {
        Endpoint before = member.endpoint;
        StreamsGroupHeartbeatRequest.Endpoint endpoint = request.userEndpoint();
        new MemberTexts()
                .changed(members.find(member.id) == null ? "" : member.id, request.memberId())
                .changed(member.clientId, clientId)
                .changed(member.rackId, request.rackId())
                .changed(member.processId, request.processId())
                .changed(before == null ? null : before.host(), endpoint == null ? null : endpoint.host())
                .changed(0, request.clientTags() == null ? 0 : bytes(request.clientTags()) - bytes(member.clientTags))
                .requireRoom(group.context().group().heap());
    }

    private static long bytes(List<StreamsGroupHeartbeatRequest.KeyValue> tags) {
        return tags.stream()
                .mapToLong(tag -> MemberTexts.bytes(tag.key()) + MemberTexts.bytes(tag.value()))
                .sum();
    }

    private static long bytes(Map<String, String> tags) {
        return tags.entrySet().stream()
                .mapToLong(tag -> MemberTexts.bytes(tag.getKey()) + MemberTexts.bytes(tag.getValue()))
                .sum();
    }

    // ---- the member ----

    /** Returns whether anything has changed. Null in a request means no change. */
    private static boolean update(
            StreamsMember member, StreamsGroupHeartbeatRequest request, String clientId, String clientHost) {
        Object before = dataOf(member);
        member.clientId = clientId;
        member.clientHost = clientHost;
        if (request.rackId() != null) {
            member.rackId = request.rackId();
        }
        if (request.rebalanceTimeoutMs() != -1) {
            member.rebalanceTimeoutMillis = request.rebalanceTimeoutMs();
        }
        if (request.topology() != null) {
            member.topologyEpoch = request.topology().epoch();
        }
        if (request.processId() != null) {
            member.processId = request.processId();
        }
        if (request.userEndpoint() != null) {
            member.endpoint = new Endpoint(
                    request.userEndpoint().host(), request.userEndpoint().port());
        }
        if (request.clientTags() != null) {
            Map<String, String> tags = new TreeMap<>();
            request.clientTags().forEach(tag -> tags.put(tag.key(), tag.value()));
            member.clientTags = tags;
        }
        return !before.equals(dataOf(member));
    }

    private static List<Object> dataOf(StreamsMember member) {
        return List.of(
                member.clientId,
                member.clientHost,
                Objects.toString(member.rackId),
                member.rebalanceTimeoutMillis,
                member.topologyEpoch,
                member.processId,
                Objects.toString(member.endpoint),
                member.clientTags);
    }

    private StreamsGroup.Answer leave(StreamsGroupHeartbeatRequest request) {
        StreamsMember member = members.present(request.memberId());
        if (request.shutdownApplication()) {
            group.shutDownFor(member.id);
        }
        group.remove(member);
        StreamsGroupHeartbeatResponse left = new StreamsGroupHeartbeatResponse()
                .memberId(request.memberId())
                .memberEpoch(request.memberEpoch())
                .status(List.of());
        return new StreamsGroup.Answer(left, List.of());
    }

    // ---- the response ----

    private StreamsGroupHeartbeatResponse response(
            StreamsGroupHeartbeatRequest request, StreamsMember member, boolean answersTasks) {
        StreamsGroupHeartbeatResponse response = new StreamsGroupHeartbeatResponse()
                .memberId(member.id)
                .memberEpoch(member.epoch)
                .heartbeatIntervalMs(group.context().configs().heartbeatIntervalMillis(group.groupId()));
        if (answersTasks) {
            response.activeTasks(taskIds(member.assigned.active()))
                    .standbyTasks(taskIds(member.assigned.standby()))
                    .warmupTasks(List.of());
        }
        response.endpointInformationEpoch(group.endpoints().epoch());
        if (group.endpoints().epoch() != request.endpointInformationEpoch()) {
            response.partitionsByUserEndpoint(group.endpoints().partitions());
        }
        return response;
    }

    private static List<TaskIds> taskIds(TaskSet tasks) {
        List<TaskIds> ids = new ArrayList<>();
        tasks.forEach(
                (id, partitions) -> ids.add(new TaskIds().subtopologyId(id).partitions(partitions)));
        return ids;
    }
}
