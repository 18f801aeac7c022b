package io.rivulet.broker.api.group;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.Permissions;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.protocol.message.FindCoordinatorRequest;
import io.rivulet.protocol.message.FindCoordinatorResponse;
import io.rivulet.protocol.message.FindCoordinatorResponse.Coordinator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Finds the coordinator of a group or a transaction, which is always this broker. The first request creates the
 * internal topic, as in Kafka.
 */
record FindCoordinatorHandler(ApiParts parts) implements Handler<FindCoordinatorRequest> {
    private static final short BATCHED_FROM_VERSION = 4;
    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final int NO_NODE = -1;

    @Override
    public void handle(Call call, FindCoordinatorRequest request) {
        // Each key once, because the answer to a key is longer than the key.
        List<String> keys = call.version() >= BATCHED_FROM_VERSION
                ? List.copyOf(new LinkedHashSet<>(request.coordinatorKeys()))
                : List.of(request.key());
        boolean finds = keys.stream().anyMatch(key -> check(call.access(), request.keyType(), key) == ErrorCode.NONE);
        if (finds) {
            InternalTopic topic = request.keyType() == GROUP ? InternalTopic.OFFSETS : InternalTopic.TRANSACTIONS;
            parts.internal().whenThere(topic, () -> call.onEventLoop(() -> answer(call, request, keys)));
        } else {
            answer(call, request, keys);
        }
    }

    private static ErrorCode check(Access access, byte type, String key) {
        return switch (type) {
            case GROUP -> Permissions.group(access, Operation.DESCRIBE, key);
            case TRANSACTION -> Permissions.transaction(access, Operation.DESCRIBE, key);
            default -> ErrorCode.INVALID_REQUEST;
        };
    }

    private void answer(Call call, FindCoordinatorRequest request, List<String> keys) {
        Call.Endpoint endpoint = call.origin().advertised();
        Access access = call.access();
        if (call.version() >= BATCHED_FROM_VERSION) {
            List<Coordinator> coordinators = new LazyList<>(
                    keys.size(),
                    i -> coordinator(endpoint, check(access, request.keyType(), keys.get(i)))
                            .key(keys.get(i)));
            parts.longAnswers().answer(call, new FindCoordinatorResponse().coordinators(coordinators), keys.size());
        } else {
            Coordinator one = coordinator(endpoint, check(access, request.keyType(), keys.get(0)));
            call.answer(new FindCoordinatorResponse()
                    .nodeId(one.nodeId())
                    .host(one.host())
                    .port(one.port())
                    .errorCode(one.errorCode())
                    .errorMessage(one.errorMessage()));
        }
    }

    private Coordinator coordinator(Call.Endpoint endpoint, ErrorCode error) {
        return error == ErrorCode.NONE ? thisBroker(endpoint) : none(error);
    }

    private Coordinator thisBroker(Call.Endpoint endpoint) {
        return new Coordinator()
                .nodeId(parts.nodeId())
                .host(endpoint.host())
                .port(endpoint.port())
                .errorMessage(null);
    }

    private static Coordinator none(ErrorCode error) {
        return new Coordinator()
                .nodeId(NO_NODE)
                .port(NO_NODE)
                .errorCode(error.code())
                .errorMessage(
                        error == ErrorCode.INVALID_REQUEST
                                ? "the key type must be 0 (group) or 1 (transaction)"
                                : "the client may not describe it");
    }
}
