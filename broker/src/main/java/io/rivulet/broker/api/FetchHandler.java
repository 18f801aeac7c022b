package io.rivulet.broker.api;

import io.rivulet.broker.call.Call;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.fetch.FetchSession;
import io.rivulet.broker.fetch.FetchSessions;
import io.rivulet.broker.topic.LeaderEpochs;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;

/** Finds or begins the session that a fetch is part of; {@link PendingFetch} does the rest. */
public final class FetchHandler {
    private static final short TOPIC_IDS_FROM_VERSION = 13;

    private final FetchParts parts;
    private final int maxBytes;

    /** @param maxBytes fetch.max.bytes: no response is larger, but for a single batch that is */
    public FetchHandler(FetchParts parts, int maxBytes) {
        this.parts = parts;
        this.maxBytes = maxBytes;
    }

    /** What a partition's leader epoch earns it. */
    public static ErrorCode leaderEpochError(FetchPartition partition) {
        return LeaderEpochs.check(partition.currentLeaderEpoch());
    }

    void handle(Call call, FetchRequest request) {
        long named = request.forgottenTopicsData().size();
        for (FetchTopic topic : request.topics()) {
            named += topic.partitions().size();
        }
        if (named <= FetchSessions.SMALL) {
            begin(call, request);
        } else {
            parts.readers().read(reader -> begin(call, request), call::failed);
        }
    }

    private void begin(Call call, FetchRequest request) {
        FetchSession session;
        try {
            session = parts.sessions().begin(request, call.version() >= TOPIC_IDS_FROM_VERSION);
        } catch (RuntimeException e) {
            RefusedException refusal = ErrorMapper.refusal(e);
            call.answer(new FetchResponse().errorCode(refusal.code().code()));
            return;
        }
        PendingFetch fetch = new PendingFetch(call, request, parts, session, Math.min(request.maxBytes(), maxBytes));
        if (!call.onEventLoop(fetch::read)) {
            parts.sessions().end(session);
        }
    }
}
