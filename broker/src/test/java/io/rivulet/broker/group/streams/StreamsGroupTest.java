package io.rivulet.broker.group.streams;

import static io.rivulet.broker.group.streams.TestStreamsGroup.beat;
import static io.rivulet.broker.group.streams.TestStreamsGroup.copartitioned;
import static io.rivulet.broker.group.streams.TestStreamsGroup.infos;
import static io.rivulet.broker.group.streams.TestStreamsGroup.join;
import static io.rivulet.broker.group.streams.TestStreamsGroup.part;
import static io.rivulet.broker.group.streams.TestStreamsGroup.stateful;
import static io.rivulet.broker.group.streams.TestStreamsGroup.topology;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.base.OffsetCommitter;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Endpoint;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TopicInfo;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.Status;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.TaskIds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StreamsGroupTest {
    private static final short[] NONE = {};
    private static final short[] FIRST = {0};

    private final TestStreamsGroup world = new TestStreamsGroup(0, 0);

    private StreamsGroupHeartbeatResponse ask(StreamsGroupHeartbeatRequest request) {
        return world.ask(request).response();
    }

    private static List<Integer> statusCodes(StreamsGroupHeartbeatResponse response) {
        List<Status> all = response.status();
        return all == null
                ? List.of()
                : all.stream().map(status -> (int) status.statusCode()).toList();
    }

    private static int[] active(StreamsGroupHeartbeatResponse response, String subtopology) {
        List<TaskIds> all = response.activeTasks();
        assertThat(all).isNotNull();
        return all == null
                ? new int[0]
                : all.stream()
                        .filter(ids -> ids.subtopologyId().equals(subtopology))
                        .findFirst()
                        .orElseThrow()
                        .partitions();
    }

    @Test
    void theFirstMemberGetsAllTasks() {
        world.topics.create("in", 3);

        StreamsGroupHeartbeatResponse response = ask(join("m", "p", topology(part("0", "in"))));

        assertThat(response.memberEpoch()).isEqualTo(2);
        assertThat(active(response, "0")).containsExactly(0, 1, 2);
        assertThat(statusCodes(response)).isEmpty();
        assertThat(world.group().stateName()).isEqualTo("Stable");
    }

    @Test
    void aMissingSourceTopicIsReportedAndAwaited() {
        StreamsGroupHeartbeatResponse before = ask(join("m", "p", topology(part("0", "in"))));
        String stateBefore = world.group().stateName();
        world.topics.create("in", 2);
        StreamsGroupHeartbeatResponse after = ask(beat("m", before.memberEpoch()));

        assertThat(statusCodes(before)).containsExactly((int) StreamsStatus.MISSING_SOURCE_TOPICS.code());
        assertThat(stateBefore).isEqualTo("NotReady");
        assertThat(active(after, "0")).containsExactly(0, 1);
    }

    @Test
    void internalTopicsAreCreatedWithTheNumberOfTasks() {
        world.topics.create("in", 3);
        StreamsGroupHeartbeatRequest.Topology topology = topology(
                part("0", "in").repartitionSinkTopics(List.of("repartition")),
                part("1").repartitionSourceTopics(infos("repartition")).stateChangelogTopics(infos("changelog")));

        StreamsGroup.Answer answer = world.ask(join("m", "p", topology));

        assertThat(statusCodes(answer.response())).containsExactly((int) StreamsStatus.MISSING_INTERNAL_TOPICS.code());
        assertThat(answer.toCreate())
                .containsExactlyInAnyOrder(
                        new InternalTopic("repartition", 3, (short) 0, Map.of()),
                        new InternalTopic("changelog", 3, (short) 0, Map.of()));
        world.topics.create("repartition", 3);
        world.topics.create("changelog", 3);
        StreamsGroupHeartbeatResponse after = ask(beat("m", answer.response().memberEpoch()));
        assertThat(active(after, "0")).hasSize(3);
        assertThat(active(after, "1")).hasSize(3);
    }

    @Test
    void copartitionedSourceTopicsMustHaveTheSameNumberOfPartitions() {
        world.topics.create("a", 3);
        world.topics.create("b", 2);
        StreamsGroupHeartbeatRequest.Topology topology =
                topology(part("0", "a", "b").copartitionGroups(List.of(copartitioned(new short[] {0, 1}, NONE))));

        StreamsGroupHeartbeatResponse response = ask(join("m", "p", topology));

        assertThat(statusCodes(response)).containsExactly((int) StreamsStatus.INCORRECTLY_PARTITIONED_TOPICS.code());
    }

    @Test
    void aRepartitionTopicGetsAsManyPartitionsAsTheSourceTopicItIsJoinedWith() {
        world.topics.create("in", 2);
        world.topics.create("wide", 5);
        StreamsGroupHeartbeatRequest.Topology topology = topology(
                part("0", "in").repartitionSinkTopics(List.of("repartition")),
                part("1", "wide")
                        .repartitionSourceTopics(infos("repartition"))
                        .copartitionGroups(List.of(copartitioned(FIRST, FIRST))));

        StreamsGroup.Answer answer = world.ask(join("m", "p", topology));

        assertThat(answer.toCreate()).containsExactly(new InternalTopic("repartition", 5, (short) 0, Map.of()));
    }

    @Test
    void anInternalTopicWithAnotherNumberOfPartitionsDoesNotFit() {
        world.topics.create("in", 3);
        world.topics.create("changelog", 2);

        StreamsGroupHeartbeatResponse response = ask(join("m", "p", topology(stateful("0", "changelog", "in"))));

        assertThat(statusCodes(response)).containsExactly((int) StreamsStatus.INCORRECTLY_PARTITIONED_TOPICS.code());
    }

    @Test
    void topologiesThatCannotWorkAreRefused() {
        TopicInfo fixed = new TopicInfo().name("changelog").partitions(2);
        assertRefused(topology(part("0", "in").stateChangelogTopics(List.of(fixed))));
        assertRefused(topology(part("0")));
        assertRefused(topology(part("0", "in"), part("0", "in")));
        assertRefused(topology(part("0", "in").copartitionGroups(List.of(copartitioned(new short[] {1}, NONE)))));
        // Two subtopologies that wait for each other.
        assertRefused(topology(
                part("0").repartitionSourceTopics(infos("x")).repartitionSinkTopics(List.of("y")),
                part("1").repartitionSourceTopics(infos("y")).repartitionSinkTopics(List.of("x"))));
    }

    private void assertRefused(StreamsGroupHeartbeatRequest.Topology topology) {
        assertThatThrownBy(() -> ask(join("m", "p", topology)))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.STREAMS_INVALID_TOPOLOGY));
    }

    @Test
    void aGroupWithMembersKeepsItsTopologyAndAnEmptyOneTakesAnother() {
        world.topics.create("in", 1);
        world.topics.create("other", 2);
        ask(join("m", "p", topology(part("0", "in"))));

        assertThatThrownBy(() -> ask(join("n", "p", topology(part("0", "other")))))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
        ask(beat("m", -1));

        assertThat(active(ask(join("n", "p", topology(part("0", "other")))), "0"))
                .hasSize(2);
    }

    @Test
    void aMemberWithAnOlderTopologyIsTold() {
        world.topics.create("in", 1);
        ask(join("m", "p", topology(part("0", "in")).epoch(5)));

        StreamsGroupHeartbeatResponse response =
                ask(join("n", "p", topology(part("0", "in")).epoch(4)));

        assertThat(statusCodes(response)).containsExactly((int) StreamsStatus.STALE_TOPOLOGY.code());
    }

    @Test
    void theFirstMembersWaitForOthers() {
        TestStreamsGroup delayed = new TestStreamsGroup(3_000, 0);
        delayed.topics.create("in", 4);
        StreamsGroupHeartbeatResponse first =
                delayed.ask(join("m", "p", topology(part("0", "in")))).response();
        StreamsGroupHeartbeatResponse second =
                delayed.ask(join("n", "q", topology(part("0", "in")))).response();
        delayed.time.pass(3_001);
        delayed.settle();

        assertThat(statusCodes(first)).containsExactly((int) StreamsStatus.ASSIGNMENT_DELAYED.code());
        assertThat(first.activeTasks()).isEmpty();
        assertThat(active(delayed.ask(beat("m", first.memberEpoch())).response(), "0"))
                .hasSize(2);
        assertThat(active(delayed.ask(beat("n", second.memberEpoch())).response(), "0"))
                .hasSize(2);
    }

    @Test
    void oneMemberCanShutDownTheApplication() {
        world.topics.create("in", 1);
        StreamsGroupHeartbeatResponse first = ask(join("m", "p", topology(part("0", "in"))));
        ask(join("n", "p", topology(part("0", "in"))));
        ask(beat("n", -1).shutdownApplication(true));

        assertThat(statusCodes(ask(beat("m", first.memberEpoch()))))
                .containsExactly((int) StreamsStatus.SHUTDOWN_APPLICATION.code());
    }

    @Test
    void membersLearnWhichEndpointServesAPartition() {
        world.topics.create("in", 2);
        StreamsGroupHeartbeatResponse response = ask(join("m", "p", topology(part("0", "in")))
                .userEndpoint(new Endpoint().host("h").port(80)));
        List<StreamsGroupHeartbeatResponse.EndpointToPartitions> all = response.partitionsByUserEndpoint();
        StreamsGroupHeartbeatResponse next =
                ask(beat("m", response.memberEpoch()).endpointInformationEpoch(response.endpointInformationEpoch()));

        assertThat(all).hasSize(1);
        assertThat(all == null ? List.of() : all.get(0).activePartitions())
                .singleElement()
                .satisfies(partitions -> assertThat(partitions.toString()).isNotEmpty());
        assertThat(next.partitionsByUserEndpoint()).isNull();
    }

    @Test
    void aMemberCommitsWithEachEpochSinceItGotTheTask() {
        world.topics.create("in", 2);
        StreamsGroupHeartbeatResponse first = ask(join("m", "p", topology(part("0", "in"))));
        ask(join("n", "q", topology(part("0", "in"))));
        StreamsGroupHeartbeatResponse fewer = ask(beat("m", first.memberEpoch()));
        int kept = active(fewer, "0")[0];
        ask(beat("m", first.memberEpoch())
                .activeTasks(List.of(new StreamsGroupHeartbeatRequest.TaskIds()
                        .subtopologyId("0")
                        .partitions(new int[] {kept})))
                .standbyTasks(List.of())
                .warmupTasks(List.of()));

        assertThat(commit(first.memberEpoch(), kept)).isEqualTo(ErrorCode.NONE);
        assertThat(commit(first.memberEpoch(), 1 - kept)).isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
        assertThat(commit(first.memberEpoch() - 1, kept)).isEqualTo(ErrorCode.STALE_MEMBER_EPOCH);
    }

    private ErrorCode commit(int epoch, int partition) {
        int queueId = world.topics.topic("in").queueId(partition);
        return world.group().checkCommit(new OffsetCommitter("m", null, epoch, true, check -> check.test(queueId)));
    }

    /** As in Kafka: the epoch shows that the member has revoked what it was asked to. */
    @Test
    void aMemberThatHasRevokedTasksAndMustRevokeMoreRisesByOneEpoch() {
        world.topics.create("in", 6);
        StreamsGroupHeartbeatRequest.Topology topology = topology(part("0", "in"));
        int alone = ask(join("m0", "p0", topology)).memberEpoch();
        ask(join("m1", "p1", topology));
        int revoking = ask(beat("m0", alone)).memberEpoch();
        ask(join("m2", "p2", topology));

        StreamsGroupHeartbeatResponse again = ask(reports(beat("m0", revoking), 0, 1, 2));

        assertThat(active(again, "0")).hasSize(2);
        assertThat(revoking).isEqualTo(alone);
        assertThat(again.memberEpoch()).isEqualTo(alone + 1);
        StreamsGroupHeartbeatResponse done = ask(reports(beat("m0", again.memberEpoch()), active(again, "0")));
        assertThat(done.memberEpoch()).isEqualTo(alone + 2);
    }

    private static StreamsGroupHeartbeatRequest reports(StreamsGroupHeartbeatRequest request, int... partitions) {
        return request.activeTasks(List.of(new StreamsGroupHeartbeatRequest.TaskIds()
                        .subtopologyId("0")
                        .partitions(partitions)))
                .standbyTasks(List.of())
                .warmupTasks(List.of());
    }

    @Test
    void aRestartMovesNoTask() {
        world.topics.create("in", 3);
        StreamsGroupHeartbeatResponse before = ask(join("m", "p", topology(part("0", "in"))));

        world.restart();
        StreamsGroupHeartbeatResponse after = ask(beat("m", before.memberEpoch()));

        assertThat(after.memberEpoch()).isEqualTo(before.memberEpoch());
        assertThat(after.activeTasks()).isNull();
        assertThat(world.group().stateName()).isEqualTo("Stable");
    }

    @Test
    void aSilentMemberLosesItsTasks() {
        world.topics.create("in", 2);
        ask(join("m", "p", topology(part("0", "in"))));
        StreamsGroupHeartbeatResponse other = ask(join("n", "q", topology(part("0", "in"))));
        world.time.pass(44_000);
        other = ask(beat("n", other.memberEpoch()));
        world.time.pass(2_000);
        world.settle();

        assertThat(active(ask(beat("n", other.memberEpoch())), "0")).containsExactly(0, 1);
    }
}
