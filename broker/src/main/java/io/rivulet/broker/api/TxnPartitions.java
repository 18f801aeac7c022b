package io.rivulet.broker.api;

import io.rivulet.broker.coordinator.Countdown;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.rivulet.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnResult;
import io.rivulet.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult;
import io.rivulet.protocol.message.WriteTxnMarkersRequest;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarkerTopic;
import io.rivulet.protocol.message.WriteTxnMarkersResponse;
import io.rivulet.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerPartitionResult;
import io.rivulet.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerResult;
import io.rivulet.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerTopicResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests about transactions that name partitions.
 *
 * <p>Owned by: the thread that owns the transactions.
 */
final class TxnPartitions {
    private static final short BATCHED_FROM_VERSION = 4;
    private static final int MARKS_AT_ONCE = 1000;

    private final Transactions transactions;
    private final TopicCatalogue topics;

    TxnPartitions(Transactions transactions, TopicCatalogue topics) {
        this.transactions = transactions;
        this.topics = topics;
    }

    // ---- adding ----

    void add(AddPartitionsToTxnRequest request, short version, Consumer<AddPartitionsToTxnResponse> reply) {
        AddPartitionsToTxnResponse response = new AddPartitionsToTxnResponse();
        if (version < BATCHED_FROM_VERSION) {
            AddPartitionsToTxnTransaction only = new AddPartitionsToTxnTransaction()
                    .transactionalId(request.v3AndBelowTransactionalId())
                    .producerId(request.v3AndBelowProducerId())
                    .producerEpoch(request.v3AndBelowProducerEpoch())
                    .topics(request.v3AndBelowTopics());
            add(only, version, results -> reply.accept(response.resultsByTopicV3AndBelow(results)));
            return;
        }
        List<AddPartitionsToTxnResult> all = new ArrayList<>();
        Countdown countdown = new Countdown(() -> reply.accept(response.resultsByTransaction(all)));
        for (AddPartitionsToTxnTransaction one : request.transactions()) {
            AddPartitionsToTxnResult result = new AddPartitionsToTxnResult().transactionalId(one.transactionalId());
            all.add(result);
            countdown.expectOne();
            add(one, version, results -> {
                result.topicResults(results);
                countdown.oneDone();
            });
        }
        countdown.allExpected();
    }

