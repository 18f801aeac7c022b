package io.rivulet.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.rivulet.broker.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The data behind the pages of the console, with names and values of clients that mean no good. */
final class ConsoleIT {
    private static final String SCRIPT = "</script><img src=x onerror=alert(1)>\"'\\\u202e";

    @AutoClose
    private final EmbeddedBroker broker = EmbeddedBroker.inMemoryOrTemp()
            .with("rivulet.http.listener", "localhost:0")
            .with("rivulet.console", "on")
            .with("message.max.bytes", String.valueOf(4 << 20))
            .topic("orders", 2)
            .topic("Orders.eu", 1)
            .topic("payments", 1)
            .start();

    private final ConsoleClient console = ConsoleClient.of(broker);

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", broker.bootstrapServers());
        all.put("max.request.size", 4 << 20);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private void produce(String topic, byte[]... values) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("linger.ms", 0))) {
            for (int i = 0; i < values.length; i++) {
                producer.send(new ProducerRecord<>(topic, 0, 1000L + i, bytes("k" + i), values[i]))
                        .get();
            }
        }
    }

    private static byte[][] numbered(int count) {
        byte[][] values = new byte[count][];
        for (int i = 0; i < count; i++) {
            values[i] = bytes("value " + i);
        }
        return values;
    }

    private static List<Long> offsets(JsonNode page) {
        List<Long> offsets = new ArrayList<>();
        page.get("rows").forEach(row -> offsets.add(row.get("offset").asLong()));
        return offsets;
    }

    private static List<String> texts(JsonNode page, String field) {
        List<String> texts = new ArrayList<>();
        page.get("rows").forEach(row -> texts.add(row.get(field).asString()));
        return texts;
    }

    // ---- the broker ----

    @Test
    void theStorageMapTellsWhereRecordsAre() throws Exception {
        produce("orders", numbered(3));

        JsonNode map = console.get("storage");

        assertThat(map.get("queues").asInt()).isEqualTo(4);
        assertThat(map.get("tailBytes").asLong())
                .isPositive()
                .isLessThan(map.get("tailMostBytes").asLong());
        assertThat(map.get("files")).isEmpty();
    }

    // ---- topics ----

    @Test
    void aPartOfANameFindsTopicsInAnyCase() throws Exception {
        JsonNode found = console.get("topics", "search", "ORDERS");

        assertThat(texts(found, "name")).containsExactly("Orders.eu", "orders");
        assertThat(found.get("count").asInt()).isEqualTo(2);
        assertThat(found.get("more").asBoolean()).isFalse();
    }

    @Test
    void pagesOfTopicsFollowOneAnother() throws Exception {
        List<String> all = new ArrayList<>();
        String after = "";
        boolean more = true;
        while (more) {
            JsonNode page = console.get("topics", "limit", 2, "after", after);
            all.addAll(texts(page, "name"));
            after = all.get(all.size() - 1);
            more = page.get("more").asBoolean();
        }
        assertThat(all).contains("orders", "Orders.eu", "payments").doesNotHaveDuplicates();
    }

    @Test
    void partitionsHaveTheirOffsets() throws Exception {
        produce("orders", numbered(3));

        JsonNode rows = console.get("partitions", "topic", "orders").get("rows");

        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).get("end").asLong()).isEqualTo(3);
        assertThat(rows.get(1).get("end").asLong()).isZero();
    }

    // ---- records ----

    @Test
    void theNewestRecordsComeFirstAndOlderOnesFollow() throws Exception {
        produce("orders", numbered(120));

        JsonNode first = console.get("messages", "topic", "orders", "order", "newest");
        JsonNode second = console.get(
                "messages",
                "topic",
                "orders",
                "order",
                "newest",
                "offset",
                first.get("next").asLong());
        JsonNode third = console.get(
                "messages",
                "topic",
                "orders",
                "order",
                "newest",
                "offset",
                second.get("next").asLong());

        List<Long> all = new ArrayList<>(offsets(first));
        all.addAll(offsets(second));
        all.addAll(offsets(third));
        List<Long> expected = new ArrayList<>();
        for (long offset = 0; offset < 120; offset++) {
            expected.add(offset);
        }
        Collections.reverse(expected);
        assertThat(all).isEqualTo(expected);
        assertThat(first.get("done").asBoolean()).isFalse();
        assertThat(third.get("done").asBoolean()).isTrue();
    }

    @Test
    void recordsAreFoundByOffsetTimeAndContent() throws Exception {
        produce("orders", numbered(30));

        assertThat(offsets(console.get("messages", "topic", "orders", "offset", 28)))
                .containsExactly(28L, 29L);
        assertThat(offsets(console.get("messages", "topic", "orders", "time", 1027)))
                .containsExactly(27L, 28L, 29L);
        assertThat(offsets(console.get("messages", "topic", "orders", "time", 9000)))
                .isEmpty();
        assertThat(offsets(console.get("messages", "topic", "orders", "contains", "value 7")))
                .containsExactly(7L);
        assertThat(offsets(console.get("messages", "topic", "orders", "contains", "k29", "in", "k")))
                .containsExactly(29L);
        assertThat(offsets(console.get("messages", "topic", "orders", "contains", "k29", "in", "v")))
                .isEmpty();
    }

    @Test
    void recordsOfAllCompressionsAndInBatchesAreShown() throws Exception {
        for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
            try (KafkaProducer<byte[], byte[]> producer =
                    producer(Map.of("compression.type", codec, "linger.ms", 1000))) {
                for (int i = 0; i < 5; i++) {
                    var unused = producer.send(new ProducerRecord<>("payments", null, bytes(codec + i)));
                }
            }
        }
        JsonNode page = console.get("messages", "topic", "payments");

        assertThat(page.get("rows")).hasSize(25);
        assertThat(page.get("rows").get(24).get("value").get("text").asString()).isEqualTo("zstd4");
        assertThat(page.get("rows").get(0).get("key").isNull()).isTrue();
    }

    @Test
    void hostileBytesArriveAsTheyAre() throws Exception {
        byte[] notText = {(byte) 0xff, 0, (byte) 0xc3, 0x28, 10};
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("orders", 0, bytes(SCRIPT), notText);
            record.headers().add(SCRIPT, bytes(SCRIPT)).add("none", null).add("raw", notText);
            producer.send(record).get();
        }
        String text = console.ask("messages", "topic", "orders").body();
        JsonNode row = ConsoleClient.json(text).get("rows").get(0);

        assertThat(row.get("key").get("text").asString()).isEqualTo(SCRIPT);
        assertThat(Base64.getDecoder().decode(row.get("value").get("base64").asString()))
                .isEqualTo(notText);
        assertThat(row.get("headers").get(0).get("key").get("text").asString()).isEqualTo(SCRIPT);
        assertThat(row.get("headers").get(1).get("value").isNull()).isTrue();
        assertThat(row.get("headers").get(2).get("value").get("size").asInt()).isEqualTo(notText.length);
    }

    @Test
    void aLargeValueIsCutInAListAndWholeAlone() throws Exception {
        byte[] large = bytes("äx".repeat(300_000)); // 900,000 bytes
        produce("orders", large, new byte[3 << 20]);

        JsonNode rows = console.get("messages", "topic", "orders").get("rows");
        JsonNode alone = console.get("message", "topic", "orders", "offset", 0).get("value");
        JsonNode huge = console.get("message", "topic", "orders", "offset", 1).get("value");

        assertThat(rows.get(0).get("value").get("cut").asBoolean()).isTrue();
        assertThat(rows.get(0).get("value").get("size").asInt()).isEqualTo(large.length);
        assertThat(rows.get(0).get("value").get("text").asString()).hasSizeLessThan(2100);
        assertThat(bytes(alone.get("text").asString())).isEqualTo(large);
        assertThat(huge.get("cut").asBoolean()).isTrue();
        assertThat(huge.get("size").asInt()).isEqualTo(3 << 20);
    }

    @Test
    void aDownloadHasOneRecordInEachLine() throws Exception {
        produce("orders", bytes("a\nb"), bytes("\u2028"), bytes("c"));

        List<String> lines = console.ask("download", "topic", "orders", "offset", 1)
                .body()
                .lines()
                .toList();

        assertThat(lines).hasSize(2);
        assertThat(lines.stream()
                        .map(line -> ConsoleClient.json(line).get("offset").asLong()))
                .containsExactly(1L, 2L);
    }

    @Test
    void newRecordsArriveInATail() throws Exception {
        produce("orders", bytes("old"));
        URI address = URI.create(console.address());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout((int) Clients.PATIENCE.toMillis());
            socket.getOutputStream()
                    .write(bytes(
                            "GET /console/api/tail?topic=orders&contains=new HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            String line = in.readLine();
            assertThat(line).isEqualTo("HTTP/1.1 200 OK");
            while (!line.equals(":")) { // the first comment: it has begun
                line = in.readLine();
            }
            produce("orders", bytes("other"), bytes("new one"));
            while (!line.startsWith("data: ") || !line.contains("new one")) {
                line = in.readLine();
            }
            assertThat(ConsoleClient.json(line.substring("data: ".length())).get("rows"))
                    .hasSize(1);
        }
    }

    // ---- groups, transactions, clients ----

    @Test
    void aGroupHasItsMembersAndItsLag() throws Exception {
        produce("orders", numbered(10));
        TopicPartition partition = new TopicPartition("orders", 0);
        Map<String, Object> settings = Map.of("group.id", SCRIPT, "client.id", "<b>app</b>");
        try (KafkaConsumer<String, String> consumer = Clients.consumer(broker.bootstrapServers(), settings)) {
            consumer.subscribe(List.of("orders"));
            while (consumer.assignment().isEmpty()) {
                consumer.poll(Duration.ofMillis(50));
            }
            consumer.commitSync(Map.of(partition, new OffsetAndMetadata(4, SCRIPT)));

            assertThat(texts(console.get("groups", "search", "ONERROR"), "id")).containsExactly(SCRIPT);
            JsonNode member = console.get("group", "id", SCRIPT).get("members").get(0);
            assertThat(member.get("client").asString()).isEqualTo("<b>app</b>");
            assertThat(member.get("assigned").get(0).get("topic").asString()).isEqualTo("orders");
            assertThat(member.get("assigned").get(0).get("partitions").asInt()).isEqualTo(2);
            JsonNode offsets = console.get("group-offsets", "id", SCRIPT);
            assertThat(offsets.get("rows").get(0).get("ageMillis").asLong())
                    .isCloseTo(System.currentTimeMillis() - 1004, within(Clients.PATIENCE.toMillis()));
            assertThat(offsets.get("lag").asInt()).isEqualTo(6);
            assertThat(offsets.get("rows").get(0).get("offset").asInt()).isEqualTo(4);
        }
    }

    @Test
    void openTransactionsAndTheirProducersAreListed() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", SCRIPT))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("orders", 0, null, bytes("x"))).get();

            JsonNode rows = console.get("transactions", "open", "true").get("rows");
            assertThat(rows).hasSize(1);
            assertThat(rows.get(0).get("id").asString()).isEqualTo(SCRIPT);
            assertThat(rows.get(0).get("topics").get(0).get("topic").asString()).isEqualTo("orders");
            JsonNode producers = console.get("producers", "topic", "orders").get("rows");
            assertThat(producers.get(0).get("id").asLong())
                    .isEqualTo(rows.get(0).get("producer").asLong());
            assertThat(producers.get(0).get("transactionStart").asLong()).isZero();
            producer.abortTransaction();
            assertThat(console.get("transactions", "open", "true").get("rows")).isEmpty();
        }
    }

    @Test
    void connectionsNameTheirClientsAndLibraries() throws Exception {
        try (KafkaConsumer<String, String> consumer =
                Clients.consumer(broker.bootstrapServers(), Map.of("client.id", SCRIPT))) {
            assertThat(consumer.listTopics()).containsKey("orders");

            JsonNode rows = console.get("connections", "search", "onerror").get("rows");
            assertThat(rows).isNotEmpty();
            assertThat(rows.get(0).get("id").asString()).isEqualTo(SCRIPT);
            assertThat(rows.get(0).get("software").asString()).isEqualTo("apache-kafka-java");
            assertThat(rows.get(0).get("listener").asString()).isEqualTo("PLAINTEXT");
        }
    }

    // ---- the broker ----

    @Test
    void theOverviewHasRatesFromItsFirstVisitOn() throws Exception {
        assertThat(console.get("broker").get("token").isNull()).isTrue();
        assertThat(console.get("history").get("time")).isNotEmpty();
        assertThat(console.get("settings").get("settings").size()).isGreaterThan(100);
    }

    // ---- what can be asked ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "messages?topic=orders&partition=-1",
                "messages?topic=orders&partition=99999999999999999999",
                "messages?topic=orders&offset=x",
                "messages?topic=orders&time=1e3",
                "messages?topic=",
                "topics?limit=0",
                "topics?limit=101",
                "partitions?topic=orders&from=-1",
                "history?from=-1",
                "group",
                "producers?partition=0"
            })
    void parametersThatAreNoneAreRefused(String query) throws Exception {
        assertThat(HttpPage.get(console.address() + query).status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "messages?topic=none, 404",
        "messages?topic=orders&partition=2, 404",
        "message?topic=orders&offset=0, 404",
        "messages?topic=%3Cscript%3E, 404",
        "messages?topic=%00, 404",
        "messages?topic=%FF%FE, 404",
        "topic?name=../../orders, 404",
        "tail?topic=none, 404",
        "tail?topic=orders&partition=2, 404",
        "group?id=none, 404",
        "producers?topic=orders&partition=9, 404",
        "none, 404",
        "topics/../broker, 404",
        "topics%00, 404",
        "produce, 405",
        "messages?topic=orders&partition=0&partition=x, 200",
        "topics?search=%00&after=%FF, 200",
        "groups?search=%3Cscript%3E&after=%00, 200",
        "group-offsets?id=none, 200"
    })
    void whatIsNotThereIsSaidSo(String query, int status) throws Exception {
        HttpPage.Answer answer = HttpPage.get(console.address() + query);

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(HttpPage.get(broker.httpAddress() + "/livez").status()).isEqualTo(200);
    }
}
