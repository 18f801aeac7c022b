package io.rivulet.broker.api.cluster;

import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.StreamsGroupTopologyDescriptionUpdateResponse;
import io.rivulet.protocol.wire.Message;
import java.util.List;
import java.util.function.Supplier;

/**
 * The API of groups that this broker does not serve. A client that does not read ApiVersions is answered with
 * UNSUPPORTED_VERSION, as by a Kafka without a plug-in for it. Stateless.
 */
public final class UnservedApis {
    private static final short ERROR = ErrorCode.UNSUPPORTED_VERSION.code();

    private UnservedApis() {}

    /** Not advertised. */
    public static List<Route> routes() {
        return List.of(unserved(
                ApiKey.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
                () -> new StreamsGroupTopologyDescriptionUpdateResponse().errorCode(ERROR)));
    }

    private static Route unserved(ApiKey key, Supplier<Message> answer) {
        return Route.of(key, (call, request) -> call.answer(answer.get()));
    }
}
