package io.rivulet.broker.fetch;

import io.rivulet.broker.access.Operation;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.error.ErrorMapper;
import io.rivulet.broker.error.RefusedException;
import io.rivulet.broker.quota.CallMeter;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchRequest.ForgottenTopic;
import io.rivulet.protocol.message.FetchResponse;

/**
 * Finds or creates the session of a fetch; {@link PendingFetch} does the rest. Immutable.
 *
 * @param maxBytes fetch.max.bytes: no response is larger, except for a single batch that is
 */
public record FetchHandler(FetchParts parts, int maxBytes) implements Handler<FetchRequest> {
    private static final short TOPIC_IDS_FROM_VERSION = 13;

    public Route route() {
        return Route.of(ApiKey.FETCH, this).at(Route.Place.EVENT_LOOP);
    }

    @Override
    public void handle(Call call, FetchRequest request) {
        if (named(request) <= FetchSessions.SMALL) {
            begin(call, request);
        } else {
            parts.readers().read(call, reader -> begin(call, request));
        }
    }

    /** How many partitions the request names, to fetch or to forget. A topic without any costs as much as one. */
    static long named(FetchRequest request) {
        long named = 0;
        for (FetchTopic topic : request.topics()) {
            named += Math.max(1, topic.partitions().size());
        }
        for (ForgottenTopic topic : request.forgottenTopicsData()) {
            named += Math.max(1, topic.partitions().length);
        }
        return named;
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
        for (InternalTopic read : session.internal()) {
            if (call.access().mayTopic(Operation.READ, read.topicName())) {
                parts.internal().log(read).touch();
            }
        }
        int limit = Math.min(request.maxBytes(), maxBytes);
        CallMeter meter = call.meter();
        PendingFetch fetch =
                new PendingFetch(call, request, parts, session, meter == null ? limit : meter.fetchLimit(limit));
        if (!call.onEventLoop(fetch::read)) {
            parts.sessions().end(session);
        }
    }
}
