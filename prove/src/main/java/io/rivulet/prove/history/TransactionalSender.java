package io.rivulet.prove.history;

import io.rivulet.prove.load.Clients;
import io.rivulet.prove.load.Load;
import io.rivulet.prove.load.Target;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;

/** A producer that commits, aborts and gives up transactions, some of which stay open for a while. */
final class TransactionalSender extends Load {
    private static final int MOST_RECORDS = 6;
    private static final int MOST_OPEN_NANOS = 60_000_000;

    private final Target target;
    private final String name;
    private final History history;
    private final Random random;
    private long number;

    TransactionalSender(Target target, String name, History history, Random random) {
        super(name, target.pauseNanos());
        this.target = target;
        this.name = name;
        this.history = history;
        this.random = random;
    }

    @Override
    protected void run() {
        KafkaProducer<String, String> producer = begin(target, name);
        while (!isStopped()) {
            if (!transact(producer)) {
                producer.close(Duration.ZERO);
                producer = begin(target, name);
            }
            pause();
        }
        producer.close();
    }

    /** Ends what the former producer has left. */
    static KafkaProducer<String, String> begin(Target target, String name) {
        KafkaProducer<String, String> producer = Clients.producer(
                target,
                Map.of(
                        "transactional.id", name,
                        "transaction.timeout.ms", HistoryLoad.LONG_MILLIS,
                        "max.block.ms", HistoryLoad.LONG_MILLIS,
                        "delivery.timeout.ms", HistoryLoad.LONG_MILLIS));
        producer.initTransactions();
        return producer;
    }

    /** Returns whether the producer can go on. */
    private boolean transact(KafkaProducer<String, String> producer) {
        Transaction transaction = new Transaction(producer);
        boolean goesOn = true;
        try {
            for (int i = random.nextInt(MOST_RECORDS); i >= 0; i--) {
                transaction.send(HistoryLoad.TOPIC, random.nextInt(HistoryLoad.PARTITIONS), name + "-" + number++);
            }
            int dice = random.nextInt(12);
            if (dice % 3 == 0) {
                producer.flush();
                LockSupport.parkNanos(random.nextInt(MOST_OPEN_NANOS));
            }
            if (dice == 0) {
                goesOn = false;
            } else if (dice <= 3) {
                transaction.abort();
            } else {
                transaction.commit();
            }
            acknowledged();
        } catch (KafkaException e) {
            goesOn = false;
        }
        history.add(transaction.toWrite());
        return goesOn;
    }
}
