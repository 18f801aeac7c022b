package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Wire;
import io.rivulet.bench.load.Batches;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ShareFetchRequest;
import io.rivulet.protocol.message.ShareFetchRequest.AcknowledgementBatch;
import io.rivulet.protocol.message.ShareFetchRequest.FetchPartition;
import io.rivulet.protocol.message.ShareFetchRequest.FetchTopic;
import io.rivulet.protocol.message.ShareFetchResponse;
import io.rivulet.protocol.message.ShareFetchResponse.AcquiredRecords;
import io.rivulet.protocol.message.ShareFetchResponse.PartitionData;
import io.rivulet.protocol.message.ShareFetchResponse.ShareFetchableTopicResponse;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse.TopicPartitions;
import io.rivulet.protocol.wire.Records;
import io.rivulet.protocol.wire.Uuid;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A member of a share group on a connection of its own: sends a request, and takes the answer when it is asked to, so
 * that one thread serves many members. Each queue is a partition of one topic.
 *
 * <p>Owned by: one thread at a time.
 */
final class ShareMember implements Closeable {
    private static final short HEARTBEAT_VERSION = 1;
    private static final short FETCH_VERSION = 2;
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_RECORDS = 2_000;
    private static final byte[] ACCEPT = {1};
    /** It loads, is not available, or is not known yet: Kafka creates its topic when it is asked for first. */
    private static final Set<Short> COORDINATOR_STARTS = Set.of((short) 14, (short) 15, (short) 16);

    private final Wire wire;
    private final String group;
    private final String topic;
    private final String id;
    private int memberEpoch;
    private int sessionEpoch;
    private Uuid topicId = new Uuid(0, 0);
    private int[] assigned = {};
    /** What the next request accepts. */
    private List<FetchPartition> accepts = new ArrayList<>();
    /** Batches of offsets are alike in most queues. */
    private final Map<Long, AcknowledgementBatch> batches = new HashMap<>();

    private long acquired;
    private long accepted;
    private long underWay;

    ShareMember(int port, String group, String topic, int number) throws IOException {
        this.wire = new Wire(port);
        this.group = group;
        this.topic = topic;
        this.id = new java.util.UUID(group.hashCode(), number).toString();
    }

    // ---- membership ----

    void sendHeartbeat() throws IOException {
        wire.send(
                ApiKey.SHARE_GROUP_HEARTBEAT,
                HEARTBEAT_VERSION,
                new ShareGroupHeartbeatRequest()
                        .groupId(group)
                        .memberId(id)
                        .memberEpoch(memberEpoch)
                        .subscribedTopicNames(memberEpoch == 0 ? List.of(topic) : null));
    }

    /** Returns the number of partitions that the member has: none while the coordinator starts. */
    int takeHeartbeat() throws IOException, BrokerFailedException {
        ShareGroupHeartbeatResponse response =
                (ShareGroupHeartbeatResponse) wire.receive(ApiKey.SHARE_GROUP_HEARTBEAT, HEARTBEAT_VERSION);
        if (COORDINATOR_STARTS.contains(response.errorCode())) {
            return 0;
        }
        require(response.errorCode(), response.errorMessage());
        memberEpoch = response.memberEpoch();
        ShareGroupHeartbeatResponse.@Nullable Assignment assignment = response.assignment();
        if (assignment != null) {
            assigned = new int[0];
            for (TopicPartitions one : assignment.topicPartitions()) {
                topicId = one.topicId();
                assigned = one.partitions();
            }
        }
        return assigned.length;
    }

    // ---- records ----

    /**
     * Acquires more.
     *
     * @param acceptsLast whether to accept what the last answer had; otherwise the member keeps it
     */
    void sendFetch(int maxWaitMillis, boolean acceptsLast) throws IOException {
        List<FetchPartition> named = acceptsLast ? accepts : List.of();
        accepts = new ArrayList<>();
        if (sessionEpoch == 0) {
            named = new ArrayList<>(assigned.length);
            for (int partition : assigned) {
                named.add(new FetchPartition().partitionIndex(partition));
            }
        }
        wire.send(
                ApiKey.SHARE_FETCH,
                FETCH_VERSION,
                new ShareFetchRequest()
                        .groupId(group)
                        .memberId(id)
                        .shareSessionEpoch(sessionEpoch++)
                        .maxWaitMs(maxWaitMillis)
                        .minBytes(1)
                        .maxBytes(MAX_BYTES)
                        .maxRecords(MAX_RECORDS)
                        .batchSize(MAX_RECORDS)
                        .topics(
                                named.isEmpty()
                                        ? List.of()
                                        : List.of(new FetchTopic()
                                                .topicId(topicId)
                                                .partitions(named))));
        underWay = acquired;
    }

    /**
     * Takes the answer: what was acquired, and that what the request accepted is durable.
     *
     * @param seen the queues of the acquired records
     */
    void takeFetch(BitSet seen) throws IOException, BrokerFailedException {
        ShareFetchResponse response = (ShareFetchResponse) wire.receive(ApiKey.SHARE_FETCH, FETCH_VERSION);
        require(response.errorCode(), response.errorMessage());
        accepted = underWay;
        for (ShareFetchableTopicResponse one : response.responses()) {
            for (PartitionData data : one.partitions()) {
                require(data.errorCode(), data.errorMessage());
                require(data.acknowledgeErrorCode(), data.acknowledgeErrorMessage());
                take(data, seen);
            }
        }
    }

    private void take(PartitionData data, BitSet seen) throws BrokerFailedException {
        if (data.acquiredRecords().isEmpty()) {
            return;
        }
        Records records = data.records();
        if (records == null || Batches.walk(records, (buffer, at, first, next) -> {}) == 0) {
            throw new BrokerFailedException("no records in queue " + data.partitionIndex());
        }
        List<AcknowledgementBatch> ranges = new ArrayList<>(1);
        for (AcquiredRecords range : data.acquiredRecords()) {
            acquired += range.lastOffset() - range.firstOffset() + 1;
            ranges.add(batch(range));
        }
        seen.set(data.partitionIndex());
        accepts.add(new FetchPartition().partitionIndex(data.partitionIndex()).acknowledgementBatches(ranges));
    }

    private AcknowledgementBatch batch(AcquiredRecords range) {
        long first = range.firstOffset();
        long last = range.lastOffset();
        AcknowledgementBatch known = batches.get(first);
        if (known == null || known.lastOffset() != last) {
            known = new AcknowledgementBatch()
                    .firstOffset(first)
                    .lastOffset(last)
                    .acknowledgeTypes(ACCEPT);
            batches.put(first, known);
        }
        return known;
    }

    long acquired() {
        return acquired;
    }

    /** Of those acquired, the records whose acceptance was confirmed. */
    long accepted() {
        return accepted;
    }

    private static void require(short code, @Nullable String message) throws BrokerFailedException {
        if (code != 0) {
            throw new BrokerFailedException("a member gets error " + code + ": " + message);
        }
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
