package io.rivulet.bench.million;

import io.rivulet.bench.lab.BrokerFailedException;
import io.rivulet.bench.lab.Progress;
import io.rivulet.bench.lab.RunningBroker;
import io.rivulet.bench.lab.Threads;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Java producers with default settings, two at a time, each with a share of the queues.
 *
 * <p>The cost of a Java producer grows with the square of its partitions: it copies a map of all of them for each new
 * one, and checks all topics in each round. So each producer has a limited share of the queues. At a new topic, the
 * writing thread waits for metadata. The producer joins the requests of several threads, so many threads write to
 * topics.
 */
final class JavaProducers {
    private static final int PRODUCERS_AT_ONCE = 2;

    private final RunningBroker broker;
    private final Layout layout;
    private final int queues;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    JavaProducers(RunningBroker broker, Layout layout, int queues) {
        this.broker = broker;
        this.layout = layout;
        this.queues = queues;
    }

    String title() {
        return "Java producers with default settings, " + PRODUCERS_AT_ONCE + " at a time with "
                + layout.queuesPerProducer() + " queues each";
    }

    /** Returns the seconds until all messages are acknowledged. */
    double run(PrintWriter out) throws IOException, BrokerFailedException {
        AtomicInteger next = new AtomicInteger();
        int share = layout.queuesPerProducer();
        LongAdder done = new LongAdder();
        try (Progress progress = new Progress(out, "queues written to", done)) {
            Threads.run(PRODUCERS_AT_ONCE, number -> {
                for (int from = next.getAndAdd(share); from < queues; from = next.getAndAdd(share)) {
                    produce(from, Math.min(queues, from + share), done);
                }
            });
            return progress.seconds();
        }
    }

    private void produce(int from, int to, LongAdder done) throws IOException, BrokerFailedException {
        Map<String, Object> settings = Map.of("bootstrap.servers", "localhost:" + broker.port());
        int threads = layout.producerThreads();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            Threads.run(threads, number -> {
                for (int queue = from + number; queue < to; queue += threads) {
                    produce(producer, queue);
                    done.increment();
                }
            });
        }
        check();
    }

    private void produce(KafkaProducer<byte[], byte[]> producer, int queue) throws IOException {
        check();
        for (int i = 0; i < Message.PER_QUEUE; i++) {
            producer.send(
                    new ProducerRecord<>(layout.topic(queue), layout.partition(queue), null, Message.value(queue, i)),
                    (metadata, failed) -> failure.compareAndSet(null, failed));
        }
    }

    private void check() throws IOException {
        Exception failed = failure.get();
        if (failed != null) {
            throw new IOException("a message was not acknowledged: " + failed.getMessage(), failed);
        }
    }
}
