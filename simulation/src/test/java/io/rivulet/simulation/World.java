package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.EPOCHS_RISE;
import static io.rivulet.simulation.Promise.TOPICS_STAY;
import static io.rivulet.simulation.Promise.TRANSACTIONS_ARE_WHOLE;

import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.CreateTopicsRequest;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.rivulet.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.rivulet.protocol.message.CreateTopicsResponse;
import io.rivulet.protocol.message.FetchRequest;
import io.rivulet.protocol.message.FetchRequest.FetchPartition;
import io.rivulet.protocol.message.FetchRequest.FetchTopic;
import io.rivulet.protocol.message.FetchResponse;
import io.rivulet.protocol.message.FetchResponse.FetchableTopicResponse;
import io.rivulet.protocol.message.FetchResponse.PartitionData;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterConfigsResource;
import io.rivulet.protocol.message.IncrementalAlterConfigsRequest.AlterableConfig;
import io.rivulet.protocol.message.IncrementalAlterConfigsResponse;
import io.rivulet.protocol.message.MetadataRequest;
import io.rivulet.protocol.message.MetadataRequest.MetadataRequestTopic;
import io.rivulet.protocol.message.MetadataResponse;
import io.rivulet.protocol.message.ShareGroupHeartbeatRequest;
import io.rivulet.protocol.message.ShareGroupHeartbeatResponse;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.simulation.SentTransaction.Fate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** What all clients share: the topics with their records, and ids that must not be given twice. */
final class World {
    static final int FETCH_VERSION = 12;
    private static final String[] PLAIN_TOPICS = {"plain-0", "plain-1"};
    private static final String COMPACTED_TOPIC = "compacted";
    static final int PARTITIONS = 2;
    private static final int CREATE_TOPICS_VERSION = 5;
    private static final short ALREADY_EXISTS = 36;
    private static final byte READ_COMMITTED = 1;
    private static final byte GROUP = 32;
    static final String SHARE_GROUP = "sharing";
    private static final int METADATA_VERSION = 12;

    final List<PartitionLog> logs = new ArrayList<>();
    private final Map<Long, String> producerIds = new HashMap<>();
    private final Map<String, Uuid> topicIds = new HashMap<>();
    private boolean created;

