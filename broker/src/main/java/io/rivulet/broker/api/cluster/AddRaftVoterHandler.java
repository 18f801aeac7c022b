package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.AddRaftVoterRequest;
import io.rivulet.protocol.message.AddRaftVoterResponse;
import io.rivulet.protocol.wire.Message;

/** Refuses, as Kafka does with a fixed set of voters. */
record AddRaftVoterHandler(ApiParts parts) implements Handler<AddRaftVoterRequest>, Refusal<AddRaftVoterRequest> {
    @Override
    public void handle(Call call, AddRaftVoterRequest request) {
        RefusedException refusal =
                StaticQuorum.refusal(parts, request.clusterId(), request.voterId(), request.voterDirectoryId());
        call.answer(new AddRaftVoterResponse().errorCode(refusal.code().code()).errorMessage(refusal.getMessage()));
    }

    @Override
    public Message refuse(AddRaftVoterRequest request, short version, ErrorCode error) {
        return new AddRaftVoterResponse().errorCode(error.code());
    }
}
