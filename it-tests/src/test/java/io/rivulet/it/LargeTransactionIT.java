package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction whose markers do not fit into one log group. */
@SeveralBrokers
final class LargeTransactionIT {
    /** Needs more than a quarter of the tail's chunks. */
    private static final int PARTITIONS = 20_000;

    @TempDir
    private Path directory;

    @Test
    void allPartitionsOfATransactionLargerThanALogGroupAreCommitted() throws Exception {
        try (TestBroker broker = TestBroker.start(directory, Map.of("rivulet.tail.bytes", String.valueOf(16 << 20)));
                Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("wide", PARTITIONS, (short) 1)))
                    .all()
                    .get();
            try (Wire wire = new Wire(broker)) {
                InitProducerIdResponseData producer = (InitProducerIdResponseData) wire.ask(
                        ApiKeys.INIT_PRODUCER_ID,
                        (short) 5,
                        new InitProducerIdRequestData()
                                .setTransactionalId("wide")
                                .setTransactionTimeoutMs(60_000));
                wire.ask(ApiKeys.PRODUCE, (short) 12, toAll(producer));
                assertThat(ends(admin))
                        .allSatisfy(end -> assertThat(end.offset()).isZero());
                EndTxnResponseData ended = (EndTxnResponseData) wire.ask(
                        ApiKeys.END_TXN,
                        (short) 5,
                        new EndTxnRequestData()
                                .setTransactionalId("wide")
                                .setProducerId(producer.producerId())
                                .setProducerEpoch(producer.producerEpoch())
                                .setCommitted(true));
                assertThat(ended.errorCode()).isZero();
                assertThat(ended.producerEpoch()).isEqualTo((short) 1);
            }

            // a record and a marker
            assertThat(ends(admin)).allSatisfy(end -> assertThat(end.offset()).isEqualTo(2));
        }
    }

    private static ProduceRequestData toAll(InitProducerIdResponseData producer) {
        List<ProduceRequestData.PartitionProduceData> data = new ArrayList<>(PARTITIONS);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            data.add(new ProduceRequestData.PartitionProduceData()
                    .setIndex(partition)
                    .setRecords(MemoryRecords.withTransactionalRecords(
                            Compression.NONE,
                            producer.producerId(),
                            producer.producerEpoch(),
                            0,
                            new SimpleRecord(new byte[1]))));
        }
        return new ProduceRequestData()
                .setTransactionalId("wide")
                .setAcks((short) -1)
                .setTopicData(new ProduceRequestData.TopicProduceDataCollection(
                        List.of(new ProduceRequestData.TopicProduceData()
                                        .setName("wide")
                                        .setPartitionData(data))
                                .iterator()));
    }

    /** The last stable offsets. */
    private static List<ListOffsetsResultInfo> ends(Admin admin) throws Exception {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            wanted.put(new TopicPartition("wide", partition), OffsetSpec.latest());
        }
        return List.copyOf(admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get()
                .values());
    }
}
