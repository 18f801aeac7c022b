package io.rivulet.broker.api.partition;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.Handler;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.fetch.StableOffsets;
import io.rivulet.broker.fetch.TimestampSearch;
import io.rivulet.broker.fetch.TimestampSearch.Found;
import io.rivulet.broker.topic.InternalTopic;
import io.rivulet.broker.topic.Topic;
import io.rivulet.protocol.message.ListOffsetsRequest;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsPartition;
import io.rivulet.protocol.message.ListOffsetsRequest.ListOffsetsTopic;
import io.rivulet.protocol.message.ListOffsetsResponse;
import io.rivulet.protocol.message.ListOffsetsResponse.ListOffsetsPartitionResponse;
import io.rivulet.protocol.message.ListOffsetsResponse.ListOffsetsTopicResponse;
import io.rivulet.store.StoreReader;
import io.rivulet.store.failure.LogLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds start and end offsets of partitions immediately, and offsets by timestamp on a read thread. */
record ListOffsetsHandler(ApiParts parts, StableOffsets stable) implements Handler<ListOffsetsRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(ListOffsetsHandler.class);
    private static final LogLimit LIMIT = LogLimit.aMinute(3);

    private static final byte READ_COMMITTED = 1;
    private static final long LATEST = -1;
    private static final long EARLIEST = -2;
    private static final long MAX_TIMESTAMP = -3;
    private static final long EARLIEST_LOCAL = -4;
    private static final long LATEST_TIERED = -5;
    private static final long EARLIEST_PENDING_UPLOAD = -6;
    /** The first version of each special timestamp; the index is -1 - timestamp. */
    private static final short[] FROM_VERSION = {1, 1, 7, 8, 9, 11};

    private static final short LEADER_EPOCHS_FROM_VERSION = 4;
    private static final long UNKNOWN = -1;
    private static final int SEARCHES_IN_A_ROW = 32;

    /** A partition whose offset has to be searched by timestamp. */
    private record Search(
            int queueId, long timestamp, long untilOffset, short version, ListOffsetsPartitionResponse answer) {}

    @Override
    public void handle(Call call, ListOffsetsRequest request) {
        whenCurrent(call, request, EnumSet.allOf(InternalTopic.class).iterator());
    }

    /** An internal topic that is read has all records before its offsets are listed. */
    private void whenCurrent(Call call, ListOffsetsRequest request, Iterator<InternalTopic> left) {
        while (left.hasNext()) {
            InternalTopic next = left.next();
            if (asksFor(next.topicName(), request, call.access())) {
                parts.internal().log(next).whenCurrent(() -> call.onEventLoop(() -> whenCurrent(call, request, left)));
                return;
            }
        }
        list(call, request);
    }

    private static boolean asksFor(String name, ListOffsetsRequest request, Access access) {
        return request.topics().stream().anyMatch(topic -> topic.name().equals(name))
                && access.mayTopic(Operation.DESCRIBE, name);
    }

    private void list(Call call, ListOffsetsRequest request) {
        boolean readCommitted = request.isolationLevel() == READ_COMMITTED;
        Set<Integer> repeated = repeated(request);
        List<Search> searches = new ArrayList<>();
        List<ListOffsetsTopicResponse> answers =
                new ArrayList<>(request.topics().size());
        long count = 0;
        for (ListOffsetsTopic wanted : request.topics()) {
            boolean allowed = call.access().mayTopic(Operation.DESCRIBE, wanted.name());
            Topic topic = parts.topics().find(wanted.name());
            List<ListOffsetsPartitionResponse> partitions =
                    new ArrayList<>(wanted.partitions().size());
            count += 1 + wanted.partitions().size();
            for (ListOffsetsPartition partition : wanted.partitions()) {
                ListOffsetsPartitionResponse answer = new ListOffsetsPartitionResponse()
                        .partitionIndex(partition.partitionIndex())
                        .timestamp(UNKNOWN)
                        .offset(UNKNOWN);
                partitions.add(answer);
                if (allowed) {
                    answer(topic, partition, answer, call.version(), readCommitted, repeated, searches);
                } else {
                    answer.errorCode(ErrorCode.TOPIC_AUTHORIZATION_FAILED.code());
                }
            }
            answers.add(new ListOffsetsTopicResponse().name(wanted.name()).partitions(partitions));
        }
        ListOffsetsResponse response = new ListOffsetsResponse().topics(answers);
        long answerParts = count;
        if (searches.isEmpty()) {
            parts.longAnswers().answer(call, response, answerParts);
        } else {
            search(call, searches, 0, () -> parts.longAnswers().answer(call, response, answerParts));
        }
    }

    /** Queues that are named more than once. That is an error, as in Kafka, because a search may read a megabyte. */
    private Set<Integer> repeated(ListOffsetsRequest request) {
        Set<Integer> seen = new HashSet<>();
        Set<Integer> repeated = new HashSet<>(0);
        for (ListOffsetsTopic wanted : request.topics()) {
            Topic topic = parts.topics().find(wanted.name());
            for (ListOffsetsPartition partition : wanted.partitions()) {
                int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition.partitionIndex());
                if (queueId != Topic.NO_QUEUE && !seen.add(queueId)) {
                    repeated.add(queueId);
                }
            }
        }
        return repeated;
    }

    private void answer(
            @Nullable Topic topic,
            ListOffsetsPartition wanted,
            ListOffsetsPartitionResponse answer,
            short version,
            boolean readCommitted,
            Set<Integer> repeated,
            List<Search> searches) {
        int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(wanted.partitionIndex());
        ErrorCode error = queueId == Topic.NO_QUEUE || !parts.store().exists(queueId)
                ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                : parts.nodes().epochs().check(wanted.currentLeaderEpoch());
        if (error == ErrorCode.NONE && !knows(wanted.timestamp(), version)) {
            error = ErrorCode.UNSUPPORTED_VERSION;
        }
        if (error == ErrorCode.NONE && repeated.contains(queueId)) {
            error = ErrorCode.INVALID_REQUEST;
        }
        if (error != ErrorCode.NONE) {
            answer.errorCode(error.code());
        } else if (wanted.timestamp() == LATEST) {
            setOffset(answer, untilOffset(queueId, readCommitted), UNKNOWN, version);
        } else if (wanted.timestamp() == EARLIEST || wanted.timestamp() == EARLIEST_LOCAL) {
            setOffset(answer, parts.store().startOffset(queueId), UNKNOWN, version);
        } else if (wanted.timestamp() != LATEST_TIERED && wanted.timestamp() != EARLIEST_PENDING_UPLOAD) {
            // Those two are unknown, because there is no tiered storage.
            searches.add(new Search(queueId, wanted.timestamp(), untilOffset(queueId, readCommitted), version, answer));
        }
    }

    /** The end of what the client may read. */
    private long untilOffset(int queueId, boolean readCommitted) {
        long endOffset = parts.store().endOffset(queueId);
        return readCommitted
                ? Math.min(endOffset, Math.max(parts.store().startOffset(queueId), stable.firstOpenOffset(queueId)))
                : endOffset;
    }

    private static boolean knows(long timestamp, short version) {
        return timestamp >= 0
                || (timestamp >= EARLIEST_PENDING_UPLOAD && version >= FROM_VERSION[(int) (-1 - timestamp)]);
    }

    private void setOffset(ListOffsetsPartitionResponse answer, long offset, long timestamp, short version) {
        answer.offset(offset).timestamp(timestamp);
        if (version >= LEADER_EPOCHS_FROM_VERSION) {
            answer.leaderEpoch(parts.nodes().epochs().current());
        }
    }

    // ---- read thread ----

    /**
     * Searches a few partitions at a time, so that other requests can run in between. Stops if the client disconnects.
     */
    private void search(Call call, List<Search> searches, int from, Runnable done) {
        parts.readers().read(call, reader -> {
            int end = Math.min(searches.size(), from + SEARCHES_IN_A_ROW);
            int next = from;
            try (TimestampSearch byTime = new TimestampSearch(parts.config().maxDecompressedBytes())) {
                while (next < end && search(reader, byTime, searches.get(next))) {
                    next++;
                }
            }
            if (next < end) {
                searchInHuge(call, searches, next, done);
            } else {
                searchRest(call, searches, next, done);
            }
        });
    }

    private void searchRest(Call call, List<Search> searches, int from, Runnable done) {
        if (from < searches.size() && call.origin().isOpen()) {
            search(call, searches, from, done);
        } else {
            done.run();
        }
    }

    /** Repeats a search that ended at a huge batch, when there is memory for the batch. */
    private void searchInHuge(Call call, List<Search> searches, int at, Runnable done) {
        parts.longAnswers().readHuge(call, reader -> {
            if (call.origin().isOpen()) {
                try (TimestampSearch byTime = new TimestampSearch(parts.config().maxDecompressedBytes())) {
                    byTime.allowHuge(call.origin().allocator());
                    search(reader, byTime, searches.get(at));
                }
            }
            searchRest(call, searches, at + 1, done);
        });
    }

    /** Returns false if the search must be repeated with memory for a huge batch. */
    private boolean search(StoreReader reader, TimestampSearch byTime, Search search) {
        try {
            if (!parts.store().exists(search.queueId)) {
                search.answer.errorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
                return true;
            }
            Found found = find(reader, byTime, search);
            while (byTime.hasMoved()) {
                found = find(reader, byTime, search);
            }
            if (found != null && found.offset() < search.untilOffset) {
                setOffset(search.answer, found.offset(), found.timestamp(), search.version);
            }
            return !byTime.needsHuge();
        } catch (IOException | RuntimeException e) {
            LIMIT.log(more -> LOG.error(
                    "Queue {} can't be searched for timestamp {}{}", search.queueId, search.timestamp, more, e));
            search.answer.errorCode(ErrorCode.KAFKA_STORAGE_ERROR.code());
            return true;
        }
    }

    private @Nullable Found find(StoreReader reader, TimestampSearch byTime, Search search) throws IOException {
        long startOffset = parts.store().startOffset(search.queueId);
        return search.timestamp == MAX_TIMESTAMP
                ? byTime.latest(reader, search.queueId, startOffset)
                : byTime.firstFrom(reader, search.queueId, startOffset, search.timestamp);
    }
}
