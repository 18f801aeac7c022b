package io.rivulet.prove.clock;

import io.rivulet.prove.load.Clients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;

/** A producer that is over its quota waits, and not for longer than it must. */
final class QuotaProbe extends Probe {
    private static final String CLIENT = "throttled";
    private static final int RECORDS = 60;
    private static final int RECORD_BYTES = 10_000;
    /** How much it sends. */
    static final int BYTES = RECORDS * RECORD_BYTES;

    private final int port;
    private final int bytesPerSecond;

    QuotaProbe(int port, int bytesPerSecond, Promise promise) {
        super("sending at " + bytesPerSecond + " B/s", promise);
        this.port = port;
        this.bytesPerSecond = bytesPerSecond;
    }

    @Override
    @Nullable
    String run() throws Exception {
        try (Admin admin = Admin.create(Clients.settings(port, Map.of()))) {
            admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, CLIENT)),
                            List.of(new ClientQuotaAlteration.Op("producer_byte_rate", (double) bytesPerSecond)))))
                    .all()
                    .get();
        }
        KafkaProducer<String, String> producer = Clients.producer(port, Map.of("client.id", CLIENT));
        try {
            long startNanos = System.nanoTime();
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < RECORDS; i++) {
                sent.add(producer.send(new ProducerRecord<>("clock", 0, "", "x".repeat(RECORD_BYTES))));
            }
            return await(startNanos, startNanos, () -> sent.stream().allMatch(Future::isDone));
        } finally {
            producer.close(Duration.ZERO);
        }
    }
}
