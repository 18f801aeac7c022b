package io.rivulet.broker.group.classic;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.coordinator.LongQuestions;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.group.InPlace;
import io.rivulet.protocol.message.DescribeGroupsRequest;
import io.rivulet.protocol.message.DescribeGroupsResponse.DescribedGroupMember;
import io.rivulet.protocol.message.JoinGroupRequest;
import io.rivulet.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.rivulet.protocol.message.JoinGroupResponse;
import io.rivulet.protocol.message.LeaveGroupRequest;
import io.rivulet.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.rivulet.protocol.message.SyncGroupRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A static member that comes back while the disk is full, or does not answer. */
final class StaticMemberTest {
    private static final String GROUP = "g";
    private static final String INSTANCE = "static";
    private static final long MINUTE_NANOS = 60_000_000_000L;

    private final InPlace place = new InPlace();
    private final List<JoinGroupResponse> joined = new ArrayList<>();

    @Test
    void aMemberThatLeftIsNotRestoredWhenStoringItsReturnFails() {
        join();
        place.advance(MINUTE_NANOS / 20);
        sync(joined.get(0));
        place.allDurable();
        join();
        place.groups.leave(
                new LeaveGroupRequest()
                        .groupId(GROUP)
                        .members(List.of(new MemberIdentity().memberId("").groupInstanceId(INSTANCE))),
                (short) 5);

        place.oneFails(new RefusedException(ErrorCode.KAFKA_STORAGE_ERROR, "no space"));

        assertThat(members()).isEmpty();
    }

    /** Its session ends while the answer waits for the disk. Nobody else removes it, and it keeps its partitions. */
    @Test
    void aMemberThatGoesWhileItsReturnIsStoredIsRemoved() {
        comeBackWhileTheDiskDoesNotAnswer();
        place.oneDurable();
        assertThat(joined.get(1).errorCode()).isZero();
        assertThat(members()).containsExactly(joined.get(1).memberId());

        place.advance(MINUTE_NANOS);

        assertThat(members()).isEmpty();
    }

    @Test
    void aMemberThatGoesWhileStoringItsReturnFailsIsRemoved() {
        comeBackWhileTheDiskDoesNotAnswer();
        place.oneFails(new RefusedException(ErrorCode.KAFKA_STORAGE_ERROR, "no space"));
        assertThat(members()).containsExactly(joined.get(0).memberId());

        place.advance(MINUTE_NANOS);

        assertThat(members()).isEmpty();
    }

    /** For a minute, which is longer than the session. */
    private void comeBackWhileTheDiskDoesNotAnswer() {
        join();
        place.advance(MINUTE_NANOS / 20);
        sync(joined.get(0));
        place.allDurable();
        join();
        place.advance(MINUTE_NANOS);
    }

    private List<String> members() {
        return LongQuestions.complete(
                        place.groups.describe(new DescribeGroupsRequest().groups(List.of(GROUP)), (short) 5))
                .groups()
                .get(0)
                .members()
                .stream()
                .map(DescribedGroupMember::memberId)
                .toList();
    }

    private void join() {
        JoinGroupRequest request = new JoinGroupRequest()
                .groupId(GROUP)
                .memberId("")
                .groupInstanceId(INSTANCE)
                .sessionTimeoutMs(10_000)
                .rebalanceTimeoutMs(10_000)
                .protocolType("test")
                .protocols(List.of(new JoinGroupRequestProtocol().name("a").metadata(new byte[0])));
        place.groups.join(new JoinCall(request, (short) 9, "client", "/host", joined::add));
    }

    private void sync(JoinGroupResponse member) {
        place.groups.sync(
                new SyncGroupRequest()
                        .groupId(GROUP)
                        .memberId(member.memberId())
                        .groupInstanceId(INSTANCE)
                        .generationId(member.generationId()),
                response -> assertThat(response.errorCode()).isZero());
    }
}
