package io.rivulet.prove.clock;

import io.rivulet.prove.load.Clients;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A transaction that nobody ends is aborted when its timeout is over. */
final class TransactionProbe extends Probe {
    private static final String ID = "left-open";

    private final int port;
    private final int timeoutMillis;

    TransactionProbe(int port, int timeoutMillis, Promise promise) {
        super("a transaction with a timeout of " + timeoutMillis + " ms", promise);
        this.port = port;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    @Nullable
    String run() throws Exception {
        try (Admin admin = Admin.create(Clients.settings(port, Map.of()));
                KafkaProducer<String, String> producer = Clients.producer(
                        port, Map.of("transactional.id", ID, "transaction.timeout.ms", timeoutMillis))) {
            producer.initTransactions();
            producer.beginTransaction();
            long earliestNanos = System.nanoTime();
            producer.send(new ProducerRecord<>("clock", 0, "", "left open")).get();
            return await(earliestNanos, System.nanoTime(), () -> !isOpen(admin));
        }
    }

    private static boolean isOpen(Admin admin) throws Exception {
        return admin.describeTransactions(List.of(ID)).description(ID).get().state() == TransactionState.ONGOING;
    }
}
