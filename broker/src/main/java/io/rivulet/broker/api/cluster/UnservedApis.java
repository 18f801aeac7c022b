package io.rivulet.broker.api.cluster;

import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.StreamsGroupDescribeRequest;
import io.rivulet.protocol.message.StreamsGroupDescribeResponse;
import io.rivulet.protocol.message.StreamsGroupHeartbeatResponse;
import io.rivulet.protocol.message.StreamsGroupTopologyDescriptionUpdateResponse;
import io.rivulet.protocol.wire.Message;
import java.util.List;
import java.util.function.Supplier;

/**
 * APIs that this broker does not serve. A client that does not read ApiVersions is answered with UNSUPPORTED_VERSION,
 * as by a Kafka whose features of share and streams groups are off. Stateless.
 */
public final class UnservedApis {
    private static final short ERROR = ErrorCode.UNSUPPORTED_VERSION.code();

    private UnservedApis() {}

    /** Not advertised. */
    public static List<Route> routes() {
        return List.of(
                unserved(ApiKey.STREAMS_GROUP_HEARTBEAT, () -> new StreamsGroupHeartbeatResponse().errorCode(ERROR)),
                Route.<StreamsGroupDescribeRequest>of(
                        ApiKey.STREAMS_GROUP_DESCRIBE, (call, request) -> call.answer(refused(request))),
                unserved(
                        ApiKey.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
                        () -> new StreamsGroupTopologyDescriptionUpdateResponse().errorCode(ERROR)));
    }

    private static Route unserved(ApiKey key, Supplier<Message> answer) {
        return Route.of(key, (call, request) -> call.answer(answer.get()));
    }

    private static Message refused(StreamsGroupDescribeRequest request) {
        return new StreamsGroupDescribeResponse()
                .groups(request.groupIds().stream()
                        .map(id -> new StreamsGroupDescribeResponse.DescribedGroup()
                                .groupId(id)
                                .errorCode(ERROR))
                        .toList());
    }
}