    World() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (String topic : PLAIN_TOPICS) {
                logs.add(new PartitionLog(topic, partition, false));
            }
            logs.add(new PartitionLog(COMPACTED_TOPIC, partition, true));
        }
    }

    List<PartitionLog> plainLogs() {
        return logs.stream().filter(log -> !log.compacted).toList();
    }

    PartitionLog log(String topic, int partition) {
        return logs.stream()
                .filter(log -> log.topic.equals(topic) && log.partition == partition)
                .findFirst()
                .orElseThrow();
    }

    /** A producer has got an id. */
    void gotProducerId(long id, String owner) {
        String before = producerIds.putIfAbsent(id, owner);
        EPOCHS_RISE.require(
                before == null || before.equals(owner), "producer id %s was given to %s and to %s", id, before, owner);
    }

    /** The topics are there, or were there before. */
    void createTopics(Asking asking) {
        List<CreatableTopic> wanted = new ArrayList<>();
        for (String topic : PLAIN_TOPICS) {
            wanted.add(creatable(topic).configs(List.of(config("retention.ms", "-1"))));
        }
        wanted.add(creatable(COMPACTED_TOPIC)
                .configs(List.of(
                        config("cleanup.policy", "compact"),
                        config("min.cleanable.dirty.ratio", "0.01"),
                        config("segment.ms", "1000"))));
        CreateTopicsResponse answer = asking.ask(
                ApiKey.CREATE_TOPICS,
                CREATE_TOPICS_VERSION,
                new CreateTopicsRequest().timeoutMs(1000).topics(wanted),
                CreateTopicsResponse.class);
        answer.topics().forEach(topic -> {
            boolean right = created
                    ? topic.errorCode() == ALREADY_EXISTS
                    : topic.errorCode() == 0 || topic.errorCode() == ALREADY_EXISTS;
            TOPICS_STAY.require(right, "%s: error %s, %s", topic.name(), topic.errorCode(), topic.errorMessage());
        });
        created = true;
        findTopics(asking);
        readFromTheStart(asking);
        createShareGroup(asking);
    }

    private void findTopics(Asking asking) {
        MetadataResponse answer = asking.ask(
                ApiKey.METADATA,
                METADATA_VERSION,
                new MetadataRequest()
                        .topics(Stream.concat(Arrays.stream(PLAIN_TOPICS), Stream.of(COMPACTED_TOPIC))
                                .map(topic -> new MetadataRequestTopic().name(topic))
                                .toList()),
                MetadataResponse.class);
        answer.topics().forEach(topic -> {
            TOPICS_STAY.require(
                    topic.errorCode() == 0 && topic.partitions().size() == PARTITIONS,
                    "%s: error %s, %s partitions",
                    topic.name(),
                    topic.errorCode(),
                    topic.partitions().size());
            Uuid before = topicIds.putIfAbsent(String.valueOf(topic.name()), topic.topicId());
            TOPICS_STAY.require(before == null || before.equals(topic.topicId()), "%s has another id", topic.name());
        });
    }

    /** Share groups begin at the first record. */
    private static void readFromTheStart(Asking asking) {
        IncrementalAlterConfigsResponse answer = asking.ask(
                ApiKey.INCREMENTAL_ALTER_CONFIGS,
                1,
                new IncrementalAlterConfigsRequest()
                        .resources(List.of(new AlterConfigsResource()
                                .resourceType(GROUP)
                                .resourceName(SHARE_GROUP)
                                .configs(List.of(new AlterableConfig()
                                        .name("share.auto.offset.reset")
                                        .value("earliest"))))),
                IncrementalAlterConfigsResponse.class);
        answer.responses()
                .forEach(resource -> TOPICS_STAY.require(
                        resource.errorCode() == 0,
                        "a group: error %s, %s",
                        resource.errorCode(),
                        resource.errorMessage()));
    }

    /** A member joins and leaves, so that the group exists. Its other members only fetch. */
    private static void createShareGroup(Asking asking) {
        for (int epoch : new int[] {0, -1}) {
            ShareGroupHeartbeatResponse answer = asking.ask(
                    ApiKey.SHARE_GROUP_HEARTBEAT,
                    1,
                    new ShareGroupHeartbeatRequest()
                            .groupId(SHARE_GROUP)
                            .memberId("founder")
                            .memberEpoch(epoch)
                            .subscribedTopicNames(epoch == 0 ? List.of(PLAIN_TOPICS[0]) : null),
                    ShareGroupHeartbeatResponse.class);
            TOPICS_STAY.require(answer.errorCode() == 0, "the share group: error %s", answer.errorCode());
        }
    }

    Uuid topicId(String topic) {
        return Objects.requireNonNull(topicIds.get(topic));
    }

    PartitionLog log(Uuid topicId, int partition) {
        return logs.stream()
                .filter(log -> log.partition == partition && topicId(log.topic).equals(topicId))
                .findFirst()
                .orElseThrow();
    }

    private static CreatableTopic creatable(String name) {
        return new CreatableTopic().name(name).numPartitions(PARTITIONS).replicationFactor((short) 1);
    }

    static CreatableTopicConfig config(String name, String value) {
        return new CreatableTopicConfig().name(name).value(value);
    }

    /** Reads everything back, and compares it with what should be there. All transactions must have ended. */
    void verify(Asking asking) {
        Map<SentTransaction, Set<String>> committed = new HashMap<>();
        for (PartitionLog log : logs) {
            log.check(read(asking, log, false));
            for (ReadRecord record : read(asking, log, true).records()) {
                SentTransaction transaction = log.batch(record).transaction;
                if (transaction != null) {
                    committed
                            .computeIfAbsent(transaction, none -> new HashSet<>())
                            .add(record.producer() + "/" + record.number());
                }
            }
        }
        logs.stream()
                .flatMap(log -> log.batches().stream())
                .map(batch -> batch.transaction)
                .filter(transaction -> transaction != null)
                .distinct()
                .forEach(transaction -> judge(transaction, committed.getOrDefault(transaction, Set.of())));
    }

    private static void judge(SentTransaction transaction, Set<String> visible) {
        int all = transaction.batches.stream()
                .filter(batch -> batch.state != SentBatch.State.REFUSED)
                .mapToInt(batch -> batch.count)
                .sum();
        boolean whole = visible.isEmpty() || visible.size() == all;
        TRANSACTIONS_ARE_WHOLE.require(whole, "%s of %s records of %s are there", visible.size(), all, transaction);
        switch (transaction.fate) {
            case COMMITTED ->
                TRANSACTIONS_ARE_WHOLE.require(visible.size() == all, "%s has lost its records", transaction);
            case MAY_BE_COMMITTED -> transaction.fate = visible.isEmpty() ? Fate.ABORTED : Fate.COMMITTED;
            default -> {
                TRANSACTIONS_ARE_WHOLE.require(visible.isEmpty(), "%s has records", transaction);
                transaction.fate = Fate.ABORTED;
            }
        }
    }

    /** All records of a partition. */
    static LogReader read(Asking asking, PartitionLog log, boolean committed) {
        LogReader reader = new LogReader(committed, 0);
        long end = 1;
        long before = -1;
        while (reader.position() < end && reader.position() != before) {
            before = reader.position();
            FetchResponse answer = asking.ask(
                    ApiKey.FETCH,
                    FETCH_VERSION,
                    fetch(List.of(topic(log, reader.position())))
                            .isolationLevel(committed ? READ_COMMITTED : 0)
                            .sessionEpoch(-1),
                    FetchResponse.class);
            for (FetchableTopicResponse topic : answer.responses()) {
                for (PartitionData data : topic.partitions()) {
                    TOPICS_STAY.require(data.errorCode() == 0, "%s: error %s of a fetch", log, data.errorCode());
                    end = committed ? data.lastStableOffset() : data.highWatermark();
                    reader.add(data);
                }
            }
        }
        Promise.RECORDS_STAY.require(reader.position() >= end, "%s can't be read from %s", log, reader.position());
        return reader;
    }

    static FetchRequest fetch(List<FetchTopic> topics) {
        return new FetchRequest().maxWaitMs(0).minBytes(1).maxBytes(1 << 20).topics(topics);
    }

    static FetchTopic topic(PartitionLog log, long offset) {
        return new FetchTopic()
                .topic(log.topic)
                .partitions(List.of(new FetchPartition()
                        .partition(log.partition)
                        .fetchOffset(offset)
                        .partitionMaxBytes(1 << 20)));
    }
}
