package io.rivulet.broker.api.group;

import io.rivulet.broker.api.BrokerIdentity;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.LazyList;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.FindCoordinatorRequest;
import io.rivulet.protocol.message.FindCoordinatorResponse;
import io.rivulet.protocol.message.FindCoordinatorResponse.Coordinator;
import java.util.LinkedHashSet;
import java.util.List;

/** Names the node that coordinates a group or a transaction: always this one. Stateless but for its identity. */
record FindCoordinatorHandler(BrokerIdentity identity, LongAnswers longAnswers)
        implements Handler<FindCoordinatorRequest> {
    private static final short BATCHED_FROM_VERSION = 4;
    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final int NO_NODE = -1;

    @Override
    public void handle(Call call, FindCoordinatorRequest request) {
        Call.Endpoint endpoint = call.origin().advertised();
        boolean known = request.keyType() == GROUP || request.keyType() == TRANSACTION;
        if (call.version() >= BATCHED_FROM_VERSION) {
            // Each key once: an empty key is shorter than its answer.
            List<String> keys = List.copyOf(new LinkedHashSet<>(request.coordinatorKeys()));
            List<Coordinator> coordinators =
                    new LazyList<>(keys.size(), i -> (known ? here(endpoint) : nowhere()).key(keys.get(i)));
            longAnswers.answer(call, new FindCoordinatorResponse().coordinators(coordinators), keys.size());
        } else {
            Coordinator one = known ? here(endpoint) : nowhere();
            call.answer(new FindCoordinatorResponse()
                    .nodeId(one.nodeId())
                    .host(one.host())
                    .port(one.port())
                    .errorCode(one.errorCode())
                    .errorMessage(one.errorMessage()));
        }
    }

    private Coordinator here(Call.Endpoint endpoint) {
        return new Coordinator()
                .nodeId(identity.nodeId())
                .host(endpoint.host())
                .port(endpoint.port())
                .errorMessage(null);
    }

    private static Coordinator nowhere() {
        return new Coordinator()
                .nodeId(NO_NODE)
                .port(NO_NODE)
                .errorCode(ErrorCode.INVALID_REQUEST.code())
                .errorMessage("coordinators are of groups (0) and of transactions (1)");
    }
}
