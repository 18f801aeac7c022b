package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.AddRaftVoterRequest;
import io.rivulet.protocol.message.AddRaftVoterResponse;

/** Refuses, as Kafka does with a fixed set of voters. */
record AddRaftVoterHandler(ApiParts parts) implements Handler<AddRaftVoterRequest> {
    @Override
    public void handle(Call call, AddRaftVoterRequest request) {
        RefusedException refusal =
                StaticQuorum.refusal(parts, request.clusterId(), request.voterId(), request.voterDirectoryId());
        call.answer(new AddRaftVoterResponse().errorCode(refusal.code().code()).errorMessage(refusal.getMessage()));
    }
}
