package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A broker in the process of a test. */
final class EmbeddedBrokerIT {
    /** A JUnit test needs nothing else. */
    @AutoClose
    private static final EmbeddedBroker SHARED =
            EmbeddedBroker.inMemoryOrTemp().topic("orders", 3).start();

    @Test
    void deliversMessagesToAGroup() throws Exception {
        try (KafkaProducer<String, String> producer = producer(SHARED);
                KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                        Map.of(
                                "bootstrap.servers", SHARED.bootstrapServers(),
                                "group.id", "tests",
                                "auto.offset.reset", "earliest"),
                        new StringDeserializer(),
                        new StringDeserializer())) {
            assertThat(producer.partitionsFor("orders")).hasSize(3);
            producer.send(new ProducerRecord<>("orders", "key", "value")).get();
            consumer.subscribe(List.of("orders"));

            assertThat(Clients.poll(consumer, 1))
                    .extracting(ConsumerRecord::value)
                    .containsExactly("value");
            ThreadCensus.assertAllHaveHandlersHere();
        }
    }

    @Test
    void aRestartKeepsTheData() throws Exception {
        try (EmbeddedBroker broker =
                EmbeddedBroker.inMemoryOrTemp().topic("kept", 1).start()) {
            try (KafkaProducer<String, String> producer = producer(broker)) {
                producer.send(new ProducerRecord<>("kept", "before")).get();
            }

            broker.restart();

            try (KafkaProducer<String, String> producer = producer(broker)) {
                assertThat(producer.send(new ProducerRecord<>("kept", "after"))
                                .get()
                                .offset())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void severalRunAtOnceAndClosingOneFreesItsDirectoryAndThreads() throws Exception {
        Path directory;
        Set<Thread> threadsBefore = threads();
        try (EmbeddedBroker second = EmbeddedBroker.inMemoryOrTemp()
                        .with("num.partitions", "2")
                        .start();
                KafkaProducer<String, String> producer = producer(second)) {
            assertThat(second.bootstrapServers()).isNotEqualTo(SHARED.bootstrapServers());
            assertThat(producer.partitionsFor("made-on-demand")).hasSize(2);
            directory = directory(second);
            assertThat(directory).isNotEmptyDirectory();
        }

        assertThat(directory).doesNotExist();
        // Netty has one thread for all brokers, which ends by itself
        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .pollInSameThread()
                .untilAsserted(() -> assertThat(threads()).isSubsetOf(threadsBefore));
    }

    private static KafkaProducer<String, String> producer(EmbeddedBroker broker) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()), new StringSerializer(), new StringSerializer());
    }

    private static Path directory(EmbeddedBroker broker) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            return Path.of(admin.describeLogDirs(List.of(1))
                    .allDescriptions()
                    .get()
                    .get(1)
                    .keySet()
                    .iterator()
                    .next());
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("globalEventExecutor"))
                .collect(Collectors.toSet());
    }
}
