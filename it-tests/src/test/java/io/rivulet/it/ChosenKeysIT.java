package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients whose keys would all have one place in a hash table: each look at one would walk over all, for minutes. */
final class ChosenKeysIT {
    private static final int PARTITIONS = 1_000_000;
    private static final int TOPICS = 300_000;
    private static final int BLOCK = 16;
    private static final int ID_BYTES = 16;
    private static final short FETCH = 4;
    private static final short METADATA = 12;

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

    /** Blocks of them are neighbours, if their numbers are only multiplied by this constant. */
    @Test
    void partitionsOfAFetch() throws Exception {
        int inverse = 0x9E3779B9;
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - 0x9E3779B9 * inverse;
        }
        int factor = inverse;
        int[] blocks = IntStream.range(0, Integer.MAX_VALUE)
                .map(i -> i * factor)
                .filter(block -> block >>> 28 == 0)
                .limit(PARTITIONS / BLOCK)
                .toArray();
        assertThat(fetch(i -> blocks[i / BLOCK] * BLOCK + i % BLOCK)).isEqualTo(PARTITIONS);
    }

    private int fetch(IntUnaryOperator partition) throws IOException {
        FetchTopic topic = new FetchTopic()
                .setTopic("none")
                .setPartitions(IntStream.range(0, PARTITIONS)
                        .mapToObj(i -> new FetchPartition()
                                .setPartition(partition.applyAsInt(i))
                                .setPartitionMaxBytes(1))
                        .toList());
        FetchResponseData answer = (FetchResponseData) wire.ask(
                ApiKeys.FETCH,
                FETCH,
                new FetchRequestData().setMaxWaitMs(0).setMaxBytes(1).setTopics(List.of(topic)));
        return answer.responses().stream()
                .mapToInt(one -> one.partitions().size())
                .sum();
    }

    /** Both halves of an id are the same number: all have one hash. Kafka's class for the answer takes minutes, too. */
    @Test
    void idsOfTopics() throws Exception {
        List<MetadataRequestTopic> topics = IntStream.rangeClosed(1, TOPICS)
                .mapToObj(i -> new MetadataRequestTopic()
                        .setTopicId(new Uuid(0, (long) i << Integer.SIZE | i))
                        .setName(null))
                .toList();
        wire.send(ApiKeys.METADATA, METADATA, new MetadataRequestData().setTopics(topics));

        assertThat(wire.receiveUnread()).isGreaterThan(TOPICS * ID_BYTES);
    }
}
