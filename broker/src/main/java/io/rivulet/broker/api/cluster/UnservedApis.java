package io.rivulet.broker.api.cluster;

import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.AlterShareGroupOffsetsResponse;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.DeleteShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsRequest;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse;
import io.rivulet.protocol.message.DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup;
import io.rivulet.protocol.message.ShareAcknowledgeResponse;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.message.ShareGroupDescribeRequest;
import io.rivulet.protocol.message.ShareGroupDescribeResponse;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import io.rivulet.protocol.message.StreamsGroupTopologyDescriptionUpdateResponse;
import io.rivulet.protocol.wire.Message;
import java.util.List;
import java.util.function.Supplier;

/**
 * APIs that this broker does not serve. A client that does not read ApiVersions is answered with UNSUPPORTED_VERSION,
 * as by a Kafka whose feature of share groups is off. Stateless.
 */
public final class UnservedApis {
    private static final short ERROR = ErrorCode.UNSUPPORTED_VERSION.code();

    private UnservedApis() {}

    /** Not advertised. */
    public static List<Route> routes() {
        return List.of(
                unserved(ApiKey.SHARE_GROUP_HEARTBEAT, () -> new ShareGroupHeartbeatResponse().errorCode(ERROR)),
                Route.<ShareGroupDescribeRequest>of(
                        ApiKey.SHARE_GROUP_DESCRIBE, (call, request) -> call.answer(refused(request))),
                unserved(ApiKey.SHARE_FETCH, () -> new ShareFetchResponse().errorCode(ERROR)),
                unserved(ApiKey.SHARE_ACKNOWLEDGE, () -> new ShareAcknowledgeResponse().errorCode(ERROR)),
                Route.<DescribeShareGroupOffsetsRequest>of(
                        ApiKey.DESCRIBE_SHARE_GROUP_OFFSETS, (call, request) -> call.answer(refused(request))),
                unserved(ApiKey.ALTER_SHARE_GROUP_OFFSETS, () -> new AlterShareGroupOffsetsResponse().errorCode(ERROR)),
                unserved(
                        ApiKey.DELETE_SHARE_GROUP_OFFSETS,
                        () -> new DeleteShareGroupOffsetsResponse().errorCode(ERROR)),
                unserved(
                        ApiKey.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
                        () -> new StreamsGroupTopologyDescriptionUpdateResponse().errorCode(ERROR)));
    }

    private static Route unserved(ApiKey key, Supplier<Message> answer) {
        return Route.of(key, (call, request) -> call.answer(answer.get()));
    }

    private static Message refused(ShareGroupDescribeRequest request) {
        return new ShareGroupDescribeResponse()
                .groups(request.groupIds().stream()
                        .map(id -> new ShareGroupDescribeResponse.DescribedGroup()
                                .groupId(id)
                                .errorCode(ERROR))
                        .toList());
    }

    private static Message refused(DescribeShareGroupOffsetsRequest request) {
        return new DescribeShareGroupOffsetsResponse()
                .groups(request.groups().stream()
                        .map(group -> new DescribeShareGroupOffsetsResponseGroup()
                                .groupId(group.groupId())
                                .errorCode(ERROR))
                        .toList());
    }
}
