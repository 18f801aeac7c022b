package io.rivulet.broker.api.cluster;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Refusal;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.RemoveRaftVoterRequest;
import io.rivulet.protocol.message.RemoveRaftVoterResponse;
import io.rivulet.protocol.wire.Message;

/** Refuses, as Kafka does with a fixed set of voters. */
record RemoveRaftVoterHandler(ApiParts parts)
        implements Handler<RemoveRaftVoterRequest>, Refusal<RemoveRaftVoterRequest> {
    @Override
    public void handle(Call call, RemoveRaftVoterRequest request) {
        RefusedException refusal =
                StaticQuorum.refusal(parts, request.clusterId(), request.voterId(), request.voterDirectoryId());
        call.answer(
                new RemoveRaftVoterResponse().errorCode(refusal.code().code()).errorMessage(refusal.getMessage()));
    }

    @Override
    public Message refuse(RemoveRaftVoterRequest request, short version, ErrorCode error) {
        return new RemoveRaftVoterResponse().errorCode(error.code());
    }
}
