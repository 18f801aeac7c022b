package io.rivulet.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rivulet.broker.EmbeddedBroker;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The console as a person uses it, in a browser. No page may leave a complaint in the browser's log. */
@Tag("browser")
@Tag("clients")
final class ConsoleBrowserIT {
    private static final String HOSTILE =
            "</script><script>hacked=1</script><img src=x onerror=hacked=1>\u202e\u0007\"'";
    /** With this property, the pictures in the documents are made anew. */
    private static final boolean PICTURES = Boolean.getBoolean("rivulet.pictures");

    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    /** The records are younger than the retention time that a test sets. */
    private static final long BEGIN = System.currentTimeMillis() / HOUR * HOUR - 2 * HOUR;

    @TempDir(cleanup = CleanupMode.NEVER) // the browser still writes there when it ends
    private static Path profile;

    @AutoClose
    private static EmbeddedBroker broker;

    @AutoClose
    private static Browser browser;

    @AutoClose
    private static Admin admin;

    @AutoClose
    private static KafkaProducer<byte[], byte[]> producer;

    @BeforeAll
    static void start() throws Exception {
        browser = Browser.start(profile);
        broker = EmbeddedBroker.inMemoryOrTemp()
                .with("rivulet.http.listener", "localhost:0")
                .with("rivulet.console", "on")
                .with("rivulet.console.writes", "true")
                .with("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .with("super.users", "User:ANONYMOUS")
                .with("rivulet.tail.bytes", String.valueOf(16 << 20))
                .topic("orders", 3)
                .topic("payments.eu", 1)
                .start();
        admin = Clients.admin(broker.bootstrapServers());
        List<NewTopic> devices = new ArrayList<>();
        IntStream.range(0, 500)
                .forEach(i -> devices.add(new NewTopic("device-%04d.events".formatted(i), 1, (short) 1)));
        admin.createTopics(devices).all().get();
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "max.request.size", 4 << 20, "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        for (int i = 0; i < 60; i++) {
            String value = "{\"order\":%d,\"customer\":\"c-%03d\",\"cents\":%d}".formatted(i, i % 7, 995 + 131 * i);
            producer.send(new ProducerRecord<>("orders", 0, BEGIN + MINUTE * i, bytes("c-" + i % 7), bytes(value)))
                    .get();
        }
        byte[] image = new byte[20_000];
        for (int i = 0; i < 1000; i++) { // more than the tail holds, so that there are block files
            var unused = producer.send(new ProducerRecord<>("device-%04d.events".formatted(350 + i % 150), image));
        }
        producer.flush();
        limitAndAllow();
        admin.alterConsumerGroupOffsets("billing", Map.of(new TopicPartition("orders", 0), new OffsetAndMetadata(42)))
                .all()
                .get();
    }

