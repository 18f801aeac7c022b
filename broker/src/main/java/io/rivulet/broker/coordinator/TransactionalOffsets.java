package io.rivulet.broker.coordinator;

import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.TxnOffsetCommitRequest;
import io.rivulet.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.rivulet.protocol.message.TxnOffsetCommitResponse;
import io.rivulet.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition;
import io.rivulet.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Offsets that a transaction commits together with its records. Groups implement it, transactions call it.
 *
 * <p>Owned by: the coordinator thread.
 */
public interface TransactionalOffsets {
    /** An entry of a view of the log. */
    record ViewEntry(int viewId, ByteBuffer bytes) {}

    /** Stores offsets that wait for the end of the producer's transaction. The caller has checked the transaction. */
    void commitInTransaction(TxnOffsetCommitRequest request, short version, Consumer<TxnOffsetCommitResponse> reply);

    /**
     * The entry that commits or drops the offsets that wait for the end of the producer's transaction; null if none
     * wait.
     */
    @Nullable
    ViewEntry endEntry(long producerId, boolean committed);

    /** The response that refuses the whole request. */
    static TxnOffsetCommitResponse refused(TxnOffsetCommitRequest request, ErrorCode error) {
        return new TxnOffsetCommitResponse().topics(refused(request.topics(), error));
    }

    static List<TxnOffsetCommitResponseTopic> refused(List<TxnOffsetCommitRequestTopic> wanted, ErrorCode error) {
        return wanted.stream()
                .map(topic -> new TxnOffsetCommitResponseTopic()
                        .name(topic.name())
                        .topicId(topic.topicId())
                        .partitions(topic.partitions().stream()
                                .map(partition -> new TxnOffsetCommitResponsePartition()
                                        .partitionIndex(partition.partitionIndex())
                                        .errorCode(error.code()))
                                .toList()))
                .toList();
    }
}
