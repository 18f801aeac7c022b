package io.rivulet.broker.share;

import io.netty.buffer.Unpooled;
import io.rivulet.broker.error.ErrorCode;
import io.rivulet.broker.limit.SecretHash;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.message.ShareFetchResponse.AcquiredRecords;
import io.rivulet.protocol.message.ShareFetchResponse.LeaderIdAndEpoch;
import io.rivulet.protocol.message.ShareFetchResponse.PartitionData;
import io.rivulet.protocol.message.ShareFetchResponse.ShareFetchableTopicResponse;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.Uuid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to a share fetch: results of acknowledgements, and acquired records.
 *
 * <p>Owned by: the fetch.
 */
final class ShareAnswer {
    private static final LeaderIdAndEpoch NO_OTHER_LEADER = new LeaderIdAndEpoch();
    private static final Records NO_RECORDS = new Records(Unpooled.EMPTY_BUFFER, 0, 0);

    private final RequestAcks acks;
    private final List<ErrorCode> ackErrors;

    ShareAnswer(RequestAcks acks, List<ErrorCode> ackErrors) {
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
        Partitions partitions = new Partitions(found.size() + acks.size());
        for (SharePass.Found one : found) {
            List<AcquiredRecords> acquired = new ArrayList<>(one.acquired().size());
            for (Acquired range : one.acquired()) {
                acquired.add(new AcquiredRecords()
                        .firstOffset(range.firstOffset())
                        .lastOffset(range.lastOffset())
                        .deliveryCount((short) range.deliveries()));
            }
            Records records = one.records();
            partitions
                    .of(one.topic().id(), one.partition())
                    .errorCode(one.error().code())
                    .records(records == null ? NO_RECORDS : records)
                    .acquiredRecords(acquired);
        }
        for (int i = 0; i < acks.size(); i++) {
            partitions
                    .of(acks.topicId(i), acks.partition(i))
                    .acknowledgeErrorCode(ackErrors.get(i).code());
        }
        return new ShareFetchResponse().acquisitionLockTimeoutMs(lockMillis).responses(partitions.topics);
    }

    /** The partitions of the answer, each once. */
    private static final class Partitions {
        private final List<ShareFetchableTopicResponse> topics = new ArrayList<>(1);
        private final List<PartitionData> all;
        /** The number in {@link #topics} of each partition in {@link #all}. */
        private final int[] topicOf;
        /** Numbers in {@link #all} plus one; 0 is free. At most half are used. */
        private final int[] index;

        private final Map<Uuid, Integer> numbers = new HashMap<>(2);
        private int topic;

        Partitions(int most) {
            all = new ArrayList<>(most);
            topicOf = new int[most];
            index = new int[Math.max(2, Integer.highestOneBit(most) * 4)];
        }

        PartitionData of(Uuid topicId, int partition) {
            turnTo(topicId);
            int i = (int) SecretHash.of(topic, partition) & index.length - 1;
            while (index[i] != 0) {
                PartitionData known = all.get(index[i] - 1);
                if (known.partitionIndex() == partition && topicOf[index[i] - 1] == topic) {
                    return known;
                }
                i = i + 1 & index.length - 1;
            }
            PartitionData added = new PartitionData()
                    .partitionIndex(partition)
                    .currentLeader(NO_OTHER_LEADER)
                    .records(NO_RECORDS);
            topicOf[all.size()] = topic;
            all.add(added);
            index[i] = all.size();
            topics.get(topic).partitions().add(added);
            return added;
        }

        /** Partitions of a topic are side by side in most answers. */
        private void turnTo(Uuid topicId) {
            if (topic < topics.size() && topics.get(topic).topicId().equals(topicId)) {
                return;
            }
            Integer known = numbers.get(topicId);
            if (known == null) {
                known = topics.size();
                numbers.put(topicId, known);
                topics.add(new ShareFetchableTopicResponse().topicId(topicId).partitions(new ArrayList<>()));
            }
            topic = known;
        }
    }
}
