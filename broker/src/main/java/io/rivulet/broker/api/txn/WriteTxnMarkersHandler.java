package io.rivulet.broker.api.txn;

import io.rivulet.broker.access.Access;
import io.rivulet.broker.access.Operation;
import io.rivulet.broker.api.coordinator.ChangeHandler;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.coordinator.Countdown;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.Transactions;
import io.rivulet.protocol.message.WriteTxnMarkersRequest;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.rivulet.protocol.message.WriteTxnMarkersRequest.WritableTxnMarkerTopic;
import io.rivulet.protocol.message.WriteTxnMarkersResponse;
import io.rivulet.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerPartitionResult;
import io.rivulet.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerResult;
import io.rivulet.protocol.message.WriteTxnMarkersResponse.WritableTxnMarkerTopicResult;
import io.rivulet.protocol.wire.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Writes markers of transactions into partitions, for an administrator. */
record WriteTxnMarkersHandler(Transactions transactions, TopicCatalogue topics)
        implements ChangeHandler<WriteTxnMarkersRequest> {
    private static final int MARKS_AT_ONCE = 1000;

    @Override
    public void handle(Call call, WriteTxnMarkersRequest request) {
        List<WritableTxnMarkerResult> all = new ArrayList<>();
        Deque<Mark> marks = new ArrayDeque<>();
        for (WritableTxnMarker marker : request.markers()) {
            WritableTxnMarkerResult result = result(marker, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
            all.add(result);
            for (WritableTxnMarkerTopicResult topicResult : result.topics()) {
                Topic topic = topics.find(topicResult.name());
                for (WritableTxnMarkerPartitionResult partition : topicResult.partitions()) {
                    int queueId = topic == null ? Topic.NO_QUEUE : topic.queueId(partition.partitionIndex());
                    if (topic != null && topic.isInternal()) {
                        partition.errorCode(ErrorCode.INVALID_TOPIC_EXCEPTION.code());
                    } else if (queueId != Topic.NO_QUEUE) {
                        marks.add(new Mark(marker, queueId, partition));
                    }
                }
            }
        }
        Countdown countdown = new Countdown(() -> call.answer(new WriteTxnMarkersResponse().markers(all)));
        for (int i = 0; i < MARKS_AT_ONCE && !marks.isEmpty(); i++) {
            countdown.expectOne();
            markNext(marks, countdown);
        }
        countdown.allExpected();
    }

    /** A marker to write, and its result. */
    private record Mark(WritableTxnMarker marker, int queueId, WritableTxnMarkerPartitionResult result) {}

    /** Writes the markers one after the other, because a request may name a million partitions. */
    private void markNext(Deque<Mark> marks, Countdown countdown) {
        for (Mark mark = marks.poll(); mark != null; mark = marks.poll()) {
            if (!endsAtOnce(mark, () -> markNext(marks, countdown))) {
                return;
            }
        }
        countdown.oneDone();
    }

    /** @param later runs when the marker is durable or was refused; it does not run if this method returns true */
    private boolean endsAtOnce(Mark mark, Runnable later) {
        boolean[] ended = {false};
        boolean[] waits = {false};
        transactions.mark(mark.marker, mark.queueId, error -> {
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
        List<WritableTxnMarkerTopicResult> results = new ArrayList<>();
        for (WritableTxnMarkerTopic topic : marker.topics()) {
            List<WritableTxnMarkerPartitionResult> partitions = new ArrayList<>();
            for (int partition :
                    Arrays.stream(topic.partitionIndexes()).distinct().toArray()) {
                partitions.add(new WritableTxnMarkerPartitionResult()
                        .partitionIndex(partition)
                        .errorCode(error.code()));
            }
            results.add(new WritableTxnMarkerTopicResult().name(topic.name()).partitions(partitions));
        }
        return new WritableTxnMarkerResult().producerId(marker.producerId()).topics(results);
    }

    @Override
    public Message refuse(WriteTxnMarkersRequest request, short version, ErrorCode error) {
        return new WriteTxnMarkersResponse()
                .markers(request.markers().stream()
                        .map(marker -> result(marker, error))
                        .toList());
    }

    /** Asks first for the right that administrators have. The other one is for brokers. */
    @Override
    public ErrorCode check(Access access, WriteTxnMarkersRequest request, short version) {
        return access.mayCluster(Operation.ALTER) || access.mayCluster(Operation.CLUSTER_ACTION)
                ? ErrorCode.NONE
                : ErrorCode.CLUSTER_AUTHORIZATION_FAILED;
    }
}
