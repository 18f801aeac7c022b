package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Position;
import io.rivulet.prove.load.Load;
import io.rivulet.prove.load.Target;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A member of a group that reads, sends and commits its offsets in transactions: each record is processed once. */
final class Processor extends Load {
    private static final String GROUP = "processors";
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final Target target;
    private final String name;
    private final History history;
    private final Random random;
    private long number;

    Processor(Target target, String name, History history, Random random) {
        super(name, target.pauseNanos());
        this.target = target;
        this.name = name;
        this.history = history;
        this.random = random;
    }

    @Override
    protected void run() {
        for (boolean isFirst = true; isFirst || !isStopped(); isFirst = false) {
            KafkaProducer<String, String> producer = TransactionalSender.begin(target, name);
            Reading reading = Reading.ofGroup(target, name, GROUP, "consumer", history);
            try {
                while (!isStopped() && process(reading, producer)) {
                    acknowledged();
                    pause();
                }
            } finally {
                reading.close(CLOSE);
                producer.close(Duration.ZERO);
            }
        }
        TransactionalSender.begin(target, name).close();
    }

    /** Returns whether both can go on. */
    private boolean process(Reading reading, KafkaProducer<String, String> producer) {
        List<Entry> inputs = reading.poll();
        while (inputs.isEmpty() && !isStopped()) {
            pause();
            inputs = reading.poll();
        }
        if (inputs.isEmpty()) {
            return true;
        }
        Transaction transaction = new Transaction(producer);
        boolean isCommitted = false;
        boolean goesOn = true;
        try {
            // Some of what it sends is input, too; less than what it reads, so that there is an end.
            String topic = random.nextInt(4) == 0 ? HistoryLoad.TOPIC : HistoryLoad.OUTPUT;
            transaction.send(topic, random.nextInt(HistoryLoad.PARTITIONS), name + "-" + number++);
            transaction.process(inputs, reading.offsets(), reading.consumer().groupMetadata());
            if (random.nextInt(6) == 0) {
                transaction.abort();
            } else {
                transaction.commit();
                isCommitted = true;
            }
        } catch (KafkaException e) {
            goesOn = false;
        }
        history.add(transaction.toWrite());
        return goesOn && (isCommitted || rewind(reading.consumer()));
    }

    /** Goes back to what is committed. */
    private boolean rewind(KafkaConsumer<String, String> consumer) {
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(consumer.committed(consumer.assignment()));
            committed.forEach((partition, offset) -> {
                long to = offset == null ? 0 : offset.offset();
                history.add(new Position(name, partition.toString(), to, "", System.nanoTime()));
                consumer.seek(partition, to);
            });
            return true;
        } catch (KafkaException e) {
            return false;
        }
    }
}
