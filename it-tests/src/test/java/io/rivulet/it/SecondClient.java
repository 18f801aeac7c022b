package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** A good client beside an attacker: each of its requests must have a response soon, and without an error. */
public final class SecondClient {
    /** An attack that works stops a thread for good or for minutes; a machine that runs other builds, for seconds. */
    public static final Duration SOON = Duration.ofSeconds(10);

    private static final String TOPIC = "second-client";
    private static final short CREATE_VERSION = 5;
    private static final short PRODUCE_VERSION = 9;
    private static final short FETCH_VERSION = 12;
    private static final short HEARTBEAT_VERSION = 0;
    private static final short COMMIT_VERSION = 9;

    private final Wire wire;

    private SecondClient(Wire wire) {
        this.wire = wire;
    }

    /** Asserts that a produce, a fetch, two heartbeats of a group and a commit each have a response soon. */
    public static void assertServes(int port) throws IOException {
        try (Wire wire = new Wire(port)) {
            SecondClient client = new SecondClient(wire);
            client.createTopic();
            long offset = client.produce();
            client.fetch(offset);
            client.commitInAGroup(offset);
        }
    }

    /** The same without a group. */
    public static void assertServesRecords(int port) throws IOException {
        try (Wire wire = new Wire(port)) {
            SecondClient client = new SecondClient(wire);
            client.fetch(client.produce());
        }
    }

    private void createTopic() throws IOException {
        CreatableTopic topic =
                new CreatableTopic().setName(TOPIC).setNumPartitions(1).setReplicationFactor((short) 1);
        CreateTopicsRequestData request = new CreateTopicsRequestData()
                .setTopics(new CreatableTopicCollection(List.of(topic).iterator()));
        CreateTopicsResponseData answer =
                (CreateTopicsResponseData) wire.ask(ApiKeys.CREATE_TOPICS, CREATE_VERSION, request);
        assertThat(Errors.forCode(answer.topics().iterator().next().errorCode()))
                .isIn(Set.of(Errors.NONE, Errors.TOPIC_ALREADY_EXISTS));
    }

    private long produce() throws IOException {
        MemoryRecords records =
                MemoryRecords.withRecords(Compression.NONE, new SimpleRecord("value".getBytes(StandardCharsets.UTF_8)));
        TopicProduceData topic = new TopicProduceData()
                .setName(TOPIC)
                .setPartitionData(List.of(new PartitionProduceData().setRecords(records)));
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs((int) SOON.toMillis())
                .setTopicData(new TopicProduceDataCollection(List.of(topic).iterator()));
        ProduceResponseData answer = (ProduceResponseData) ask(ApiKeys.PRODUCE, PRODUCE_VERSION, request);
        var partition =
                answer.responses().iterator().next().partitionResponses().get(0);
        requireNone(ApiKeys.PRODUCE, partition.errorCode());
        return partition.baseOffset();
    }

    private void fetch(long offset) throws IOException {
        FetchRequestData request = new FetchRequestData()
                .setMaxBytes(1 << 20)
                .setSessionEpoch(-1)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic(TOPIC)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(1 << 20)))));
        FetchResponseData answer = (FetchResponseData) ask(ApiKeys.FETCH, FETCH_VERSION, request);
        var partition = answer.responses().get(0).partitions().get(0);
        requireNone(ApiKeys.FETCH, partition.errorCode());
        assertThat(((MemoryRecords) partition.records()).batches())
                .extracting(RecordBatch::baseOffset)
                .first()
                .isEqualTo(offset);
    }

    /** Joins a new group, commits, sends a heartbeat, and leaves. */
    private void commitInAGroup(long offset) throws IOException {
        String group = TOPIC + "-" + Uuid.randomUuid();
        ConsumerGroupHeartbeatRequestData join = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberEpoch(0)
                .setRebalanceTimeoutMs(10_000)
                .setSubscribedTopicNames(List.of(TOPIC))
                .setTopicPartitions(List.of());
        ConsumerGroupHeartbeatResponseData joined = heartbeat(join);
        OffsetCommitRequestData commit = new OffsetCommitRequestData()
                .setGroupId(group)
                .setMemberId(joined.memberId())
                .setGenerationIdOrMemberEpoch(joined.memberEpoch())
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName(TOPIC)
                        .setPartitions(List.of(new OffsetCommitRequestPartition().setCommittedOffset(offset + 1)))));
        OffsetCommitResponseData answer = (OffsetCommitResponseData) ask(ApiKeys.OFFSET_COMMIT, COMMIT_VERSION, commit);
        requireNone(
                ApiKeys.OFFSET_COMMIT,
                answer.topics().get(0).partitions().get(0).errorCode());
        ConsumerGroupHeartbeatRequestData alive = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(group)
                .setMemberId(joined.memberId())
                .setMemberEpoch(joined.memberEpoch());
        heartbeat(alive);
        heartbeat(alive.duplicate().setMemberEpoch(-1));
    }

    private ConsumerGroupHeartbeatResponseData heartbeat(ConsumerGroupHeartbeatRequestData request) throws IOException {
        ConsumerGroupHeartbeatResponseData answer =
                (ConsumerGroupHeartbeatResponseData) ask(ApiKeys.CONSUMER_GROUP_HEARTBEAT, HEARTBEAT_VERSION, request);
        requireNone(ApiKeys.CONSUMER_GROUP_HEARTBEAT, answer.errorCode());
        return answer;
    }

    private ApiMessage ask(ApiKeys key, short version, ApiMessage request) throws IOException {
        long startNanos = System.nanoTime();
        ApiMessage answer = wire.ask(key, version, request);
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
                .as("time to the response of %s", key)
                .isLessThanOrEqualTo(SOON);
        return answer;
    }

    private static void requireNone(ApiKeys key, short errorCode) {
        assertThat(Errors.forCode(errorCode)).as("the response of %s", key).isEqualTo(Errors.NONE);
    }
}
