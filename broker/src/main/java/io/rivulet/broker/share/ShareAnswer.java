package io.rivulet.broker.share;

import io.netty.buffer.Unpooled;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.message.ShareFetchResponse.AcquiredRecords;
import io.rivulet.protocol.message.ShareFetchResponse.PartitionData;
import io.rivulet.protocol.message.ShareFetchResponse.ShareFetchableTopicResponse;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to a share fetch: results of acknowledgements, and acquired records.
 *
 * <p>Owned by: the fetch.
 */
final class ShareAnswer {
    private static final Records NO_RECORDS = new Records(Unpooled.EMPTY_BUFFER, 0, 0);

    private final List<PartitionAcks> acks;
    private final List<ErrorCode> ackErrors;

    ShareAnswer(List<PartitionAcks> acks, List<ErrorCode> ackErrors) {
        this.acks = acks;
        this.ackErrors = ackErrors;
    }

    /** Whether there are results of acknowledgements. */
    boolean hasAcks() {
        return !acks.isEmpty();
    }

    ShareFetchResponse response(int lockMillis) {
        return response(lockMillis, List.of());
    }

    ShareFetchResponse response(int lockMillis, List<SharePass.Found> found) {
        Map<Uuid, Map<Integer, PartitionData>> topics = new LinkedHashMap<>();
        for (SharePass.Found one : found) {
            List<AcquiredRecords> acquired = new ArrayList<>(one.acquired().size());
            for (Acquired range : one.acquired()) {
                acquired.add(new AcquiredRecords()
                        .firstOffset(range.firstOffset())
                        .lastOffset(range.lastOffset())
                        .deliveryCount((short) range.deliveries()));
            }
            Records records = one.records();
            partition(topics, one.topic().id(), one.partition())
                    .errorCode(one.error().code())
                    .records(records == null ? NO_RECORDS : records)
                    .acquiredRecords(acquired);
        }
        for (int i = 0; i < acks.size(); i++) {
            partition(topics, acks.get(i).topicId(), acks.get(i).partition())
                    .acknowledgeErrorCode(ackErrors.get(i).code());
        }
        List<ShareFetchableTopicResponse> responses = new ArrayList<>(topics.size());
        topics.forEach((id, partitions) -> responses.add(
                new ShareFetchableTopicResponse().topicId(id).partitions(List.copyOf(partitions.values()))));
        return new ShareFetchResponse().acquisitionLockTimeoutMs(lockMillis).responses(responses);
    }

    private static PartitionData partition(Map<Uuid, Map<Integer, PartitionData>> topics, Uuid topicId, int partition) {
        return topics.computeIfAbsent(topicId, id -> new LinkedHashMap<>())
                .computeIfAbsent(
                        partition,
                        index -> new PartitionData().partitionIndex(index).records(NO_RECORDS));
    }
}