    /** All partitions or none: when one does not exist, the others are not attempted. */
    private void add(
            AddPartitionsToTxnTransaction one, short version, Consumer<List<AddPartitionsToTxnTopicResult>> reply) {
        List<Integer> queueIds = new ArrayList<>();
        boolean missing = false;
        for (AddPartitionsToTxnTopic wanted : one.topics()) {
            Topic topic = topics.find(wanted.name());
            for (int partition : wanted.partitions()) {
                int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition);
                missing |= queueId == Topic.NO_QUEUE;
                queueIds.add(queueId);
            }
        }
        if (missing) {
            reply.accept(results(one.topics(), ErrorCode.OPERATION_NOT_ATTEMPTED, topics));
            return;
        }
        transactions
                .coordinator()
                .add(
                        one.transactionalId(),
                        one.producerId(),
                        one.producerEpoch(),
                        queueIds.stream().mapToInt(Integer::intValue).toArray(),
                        one.verifyOnly(),
                        version,
                        error -> reply.accept(results(one.topics(), error, null)));
    }

    private static List<AddPartitionsToTxnTopicResult> results(
            List<AddPartitionsToTxnTopic> wanted, ErrorCode error, @Nullable TopicCatalogue missingIn) {
        List<AddPartitionsToTxnTopicResult> results = new ArrayList<>();
        for (AddPartitionsToTxnTopic topic : wanted) {
            Topic found = missingIn == null ? null : missingIn.find(topic.name());
            List<AddPartitionsToTxnPartitionResult> partitions = new ArrayList<>();
            for (int partition : topic.partitions()) {
                boolean missing = missingIn != null && (found == null || found.queueId(partition) == Topic.NO_QUEUE);
                partitions.add(new AddPartitionsToTxnPartitionResult()
                        .partitionIndex(partition)
                        .partitionErrorCode((missing ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : error).code()));
            }
            results.add(new AddPartitionsToTxnTopicResult().name(topic.name()).resultsByPartition(partitions));
        }
        return results;
    }

    static AddPartitionsToTxnResponse refused(AddPartitionsToTxnRequest request, short version, ErrorCode error) {
        return version < BATCHED_FROM_VERSION
                ? new AddPartitionsToTxnResponse()
                        .resultsByTopicV3AndBelow(results(request.v3AndBelowTopics(), error, null))
                : new AddPartitionsToTxnResponse().errorCode(error.code());
    }

    // ---- markers by an administrator ----

    void mark(WriteTxnMarkersRequest request, Consumer<WriteTxnMarkersResponse> reply) {
        List<WritableTxnMarkerResult> all = new ArrayList<>();
        Deque<Mark> marks = new ArrayDeque<>();
        for (WritableTxnMarker marker : request.markers()) {
            WritableTxnMarkerResult result = result(marker, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
            all.add(result);
            for (WritableTxnMarkerTopicResult topicResult : result.topics()) {
                Topic topic = topics.find(topicResult.name());
                for (WritableTxnMarkerPartitionResult partition : topicResult.partitions()) {
                    int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition.partitionIndex());
                    if (queueId != Topic.NO_QUEUE) {
                        marks.add(new Mark(marker, queueId, partition));
                    }
                }
            }
        }
        Countdown countdown = new Countdown(() -> reply.accept(new WriteTxnMarkersResponse().markers(all)));
        for (int i = 0; i < MARKS_AT_ONCE && !marks.isEmpty(); i++) {
            countdown.expectOne();
            markNext(marks, countdown);
        }
        countdown.allExpected();
    }

    /** A marker that is to be written, and where it is told how that went. */
    private record Mark(WritableTxnMarker marker, int queueId, WritableTxnMarkerPartitionResult result) {}

    /** One after the other: a request may name each of a million partitions. */
    private void markNext(Deque<Mark> marks, Countdown countdown) {
        for (Mark mark = marks.poll(); mark != null; mark = marks.poll()) {
            if (!endsAtOnce(mark, () -> markNext(marks, countdown))) {
                return;
            }
        }
        countdown.oneDone();
    }

    /** @param later runs when the marker is durable or was not stored; not if that is known at once */
    private boolean endsAtOnce(Mark mark, Runnable later) {
        WritableTxnMarker marker = mark.marker;
        boolean[] ended = {false};
        boolean[] waits = {false};
        transactions.mark(
                marker.producerId(), marker.producerEpoch(), marker.transactionResult(), mark.queueId, error -> {
                    mark.result.errorCode(error.code());
                    ended[0] = true;
                    if (waits[0]) {
                        later.run();
                    }
                });
        waits[0] = true;
        return ended[0];
    }

    private static WritableTxnMarkerResult result(WritableTxnMarker marker, ErrorCode error) {
        List<WritableTxnMarkerTopicResult> told = new ArrayList<>();
        for (WritableTxnMarkerTopic topic : marker.topics()) {
            List<WritableTxnMarkerPartitionResult> partitions = new ArrayList<>();
            for (int partition :
                    Arrays.stream(topic.partitionIndexes()).distinct().toArray()) {
                partitions.add(new WritableTxnMarkerPartitionResult()
                        .partitionIndex(partition)
                        .errorCode(error.code()));
            }
            told.add(new WritableTxnMarkerTopicResult().name(topic.name()).partitions(partitions));
        }
        return new WritableTxnMarkerResult().producerId(marker.producerId()).topics(told);
    }

    static WriteTxnMarkersResponse refused(WriteTxnMarkersRequest request, ErrorCode error) {
        return new WriteTxnMarkersResponse()
                .markers(request.markers().stream()
                        .map(marker -> result(marker, error))
                        .toList());
    }
}
