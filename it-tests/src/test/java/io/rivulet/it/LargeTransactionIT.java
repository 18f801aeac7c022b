package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.Broker;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transaction whose markers find no room in one log group. */
final class LargeTransactionIT {
    /** More than a quarter of the tail's chunks. */
    private static final int PARTITIONS = 20_000;

    @TempDir
    private Path directory;

    @Test
    void allPartitionsOfATransactionThatNoGroupHoldsAreCommitted() throws Exception {
        try (Broker broker = TestBroker.start(directory, Map.of("rivulet.tail.bytes", String.valueOf(16 << 20)));
                Admin admin = Clients.admin(broker)) {
            admin.createTopics(List.of(new NewTopic("wide", PARTITIONS, (short) 1)))
                    .all()
                    .get();
            try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                    Map.of(
                            "bootstrap.servers",
                            broker.bootstrapServers(),
                            "transactional.id",
                            "wide",
                            "batch.size",
                            100),
                    new StringSerializer(),
                    new StringSerializer())) {
                producer.initTransactions();
                producer.beginTransaction();
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    var unused = producer.send(new ProducerRecord<>("wide", partition, null, "v"));
                }
                producer.flush();
                assertThat(ends(admin))
                        .allSatisfy(end -> assertThat(end.offset()).isZero());
                producer.commitTransaction();
            }

            // A record and a marker.
            assertThat(ends(admin)).allSatisfy(end -> assertThat(end.offset()).isEqualTo(2));
        }
    }

    /** Up to where committed data is read. */
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
