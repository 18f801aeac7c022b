package io.rivulet.broker.share;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ShareAcknowledgeRequest;
import io.rivulet.protocol.message.ShareAcknowledgeResponse;
import io.rivulet.protocol.message.ShareAcknowledgeResponse.PartitionData;
import io.rivulet.protocol.message.ShareAcknowledgeResponse.ShareAcknowledgeTopicResponse;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Acknowledges records that a member of a share group has. Immutable. */
public record ShareAcknowledgeHandler(ShareFetchParts parts) implements Handler<ShareAcknowledgeRequest> {
    public Route route() {
        return Route.of(ApiKey.SHARE_ACKNOWLEDGE, this)
                .<ShareAcknowledgeRequest>permittedBy(
                        (access, request, version) -> ShareRequests.check(access, request.groupId()))
                .<ShareAcknowledgeRequest>refusedBy(
                        (request, version, error) -> new ShareAcknowledgeResponse().errorCode(error.code()));
    }

    @Override
    public void handle(Call call, ShareAcknowledgeRequest request) {
        ShareSession.Key key;
        boolean isFinal = request.shareSessionEpoch() == ShareSessions.FINAL_EPOCH;
        try {
            key = ShareRequests.key(request.groupId(), request.memberId());
            if (isFinal) {
                ShareSession unused = parts.sessions().require(key);
            } else if (request.shareSessionEpoch() == ShareSessions.INITIAL_EPOCH) {
                throw new RefusedException(
                        ErrorCode.INVALID_SHARE_SESSION_EPOCH, "an acknowledgement can't open a session");
            } else {
                parts.sessions().acknowledge(key, request.shareSessionEpoch());
            }
        } catch (RefusedException e) {
            call.answer(
                    new ShareAcknowledgeResponse().errorCode(e.code().code()).errorMessage(e.getMessage()));
            return;
        }
        byte highest = request.isRenewAck() ? AckType.RENEW : AckType.REJECT;
        RequestAcks wanted = RequestAcks.of(request);
        request.topics(List.of());
        new Acknowledging(parts, call.access(), key, highest).acknowledge(wanted, errors -> {
            if (isFinal) {
                parts.sessions().end(key);
                parts.groups()
                        .release(key.groupId(), key.member(), failure -> call.answer(answer(key, wanted, errors)));
            } else {
                call.answer(answer(key, wanted, errors));
            }
        });
    }

    private ShareAcknowledgeResponse answer(ShareSession.Key key, RequestAcks wanted, List<ErrorCode> errors) {
        Map<Uuid, List<PartitionData>> topics = new LinkedHashMap<>();
        for (int i = 0; i < wanted.size(); i++) {
            topics.computeIfAbsent(wanted.topicId(i), id -> new ArrayList<>())
                    .add(new PartitionData()
                            .partitionIndex(wanted.partition(i))
                            .errorCode(errors.get(i).code()));
        }
        List<ShareAcknowledgeTopicResponse> answers = new ArrayList<>(topics.size());
        topics.forEach((id, partitions) ->
                answers.add(new ShareAcknowledgeTopicResponse().topicId(id).partitions(partitions)));
        return new ShareAcknowledgeResponse()
                .acquisitionLockTimeoutMs(parts.groups().config(key.groupId()).recordLockMillis())
                .responses(answers);
    }
}
