package io.rivulet.broker.share;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchRequest.AcknowledgementBatch;
import io.rivulet.protocol.message.ShareFetchRequest.FetchPartition;
import io.rivulet.protocol.message.ShareFetchRequest.FetchTopic;
import io.rivulet.protocol.message.ShareFetchRequest.ForgottenTopic;
import io.rivulet.protocol.message.ShareFetchResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches for a member of a share group: first its acknowledgements, then {@link PendingShareFetch}. Immutable.
 *
 * @param maxBytes no response is larger, except for a single batch that is
 */
public record ShareFetchHandler(ShareFetchParts parts, int maxBytes) implements Handler<ShareFetchRequest> {
    /** So many types of acknowledgements count as one partition. */
    private static final int TYPES_AS_ONE = 64;

    public Route route() {
        return Route.of(ApiKey.SHARE_FETCH, this)
                .at(Route.Place.EVENT_LOOP)
                .<ShareFetchRequest>permittedBy(
                        (access, request, version) -> ShareRequests.check(access, request.groupId()))
                .<ShareFetchRequest>refusedBy(
                        (request, version, error) -> new ShareFetchResponse().errorCode(error.code()));
    }

    @Override
    public void handle(Call call, ShareFetchRequest request) {
        if (named(request) <= FetchSessions.SMALL) {
            begin(call, request);
        } else {
            parts.readers().read(call, reader -> begin(call, request));
        }
    }

    /** How many partitions and ranges of records the request names. A topic without any costs as much as one. */
    static long named(ShareFetchRequest request) {
        long named = 0;
        for (ForgottenTopic topic : request.forgottenTopicsData()) {
            named += Math.max(1, topic.partitions().length);
        }
        for (FetchTopic topic : request.topics()) {
            named += Math.max(1, topic.partitions().size());
            for (FetchPartition partition : topic.partitions()) {
                for (AcknowledgementBatch batch : partition.acknowledgementBatches()) {
                    named += 1 + batch.acknowledgeTypes().length / TYPES_AS_ONE;
                }
            }
        }
        return named;
    }

    private void begin(Call call, ShareFetchRequest request) {
        RequestAcks acks = RequestAcks.of(request);
        ShareSession.Key key;
        ShareSession session = null;
        try {
            key = ShareRequests.key(request.groupId(), request.memberId());
            check(request, acks);
            if (request.shareSessionEpoch() == ShareSessions.INITIAL_EPOCH) {
                session = parts.sessions().open(key, call.origin(), request);
            } else if (request.shareSessionEpoch() == ShareSessions.FINAL_EPOCH) {
                ShareSession unused = parts.sessions().require(key);
            } else {
                session = parts.sessions().take(key, request.shareSessionEpoch(), request);
            }
        } catch (RefusedException e) {
            call.answer(new ShareFetchResponse().errorCode(e.code().code()).errorMessage(e.getMessage()));
            return;
        }
        request.topics(List.of()).forgottenTopicsData(List.of()); // large, and the answer may wait
        byte highest = request.isRenewAck() ? AckType.RENEW : AckType.REJECT;
        Acknowledging acknowledging = new Acknowledging(parts, call.access(), key, highest);
        ShareSession open = session;
        if (acks.isEmpty()) {
            next(call, request, key, open, new ShareAnswer(acks, List.of()));
        } else {
            acknowledging.acknowledge(acks, errors -> next(call, request, key, open, new ShareAnswer(acks, errors)));
        }
    }

    private static void check(ShareFetchRequest request, RequestAcks acks) {
        if (request.shareSessionEpoch() == ShareSessions.INITIAL_EPOCH && !acks.isEmpty()) {
            throw new RefusedException(
                    ErrorCode.INVALID_REQUEST, "the first request of a session can't acknowledge records");
        }
        boolean fetches = request.maxBytes() != 0
                || request.minBytes() != 0
                || request.maxRecords() != 0
                || request.maxWaitMs() != 0;
        if (request.isRenewAck() && fetches) {
            throw new RefusedException(ErrorCode.INVALID_REQUEST, "a request that renews locks can't fetch records");
        }
    }

    private void next(
            Call call,
            ShareFetchRequest request,
            ShareSession.Key key,
            @Nullable ShareSession session,
            ShareAnswer answer) {
        int lockMillis = parts.groups().config(key.groupId()).recordLockMillis();
        if (session == null) {
            parts.sessions().end(key);
            parts.groups().release(key.groupId(), key.member(), failure -> call.answer(answer.response(lockMillis)));
        } else if (request.isRenewAck() || request.maxRecords() < 1 || request.maxBytes() < 1) {
            parts.sessions().giveBack(session);
            call.answer(answer.response(lockMillis));
        } else {
            PendingShareFetch fetch = new PendingShareFetch(call, request, parts, session, answer, maxBytes);
            if (!call.onEventLoop(fetch::read)) {
                parts.sessions().giveBack(session);
            }
        }
    }
}
