package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.RemoveRaftVoterRequest;
import io.rivulet.protocol.message.RemoveRaftVoterResponse;

/** Refuses, as Kafka does with a fixed set of voters. */
record RemoveRaftVoterHandler(ApiParts parts) implements Handler<RemoveRaftVoterRequest> {
    @Override
    public void handle(Call call, RemoveRaftVoterRequest request) {
        RefusedException refusal =
                StaticQuorum.refusal(parts, request.clusterId(), request.voterId(), request.voterDirectoryId());
        call.answer(
                new RemoveRaftVoterResponse().errorCode(refusal.code().code()).errorMessage(refusal.getMessage()));
    }
}
