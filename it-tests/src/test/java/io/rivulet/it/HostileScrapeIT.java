package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scrapes that harm: of clients that read nothing, with many long names, and while the broker closes. */
final class HostileScrapeIT {
    private static final int GROUPS = 400;
    private static final int CLIENTS = 200;
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    @TempDir
    private Path directory;

    private TestBroker broker;
    private String http;

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(directory, Map.of("rivulet.http.listener", "localhost:0"));
        http = "http://localhost:"
                + Objects.requireNonNull(broker.httpAddress()).getPort();
        produce();
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private void produce() throws Exception {
        try (KafkaProducer<String, String> producer = Clients.producer(broker, Map.of())) {
            Clients.sendAll(producer, List.of(new ProducerRecord<>(PARTITION.topic(), 0, null, "value")));
        }
    }

    private void commitFromGroups(String beginning) throws Exception {
        try (Admin admin = Clients.admin(broker)) {
            List<KafkaFuture<Void>> commits = new ArrayList<>();
            for (int i = 0; i < GROUPS; i++) {
                commits.add(admin.alterConsumerGroupOffsets(beginning + i, Map.of(PARTITION, new OffsetAndMetadata(0)))
                        .all());
            }
            KafkaFuture.allOf(commits.toArray(KafkaFuture[]::new)).get();
        }
    }

    private HttpPage.Answer scrape() throws Exception {
        return HttpPage.get(http + "/metrics");
    }

    /** Their answers are larger than what the broker keeps for clients that do not read. */
    @Test
    void clientsThatReadNoAnswerKeepNoOtherAway() throws Exception {
        commitFromGroups("\u00e9".repeat(250));
        Awaitility.await().atMost(Clients.PATIENCE).until(() -> scrape().body().length() > 200_000);
        String request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";

        try (Sockets clients = new Sockets(URI.create(http).getPort()).open(CLIENTS)) {
            clients.writeAsFarAsTaken(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)), 10);
            for (int i = 0; i < 20; i++) {
                assertThat(HttpPage.get(http + "/livez").status()).isEqualTo(200);
                assertThat(HttpPage.get(http + "/readyz").status()).isEqualTo(200);
                assertThat(scrape().status()).isIn(200, 503);
            }
            produce();
        }

        Awaitility.await().atMost(Clients.PATIENCE).until(() -> scrape().status() == 200);
        assertThat(broker.failure()).isNull();
    }

    /** A group id may have 32,767 characters. */
    @Test
    void longIdsOfGroupsMakeNoLongAnswer() throws Exception {
        commitFromGroups("x".repeat(20_000));

        Awaitility.await()
                .atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(scrape().body())
                        .contains("kafka_consumergroup_lag{consumergroup=\"(other)\",topic=\"(other)\"} " + GROUPS)
                        .hasSizeLessThan(100_000));
        assertThat(HttpPage.get(http + "/metrics/detailed?group=x*.*").status()).isEqualTo(200);
    }

    @Test
    void anUnknownFamilyOfNamesIsRefused() throws Exception {
        for (String names : List.of("", "Strimzi", "%00", "%FF%FE", "a".repeat(3000), "%22%0A", "strimzi%20")) {
            HttpPage.Answer answer = HttpPage.get(http + "/metrics?names=" + names);
            assertThat(answer.status()).as(names).isEqualTo(400);
            assertThat(answer.body()).isEqualTo("names must be strimzi, confluent or reporter\n");
        }
    }

    @Test
    void aBrokerClosesWhileItIsScraped() throws Exception {
        commitFromGroups("group-");
        int threads = 4;
        CountDownLatch scraped = new CountDownLatch(3 * threads);
        List<String> strange = Collections.synchronizedList(new ArrayList<>());
        List<Thread> scraping = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String path = i % 2 == 0 ? "/metrics" : "/metrics/detailed?topic=.*&group=.*";
            scraping.add(new Thread(() -> scrapeToTheEnd(path, scraped, strange), "scrape-" + i));
        }
        scraping.forEach(Thread::start);
        scraped.await();

        broker.close();

        for (Thread each : scraping) {
            each.join();
        }
        assertThat(strange).isEmpty();
        assertThat(broker.failure()).isNull();
    }

    private void scrapeToTheEnd(String path, CountDownLatch scraped, List<String> strange) {
        try {
            while (true) {
                HttpPage.Answer answer = HttpPage.get(http + path);
                if (answer.status() != 200 && answer.status() != 503) {
                    strange.add(answer.toString());
                }
                scraped.countDown();
            }
        } catch (IOException e) {
            // The broker has closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
