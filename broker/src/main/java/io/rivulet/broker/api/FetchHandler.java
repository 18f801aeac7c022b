package io.rivulet.broker.api;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolves what a consumer wants to read; {@link PendingFetch} does the rest. There are no fetch sessions: the answer offers none,
 * and clients then name all partitions each time.
 */
public final class FetchHandler {
    private static final short TOPIC_IDS_FROM_VERSION = 13;
    private static final int NO_SESSION = 0;
    /** The epochs of a request that does not go on with a session: it begins one, or wants none. */
    private static final int INITIAL_EPOCH = 0;

    private static final int FINAL_EPOCH = -1;
    private static final byte READ_COMMITTED = 1;
    private static final long UNKNOWN_OFFSET = -1;

    private final TopicCatalogue topics;
    private final FetchParts parts;
    private final int maxBytes;

    /** @param maxBytes fetch.max.bytes: no response is larger, but for a single batch that is */
    public FetchHandler(TopicCatalogue topics, FetchParts parts, int maxBytes) {
        this.topics = topics;
        this.parts = parts;
        this.maxBytes = maxBytes;
    }

    void handle(Call call, FetchRequest request) {
        ErrorCode sessionError = sessionError(request);
        if (sessionError != ErrorCode.NONE) {
            call.answer(new FetchResponse().errorCode(sessionError.code()));
            return;
        }
        List<FetchTarget> targets = new ArrayList<>();
        List<FetchableTopicResponse> answers = new ArrayList<>(request.topics().size());
        for (FetchTopic wanted : request.topics()) {
            List<PartitionData> partitions = new ArrayList<>(wanted.partitions().size());
            boolean byId = call.version() >= TOPIC_IDS_FROM_VERSION;
            Topic topic = byId ? topics.find(wanted.topicId()) : topics.find(wanted.topic());
            for (FetchPartition partition : wanted.partitions()) {
                FetchTarget target = target(topic, byId, partition, request.isolationLevel());
                targets.add(target);
                partitions.add(target.answer());
            }
            answers.add(new FetchableTopicResponse()
                    .topic(wanted.topic())
                    .topicId(wanted.topicId())
                    .partitions(partitions));
        }
        new PendingFetch(
                        call,
                        new FetchResponse().sessionId(NO_SESSION).responses(answers),
                        targets,
                        parts,
                        request.minBytes(),
                        Math.min(request.maxBytes(), maxBytes),
                        request.maxWaitMs())
                .start();
    }

    private static ErrorCode sessionError(FetchRequest request) {
        boolean goesOn = request.sessionEpoch() != INITIAL_EPOCH && request.sessionEpoch() != FINAL_EPOCH;
        if (request.sessionId() != NO_SESSION && goesOn) {
            return ErrorCode.FETCH_SESSION_ID_NOT_FOUND;
        }
        return goesOn ? ErrorCode.INVALID_FETCH_SESSION_EPOCH : ErrorCode.NONE;
    }

    private static FetchTarget target(@Nullable Topic topic, boolean byId, FetchPartition wanted, byte isolationLevel) {
        PartitionData answer = new PartitionData()
                .partitionIndex(wanted.partition())
                .abortedTransactions(isolationLevel == READ_COMMITTED ? List.of() : null);
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(wanted.partition());
        ErrorCode error = queueId != Topic.NO_QUEUE
                ? LeaderEpochs.check(wanted.currentLeaderEpoch())
                : topic == null && byId ? ErrorCode.UNKNOWN_TOPIC_ID : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        if (error != ErrorCode.NONE) {
            answer.errorCode(error.code()).highWatermark(UNKNOWN_OFFSET).records(PendingFetch.NO_RECORDS);
            queueId = Topic.NO_QUEUE;
        }
        return new FetchTarget(queueId, wanted.fetchOffset(), wanted.partitionMaxBytes(), answer);
    }
}
