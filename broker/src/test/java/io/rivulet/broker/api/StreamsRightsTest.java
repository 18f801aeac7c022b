package io.rivulet.broker.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.TestBroker;
import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.access.TestRights;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.StreamsGroupDescribeRequest;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse.DescribedGroup;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.Subtopology;
import io.rivulet.protocol.message.StreamsGroupHeartbeatRequest.TopicInfo;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse.Status;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streams groups, for a client with few rights. */
final class StreamsRightsTest {
    @RegisterExtension
    final TestBroker broker = new TestBroker();

    private final TestRights rights = new TestRights();

    @BeforeEach
    void createTopics() throws Exception {
        broker.createTopics("in");
        broker.access(rights);
    }

    private StreamsGroupHeartbeatResponse join(String changelog) throws Exception {
        Subtopology part = new Subtopology()
                .subtopologyId("0")
                .sourceTopics(List.of("in"))
                .stateChangelogTopics(List.of(new TopicInfo().name(changelog)));
        return broker.ask(
                ApiKey.STREAMS_GROUP_HEARTBEAT,
                new StreamsGroupHeartbeatRequest()
                        .groupId("s")
                        .memberId("m")
                        .processId("p")
                        .rebalanceTimeoutMs(10_000)
                        .topology(new StreamsGroupHeartbeatRequest.Topology().subtopologies(List.of(part)))
                        .activeTasks(List.of())
                        .standbyTasks(List.of())
                        .warmupTasks(List.of()),
                StreamsGroupHeartbeatResponse::read);
    }

    private static String details(StreamsGroupHeartbeatResponse response) {
        return Objects.requireNonNull(response.status()).stream()
                .map(Status::statusDetail)
                .toList()
                .toString();
    }

    private void allowAllButCreate() {
        rights.group(Operation.READ, "s").topic(Operation.DESCRIBE, "in").topic(Operation.DESCRIBE, "s-changelog");
    }

    @Test
    void aMemberNeedsTheGroupAndAllTopicsOfItsTopology() throws Exception {
        assertThat(join("s-changelog").errorCode()).isEqualTo(ErrorCode.GROUP_AUTHORIZATION_FAILED.code());
        rights.group(Operation.READ, "s").topic(Operation.DESCRIBE, "in");
        assertThat(join("s-changelog").errorCode()).isEqualTo(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code());
        rights.topic(Operation.DESCRIBE, "s-changelog");
        assertThat(join("s-changelog").errorCode()).isZero();
    }

    @Test
    void internalTopicsAreCreatedForAMemberThatMayCreateThem() throws Exception {
        allowAllButCreate();

        StreamsGroupHeartbeatResponse denied = join("s-changelog");
        rights.topic(Operation.CREATE, "s-changelog");
        StreamsGroupHeartbeatResponse allowed = join("s-changelog");

        assertThat(details(denied)).contains("Internal topics are missing: s-changelog", "Unauthorized to CREATE");
        assertThat(details(allowed)).contains("Internal topics are missing").doesNotContain("Unauthorized");
        assertThat(details(join("s-changelog"))).doesNotContain("missing");
    }

    @Test
    void aTopologyCannotUseTheBrokersOwnTopicsOrWrongNames() throws Exception {
        broker.access(Access.UNLIMITED);

        assertThat(join("__consumer_offsets").errorCode()).isEqualTo(ErrorCode.STREAMS_INVALID_TOPOLOGY.code());
        assertThat(join("a b").errorCode()).isEqualTo(ErrorCode.STREAMS_INVALID_TOPOLOGY.code());
    }

    @Test
    void aGroupWithATopicThatIsHiddenIsNotDescribed() throws Exception {
        allowAllButCreate();
        assertThat(join("s-changelog").errorCode()).isZero();
        TestRights few = new TestRights();
        broker.access(few.group(Operation.DESCRIBE, "s").topic(Operation.DESCRIBE, "in"));

        DescribedGroup hidden = describe();
        few.topic(Operation.DESCRIBE, "s-changelog");
        DescribedGroup seen = describe();

        assertThat(hidden.errorCode()).isEqualTo(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code());
        assertThat(hidden.members()).isEmpty();
        assertThat(seen.errorCode()).isZero();
        assertThat(seen.groupState()).isEqualTo("NotReady");
        assertThat(seen.members()).hasSize(1);
    }

    private DescribedGroup describe() throws Exception {
        return broker.ask(
                        ApiKey.STREAMS_GROUP_DESCRIBE,
                        new StreamsGroupDescribeRequest().groupIds(List.of("s")),
                        StreamsGroupDescribeResponse::read)
                .groups()
                .get(0);
    }
}