    private static void limitAndAllow() throws Exception {
        admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                        "alice", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), "secret")))
                .all()
                .get();
        admin.createAcls(List.of(new AclBinding(
                        new ResourcePattern(ResourceType.TOPIC, "orders-", PatternType.PREFIXED),
                        new AccessControlEntry("User:alice", "*", AclOperation.READ, AclPermissionType.ALLOW))))
                .all()
                .get();
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, "alice")),
                        List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1048576.0)))))
                .all()
                .get();
    }

    @BeforeEach
    void asAtFirst() {
        browser.window(1200, 800);
        browser.scheme("light");
        assertThat(browser.complaints()).isEmpty();
    }

    @AfterEach
    void nothingIsComplainedOf() {
        assertThat(browser.complaints()).isEmpty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private void open(String page) {
        browser.open(broker.httpAddress() + "/console/#/" + page);
    }

    @Test
    void aTopicIsFoundWhileItsNameIsTyped() {
        open("topics");
        browser.waitForText("50"); // the number of topics
        browser.find("input[type=search]").sendKeys("E-0317");
        browser.waitForText("1 of 50");
        assertThat(browser.address()).endsWith("#/topics?search=E-0317");

        browser.find("td.name a").sendKeys(Keys.ENTER);
        browser.waitForText("No records here.");
        assertThat(browser.find("h1").getText()).isEqualTo("device-0317.events");
    }

    @Test
    void recordsAreBrowsedByTime() {
        open("topics/orders/messages?from=time&time=" + (BEGIN + MINUTE * 57));
        browser.waitForText("No more records.");
        assertThat(browser.run("return document.querySelectorAll('tr.record').length"))
                .isEqualTo(3L);

        browser.find("button[aria-label='record 58']").click();
        browser.waitForText("\"customer\": \"c-002\"");
        browser.button("hex").click();
        browser.waitForText("63 2d 32");
    }

    @Test
    void recordsAreSearchedFromTheForm() {
        open("topics/orders");
        browser.waitForText("Offsets 0 to");
        browser.type("input[name=contains]", "\"order\":17,");
        browser.button("Show").click();
        browser.waitForText("1 shown");
        assertThat(browser.address()).contains("contains=%22order%22%3A17%2C");
    }

    @Test
    void newRecordsAppearInTheTail() throws Exception {
        open("topics/payments.eu/live");
        browser.waitForText("Live:");
        await().atMost(Clients.PATIENCE).until(() -> {
            producer.send(new ProducerRecord<>("payments.eu", bytes("just paid")))
                    .get();
            return String.valueOf(browser.run("return document.body.innerText")).contains("just paid");
        });
    }

    @Test
    void aRecordIsProducedAndCopied() {
        open("topics/device-0001.events/produce");
        browser.type("textarea[name=value]", "by hand");
        browser.type("textarea[name=headers]", "source: console");
        browser.button("Produce").click();
        browser.waitForText("Stored at offset 0 of partition 0");
        browser.find("p[role=status] a").click();

        browser.find("button[aria-label='record 0']").click();
        browser.waitForText("source");
        browser.type("input[name=to]", "device-0002.events");
        browser.button("Copy").click();
        browser.waitForText("Stored at offset 0 of partition 0");
        open("topics/device-0002.events");
        browser.waitForText("by hand");
    }

    @Test
    void anOffsetOfAGroupIsReset() throws Exception {
        TopicPartition orders = new TopicPartition("orders", 0);
        admin.alterConsumerGroupOffsets("resettable", Map.of(orders, new OffsetAndMetadata(50)))
                .all()
                .get();
        open("groups?search=resett");
        browser.find("td.name a").click();
        browser.find("button[aria-label='Set the offset of orders partition 0']")
                .click();
        browser.button("First").click();
        browser.button("Set").click();
        await().atMost(Clients.PATIENCE)
                .until(() -> admin.listConsumerGroupOffsets("resettable")
                                .partitionsToOffsetAndMetadata()
                                .get()
                                .get(orders)
                                .offset()
                        == 0);

        browser.button("Delete the group").click();
        browser.button("Delete the group and its offsets").click();
        browser.waitForText("is deleted");
    }

    @Test
    void aSettingOfATopicIsChanged() throws Exception {
        open("topics/orders/settings");
        browser.find("button[aria-label='Change retention.ms']").click();
        browser.type("input[aria-label='retention.ms']", "86400001");
        browser.button("Save").click();
        browser.waitForText("86400001");
        ConfigResource orders = new ConfigResource(ConfigResource.Type.TOPIC, "orders");
        assertThat(admin.describeConfigs(List.of(orders))
                        .all()
                        .get()
                        .get(orders)
                        .get("retention.ms")
                        .value())
                .isEqualTo("86400001");
    }

    @Test
    void namesAndValuesOfClientsDoNothing() throws Exception {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>("device-0003.events", 0, bytes(HOSTILE), bytes(HOSTILE));
        record.headers().add(HOSTILE, bytes(HOSTILE));
        producer.send(record).get();
        producer.send(new ProducerRecord<>("device-0003.events", 0, new byte[] {0, -1, -64}, new byte[1_000_000]))
                .get();
        producer.send(new ProducerRecord<>("device-0003.events", 0, null, bytes("<b>x".repeat(250_000))))
                .get();
        admin.alterConsumerGroupOffsets(
                        HOSTILE, Map.of(new TopicPartition("orders", 0), new OffsetAndMetadata(1, HOSTILE)))
                .all()
                .get();
        try (KafkaConsumer<String, String> consumer =
                        Clients.consumer(broker.bootstrapServers(), Map.of("client.id", HOSTILE));
                KafkaProducer<String, String> transactions =
                        Clients.producer(broker.bootstrapServers(), Map.of("transactional.id", HOSTILE))) {
            transactions.initTransactions();
            assertThat(consumer.listTopics()).isNotEmpty();
            open("topics/device-0003.events/messages?from=oldest");
            browser.waitForText("No more records.");
            for (int offset = 0; offset < 3; offset++) {
                browser.find("button[aria-label='record " + offset + "']").click();
            }
            browser.waitForText("\\u202e");
            browser.waitForText("<b>x<b>x");
            assertUnharmed();
            for (String page : List.of(
                    "groups",
                    "groups/" + encoded(HOSTILE),
                    "connections",
                    "transactions",
                    "topics?search=" + encoded(HOSTILE))) {
                open(page);
                browser.find("h1");
                browser.waitForText("hacked");
                assertUnharmed();
            }
        }
    }

    private static void assertUnharmed() {
        assertThat(browser.run("return typeof hacked")).isEqualTo("undefined");
        assertThat(browser.run("return document.querySelectorAll('img, main script, main b').length"))
                .isEqualTo(0L);
    }

    @ParameterizedTest
    @CsvSource({
        "overview, '', Fsyncs of the log",
        "topics, topics, device-0003",
        "messages, topics/orders/messages, No more records|Go on",
        "live, topics/orders/live, Live:",
        "produce, topics/orders/produce, no value",
        "partitions, topics/orders/partitions, First offset",
        "topic-settings, topics/orders/settings, retention.ms",
        "groups, groups, billing",
        "group, groups/billing, Lag in all",
        "transactions, transactions, ransactional id",
        "connections, connections, Libraries",
        "storage, storage, blocks",
        "access, access, producer_byte_rate",
        "settings, settings, rivulet.console"
    })
    void eachPageIsReadableLightDarkAndNarrow(String name, String page, String text) throws Exception {
        for (String scheme : List.of("light", "dark")) {
            browser.scheme(scheme);
            browser.window(1200, 800);
            open(page);
            browser.waitForAnyText(List.of(text.split("\\|")));
            assertThat(browser.run(contrast()))
                    .as("contrast on %s, %s", page, scheme)
                    .isEqualTo("");
            if (PICTURES) {
                browser.screenshot(Path.of("..", "docs", "images", "console", name + "-" + scheme + ".png"));
            }
        }
        browser.window(360, 700);
        await().atMost(Clients.PATIENCE)
                .untilAsserted(() -> assertThat(browser.run("return document.documentElement.scrollWidth"))
                        .as("width of %s", page)
                        .isEqualTo(browser.run("return innerWidth")));
    }

    private static String contrast() throws Exception {
        try (InputStream script = Objects.requireNonNull(ConsoleBrowserIT.class.getResourceAsStream("/contrast.js"))) {
            return new String(script.readAllBytes(), UTF_8);
        }
    }
}
