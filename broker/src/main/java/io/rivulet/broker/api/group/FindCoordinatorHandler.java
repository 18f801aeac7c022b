package io.rivulet.broker.api.group;

import io.rivulet.broker.api.ApiParts;
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
        boolean known = request.keyType() == GROUP || request.keyType() == TRANSACTION;
        if (known) {
            InternalTopic topic = request.keyType() == GROUP ? InternalTopic.OFFSETS : InternalTopic.TRANSACTIONS;
            parts.internal().whenThere(topic, () -> call.onEventLoop(() -> answer(call, request, true)));
        } else {
            answer(call, request, false);
        }
    }

    private void answer(Call call, FindCoordinatorRequest request, boolean known) {
        Call.Endpoint endpoint = call.origin().advertised();
        if (call.version() >= BATCHED_FROM_VERSION) {
            // Each key once, because the answer to a key is longer than the key.
            List<String> keys = List.copyOf(new LinkedHashSet<>(request.coordinatorKeys()));
            List<Coordinator> coordinators =
                    new LazyList<>(keys.size(), i -> (known ? thisBroker(endpoint) : invalidType()).key(keys.get(i)));
            parts.longAnswers().answer(call, new FindCoordinatorResponse().coordinators(coordinators), keys.size());
        } else {
            Coordinator one = known ? thisBroker(endpoint) : invalidType();
            call.answer(new FindCoordinatorResponse()
                    .nodeId(one.nodeId())
                    .host(one.host())
                    .port(one.port())
                    .errorCode(one.errorCode())
                    .errorMessage(one.errorMessage()));
        }
    }

    private Coordinator thisBroker(Call.Endpoint endpoint) {
        return new Coordinator()
                .nodeId(parts.nodeId())
                .host(endpoint.host())
                .port(endpoint.port())
                .errorMessage(null);
    }

    private static Coordinator invalidType() {
        return new Coordinator()
                .nodeId(NO_NODE)
                .port(NO_NODE)
                .errorCode(ErrorCode.INVALID_REQUEST.code())
                .errorMessage("the key type must be 0 (group) or 1 (transaction)");
    }
}
