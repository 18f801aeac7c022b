package io.rivulet.prove.history;

import io.rivulet.prove.history.History.Entry;
import io.rivulet.prove.history.History.Result;
import io.rivulet.prove.history.History.Write;
import io.rivulet.prove.load.Clients;
import io.rivulet.prove.load.Load;
import io.rivulet.prove.load.Target;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** An idempotent producer without transactions. */
final class PlainSender extends Load {
    private static final int MOST_UNACKNOWLEDGED = 20;
    private static final int MOST_PAUSE_NANOS = 4_000_000;

    private final Target target;
    private final String name;
    private final History history;
    private final Random random;
    private final Semaphore room = new Semaphore(MOST_UNACKNOWLEDGED);

    PlainSender(Target target, String name, History history, Random random) {
        super(name, target.pauseNanos());
        this.target = target;
        this.name = name;
        this.history = history;
        this.random = random;
    }

    @Override
    protected void run() throws InterruptedException {
        try (KafkaProducer<String, String> producer =
                Clients.producer(target, Map.of("delivery.timeout.ms", HistoryLoad.LONG_MILLIS))) {
            for (long number = 0; !isStopped(); number++) {
                room.acquire();
                send(producer, name + "-" + number);
                LockSupport.parkNanos(random.nextInt(MOST_PAUSE_NANOS));
                pause();
            }
            producer.flush();
        }
    }

    private void send(KafkaProducer<String, String> producer, String value) {
        int partition = random.nextInt(HistoryLoad.PARTITIONS);
        String named = HistoryLoad.TOPIC + "-" + partition;
        producer.send(new ProducerRecord<>(HistoryLoad.TOPIC, partition, "", value), (metadata, failed) -> {
            room.release();
            if (failed != null) {
                history.add(Write.plain(Result.INFO, new Entry(named, History.UNKNOWN, value)));
                fail(failed);
            } else {
                history.add(Write.plain(Result.OK, new Entry(named, metadata.offset(), value)));
                acknowledged();
            }
        });
    }
}
