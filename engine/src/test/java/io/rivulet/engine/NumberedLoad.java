package io.rivulet.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Sends numbers to one broker, a thread and a producer for each partition. The broker may go and come back at its port.
 * Owned by: one thread.
 */
final class NumberedLoad implements AutoCloseable {
    private static final int MOST_ON_THEIR_WAY = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private final Map<String, Object> settings;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    private NumberedLoad(Map<String, Object> settings) {
        this.settings = settings;
    }

    static NumberedLoad start(String servers, List<NumberedHistory> histories) {
        return start(servers, histories, Map.of());
    }

    /** @param settings of producers, beside those of every load */
    static NumberedLoad start(String servers, List<NumberedHistory> histories, Map<String, Object> settings) {
        NumberedLoad load = new NumberedLoad(settings);
        for (NumberedHistory history : histories) {
            Thread thread = new Thread(() -> load.run(servers, history), "load-" + history.partition());
            thread.start();
            load.threads.add(thread);
        }
        return load;
    }

    private void run(String servers, NumberedHistory history) {
        Semaphore room = new Semaphore(MOST_ON_THEIR_WAY);
        while (!stopped) {
            KafkaProducer<String, String> producer = producer(servers);
            try {
                while (!stopped) {
                    send(producer, history, room);
                }
            } catch (KafkaException | InterruptedException e) {
                // What was on its way is unknown. The next producer goes on with the next number.
            } finally {
                Thread.interrupted(); // or the close would fail
                producer.close(Duration.ZERO);
            }
        }
    }

    private static void send(KafkaProducer<String, String> producer, NumberedHistory history, Semaphore room)
            throws InterruptedException {
        room.acquire();
        long number = history.nextNumber();
        boolean sent = false;
        try {
            producer.send(
                    new ProducerRecord<>(
                            history.partition().topic(),
                            history.partition().partition(),
                            null,
                            NumberedHistory.value(number)),
                    (metadata, failure) -> {
                        if (failure == null) {
                            history.acknowledged(metadata.offset(), number);
                        }
                        room.release();
                    });
            sent = true;
        } finally {
            if (!sent) {
                room.release();
            }
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    private KafkaProducer<String, String> producer(String servers) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "bootstrap.servers", servers,
                "reconnect.backoff.ms", 20,
                "reconnect.backoff.max.ms", 100,
                "retry.backoff.ms", 20,
                "retry.backoff.max.ms", 100));
        all.putAll(settings);
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    /** Ends the load, at once: what is on its way is unknown. */
    @Override
    public void close() {
        stopped = true;
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
