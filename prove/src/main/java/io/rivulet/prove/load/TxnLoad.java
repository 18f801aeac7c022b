package io.rivulet.prove.load;

import io.rivulet.prove.load.TxnHistory.Fate;
import io.rivulet.prove.load.TxnHistory.Read;
import io.rivulet.prove.load.TxnHistory.Txn;
import io.rivulet.prove.load.TxnHistory.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** A transactional producer that commits, aborts and dies: each transaction is whole, or not there. */
final class TxnLoad extends Load {
    private static final String TOPIC = "transactions";
    private static final int PARTITIONS = 3;
    private static final int MOST_RECORDS = 8;

    private final Target target;
    private final Random random;
    private final TxnHistory history = new TxnHistory();

    TxnLoad(Target target, Random random) {
        super("transaction-load", target.pauseNanos());
        this.target = target;
        this.random = random;
    }

    @Override
    protected void run() {
        KafkaProducer<String, String> producer = begin();
        for (int number = 0; !isStopped(); number++) {
            pause();
            if (!transact(producer, number)) {
                producer.close(Duration.ZERO);
                producer = begin(); // which aborts what the former one has left
            }
        }
        producer.close();
    }

    private KafkaProducer<String, String> begin() {
        KafkaProducer<String, String> producer = Clients.producer(target, Map.of("transactional.id", "t"));
        producer.initTransactions();
        return producer;
    }

    /** Returns whether the producer can go on. */
    private boolean transact(KafkaProducer<String, String> producer, int number) {
        List<Write> writes = new ArrayList<>();
        Fate fate = Fate.UNKNOWN;
        boolean goesOn = true;
        try {
            producer.beginTransaction();
            for (int i = random.nextInt(MOST_RECORDS); i >= 0; i--) {
                Write write = new Write(number + "-" + i, random.nextInt(PARTITIONS));
                writes.add(write);
                producer.send(new ProducerRecord<>(TOPIC, write.partition(), "", write.value()));
            }
            TxnEnd end = TxnEnd.atRandom(producer, random);
            goesOn = end != TxnEnd.LEFT_OPEN;
            fate = end.fate();
            acknowledged();
        } catch (KafkaException e) {
            goesOn = false;
        }
        history.add(new Txn("t", fate, writes));
        return goesOn;
    }

    @Override
    protected List<String> violations(Target target) {
        List<ConsumerRecord<String, String>> all =
                Clients.readAll(target, Clients.partitions(TOPIC, PARTITIONS), "read_committed");
        IntStream.range(0, PARTITIONS)
                .forEach(partition -> history.read(
                        partition,
                        all.stream()
                                .filter(record -> record.partition() == partition)
                                .map(record -> new Read(record.offset(), record.value()))
                                .toList()));
        return history.violations();
    }
}
