package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Requests that name thousands of topics. Event loops do not decode them. */
final class LongRequestsIT {
    private static final int TOPICS = 12_000;
    private static final int CONFIGS_TOLD = 10_000;
    private static final long OFFSET = 7;
    private static final int GARBAGE_BYTES = 100_000;

    private final List<String> names = IntStream.range(0, TOPICS)
            .mapToObj(i -> String.format(Locale.ROOT, "topic-%05d", i))
            .toList();

    @RegisterExtension
    static final UnharmedBroker attacked = new UnharmedBroker();

    private Wire wire;

    @BeforeEach
    void connect() throws IOException {
        wire = new Wire(attacked.broker());
    }

    @AfterEach
    void disconnect() throws IOException {
        wire.close();
    }

    @Test
    void allTopicsAreCreatedDescribedListedAndDeletedWithOneRequestEach() throws Exception {
        try (Admin admin = Clients.admin(attacked.broker())) {
            CreateTopicsResult created = admin.createTopics(
                    names.stream().map(name -> new NewTopic(name, 1, (short) 1)).toList());
            created.all().get();
            assertThat(created.config(names.get(CONFIGS_TOLD - 1)).get().entries())
                    .isNotEmpty();
            assertThat(created.config(names.get(CONFIGS_TOLD))).failsWithin(java.time.Duration.ZERO);
        }
        assertThat(attacked.broker().queues()).isEqualTo(TOPICS);
        assertThat(described()).isEqualTo(new TreeSet<>(names));
        assertThat(listed()).hasSize(TOPICS).allMatch(error -> error == Errors.NONE);

        DeleteTopicsResponseData deleted = delete(names);
        assertThat(deleted.responses()).hasSize(TOPICS).allMatch(topic -> topic.errorCode() == Errors.NONE.code());
        assertThat(delete(names).responses())
                .hasSize(TOPICS)
                .allMatch(topic -> topic.errorCode() == Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(described()).isEmpty();
        wire.close();
        attacked.restart(Map.of());
        assertThat(attacked.broker().queues()).isZero();
    }

    /** As a consumer that commits and then fetches its offsets. */
    @Test
    void requestsAfterALongRequestAreHandledAfterIt() throws Exception {
        createWide();
        OffsetCommitRequestData commit = new OffsetCommitRequestData()
                .setGroupId("g")
                .setTopics(List.of(new OffsetCommitRequestTopic()
                        .setName("wide")
                        .setPartitions(IntStream.range(0, TOPICS)
                                .mapToObj(partition -> new OffsetCommitRequestPartition()
                                        .setPartitionIndex(partition)
                                        .setCommittedOffset(OFFSET))
                                .toList())));
        OffsetFetchRequestData fetch = new OffsetFetchRequestData()
                .setGroups(List.of(new OffsetFetchRequestGroup().setGroupId("g").setTopics(null)));

        wire.send(ApiKeys.OFFSET_COMMIT, (short) 9, commit);
        wire.send(ApiKeys.OFFSET_FETCH, (short) 9, fetch);

        OffsetCommitResponseData committed =
                (OffsetCommitResponseData) wire.receive(ApiKeys.OFFSET_COMMIT, (short) 9, 1);
        assertThat(committed.topics().get(0).partitions())
                .hasSize(TOPICS)
                .allMatch(partition -> partition.errorCode() == Errors.NONE.code());
        OffsetFetchResponseData fetched = (OffsetFetchResponseData) wire.receive(ApiKeys.OFFSET_FETCH, (short) 9, 2);
        assertThat(fetched.groups().get(0).topics().get(0).partitions())
                .hasSize(TOPICS)
                .allMatch(partition -> partition.committedOffset() == OFFSET);
    }

    @Test
    void anInvalidLongRequestClosesItsConnectionOnly() throws Exception {
        ByteBuffer garbage = ByteBuffer.allocate(Integer.BYTES + GARBAGE_BYTES)
                .putInt(GARBAGE_BYTES)
                .putShort(ApiKeys.LIST_OFFSETS.id)
                .putShort((short) 7)
                .putInt(1)
                .putShort((short) -1)
                .put((byte) 0)
                .putInt(-1)
                .put((byte) 0)
                .putInt(-1); // topics: more than the frame has bytes
        wire.send(garbage.position(0));

        assertThat(wire.isClosedByBroker()).isTrue();
        try (Admin admin = Clients.admin(attacked.broker())) {
            assertThat(admin.listTopics().names().get()).isEmpty();
        }
    }

    private void createWide() throws Exception {
        try (Admin admin = Clients.admin(attacked.broker())) {
            admin.createTopics(List.of(new NewTopic("wide", TOPICS, (short) 1).configs(Map.of())))
                    .all()
                    .get();
        }
    }

    private Set<String> described() throws Exception {
        MetadataResponseData response = (MetadataResponseData) wire.ask(
                ApiKeys.METADATA,
                (short) 9,
                new MetadataRequestData()
                        .setAllowAutoTopicCreation(false)
                        .setTopics(names.stream()
                                .map(name -> new MetadataRequestTopic().setName(name))
                                .toList()));
        Set<String> existing = new TreeSet<>();
        response.topics().forEach(topic -> {
            if (topic.errorCode() == Errors.NONE.code()) {
                existing.add(topic.name());
            }
        });
        return existing;
    }

    private List<Errors> listed() throws Exception {
        ListOffsetsResponseData response = (ListOffsetsResponseData) wire.ask(
                ApiKeys.LIST_OFFSETS,
                (short) 7,
                new ListOffsetsRequestData()
                        .setReplicaId(-1)
                        .setTopics(names.stream()
                                .map(name -> new ListOffsetsTopic()
                                        .setName(name)
                                        .setPartitions(List.of(new ListOffsetsPartition().setTimestamp(-1))))
                                .toList()));
        return response.topics().stream()
                .map(topic -> Errors.forCode(topic.partitions().get(0).errorCode()))
                .toList();
    }

    private DeleteTopicsResponseData delete(List<String> topics) throws Exception {
        return (DeleteTopicsResponseData) wire.ask(
                ApiKeys.DELETE_TOPICS,
                (short) 6,
                new DeleteTopicsRequestData()
                        .setTopics(topics.stream()
                                .map(name -> new DeleteTopicState().setName(name))
                                .toList()));
    }
}
