package io.rivulet.broker.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.lag.Lags;
import io.rivulet.broker.lag.TestLags;
import io.rivulet.broker.topic.Topic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.topic.Topics;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Uuid;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import io.rivulet.store.failure.FailureLatch;
import io.rivulet.store.open.Attachments;
import io.rivulet.store.open.LocalStore;
import io.rivulet.store.open.StoreEnvironment;
import io.rivulet.store.time.StoreClock;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The text of all metrics, and the table of their names. */
final class MetricsTextTest {
    private static final int MAX_TOPICS = 1000;
    private static final int LINT_COMPLAINS = 3;

    /** What Strimzi's dashboard and alerts need of a broker, with the type that its rules give and a label. */
    private static final List<String> STRIMZI = List.of(
            "kafka_server_brokertopicmetrics_bytesin_total counter topic",
            "kafka_server_brokertopicmetrics_bytesout_total counter topic",
            "kafka_server_brokertopicmetrics_messagesin_total counter topic",
            "kafka_server_brokertopicmetrics_totalproducerequests_total counter topic",
            "kafka_server_brokertopicmetrics_totalfetchrequests_total counter topic",
            "kafka_server_brokertopicmetrics_failedproducerequests_total counter topic",
            "kafka_server_brokertopicmetrics_failedfetchrequests_total counter topic",
            "kafka_server_replicamanager_leadercount gauge",
            "kafka_server_replicamanager_partitioncount gauge",
            "kafka_server_replicamanager_underreplicatedpartitions gauge",
            "kafka_server_replicamanager_underminisrpartitioncount gauge",
            "kafka_controller_kafkacontroller_activecontrollercount gauge",
            "kafka_controller_kafkacontroller_offlinepartitionscount gauge",
            "kafka_controller_controllerstats_uncleanleaderelections_total counter",
            "kafka_cluster_partition_replicascount gauge topic",
            "kafka_cluster_partition_atminisr gauge topic",
            "kafka_cluster_partition_underminisr gauge topic",
            "kafka_log_log_size gauge topic",
            "kafka_log_logmanager_offlinelogdirectorycount gauge",
            "kafka_network_socketserver_networkprocessoravgidle_percent gauge",
            "kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent gauge",
            "kafka_server_kafkaserver_linux_disk_read_bytes gauge",
            "kafka_server_kafkaserver_linux_disk_write_bytes gauge",
            "kafka_server_socket_server_metrics_connection_count untyped listener",
            "jvm_gc_collection_seconds summary gc",
            "jvm_memory_used_bytes gauge area",
            "jvm_threads_current gauge",
            "process_open_fds gauge");

    private static final ShareFacts SHARES = new ShareFacts(
            new ShareFacts.Groups(2, 3),
            4,
            5,
            6,
            new ShareFacts.Memory(7, 8),
            new ShareFacts.Acknowledged(9, 10, 11, 12),
            13,
            14,
            15,
            new ShareFacts.DeadLetters(16, 17, 18));

    @TempDir
    private Path directory;

    private final TopicCatalogue catalogue =
            new TopicCatalogue(BrokerConfig.of(Map.of()).topicDefaults());
    private final TopicTraffic traffic = new TopicTraffic(MAX_TOPICS);
    private final AtomicLong nanos = new AtomicLong();
    private final RequestTimes requests = new RequestTimes(nanos::get);
    private Lags lags = Lags.NONE;
    private Store store;

    @BeforeEach
    void open() throws IOException {
        BrokerConfig config = BrokerConfig.of(Map.of("log.dirs", directory.toString()));
        store = LocalStore.open(
                config.store(),
                StoreEnvironment.local(directory, StoreClock.system(0), new FailureLatch()),
                Attachments.of(List.of()));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private static final class OneListener implements ServerFacts {
        @Override
        public List<Connections> connections() {
            return List.of(new Connections("PLAINTEXT", 3, 7));
        }

        @Override
        public Map<String, Instant> certificateEnds() {
            return Map.of("SSL", Instant.ofEpochSecond(1_900_000_000));
        }

        @Override
        public List<Waits> waits() {
            return List.of(new Waits("producer_byte_rate", 3, 1500));
        }

        @Override
        public List<Long> eventLoopThreads() {
            return List.of(Thread.currentThread().getId());
        }
    }

    private Topic topic(int number) {
        Uuid id = Topics.create(catalogue, "topic-" + number, number, number, 1);
        return Objects.requireNonNull(catalogue.find(id));
    }

    /** The store, with every queue that a test may think of. */
    private Store withAllQueues() {
        return (Store) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("exists")) {
                        return true;
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private MetricsText text() {
        return new MetricsText(new MetricSources(
                withAllQueues(), catalogue, directory, traffic, requests, () -> lags, () -> SHARES, new OneListener()));
    }

    private static String scrape(MetricsText text, NameFamily family) {
        ByteBuf out = Unpooled.buffer();
        text.write(family, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private void call(ApiKey key, long millis) {
        long started = requests.now();
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        requests.ended(key, started);
    }

    private void someTraffic() {
        lags = TestLags.of("app", "topic-1", 7, System.currentTimeMillis() - 60_000);
        traffic.produced(topic(1), 5, 500, 2, 1);
        traffic.fetched(topic(2), 700, 1, 0);
        call(ApiKey.PRODUCE, 3);
        call(ApiKey.PRODUCE, 30);
        call(ApiKey.FETCH, 500);
        call(ApiKey.METADATA, 1);
        requests.failed(ApiKey.METADATA, (short) 3);
    }

    @ParameterizedTest
    @EnumSource
    void eachMetricHasItsNameTypeAndLabelsInEachFamily(NameFamily family) {
        someTraffic();

        ParsedText parsed = new ParsedText(scrape(text(), family));

        for (Metric metric : Metric.values()) {
            assertThat(parsed.types())
                    .containsEntry(metric.name(family), metric.type().text());
            for (String label : metric.labels()) {
                assertThat(parsed.samples().keySet())
                        .as(metric.name(family) + " with " + label)
                        .anyMatch(key -> key.startsWith(metric.name(family)) && key.contains(label + "="));
            }
        }
        for (StoreMetric metric : StoreMetric.values()) {
            assertThat(parsed.samples()).containsKey(StoreSeries.name(metric));
        }
        assertThat(parsed.types()).hasSize(Metric.values().length + StoreMetric.values().length);
    }

    @Test
    void whatStrimzisDashboardAndAlertsNeedIsThere() {
        someTraffic();
        ParsedText parsed = new ParsedText(scrape(text(), NameFamily.STRIMZI));

        assertThat(STRIMZI).allSatisfy(line -> {
            String[] parts = line.split(" ", -1);
            assertThat(parsed.types()).containsEntry(parts[0], parts[1]);
            String label = parts.length == 2 ? "" : parts[2] + "=";
            assertThat(parsed.samples().keySet()).anyMatch(key -> key.startsWith(parts[0]) && key.contains(label));
        });
        assertThat(parsed.samples().keySet())
                .anyMatch(key -> key.startsWith("jvm_gc_collection_seconds_sum["))
                .anyMatch(key -> key.startsWith("jvm_gc_collection_seconds_count["));
    }

    @Test
    void valuesAreWhatWasCounted() {
        someTraffic();
        ParsedText parsed = new ParsedText(scrape(text(), NameFamily.STRIMZI));

        String messages = "kafka_server_brokertopicmetrics_messagesin_total";
        assertThat(parsed.value(messages)).isEqualTo(5);
        assertThat(parsed.value(messages, "topic=topic-1")).isEqualTo(5);
        assertThat(parsed.value(messages, "topic=topic-2")).isZero();
        assertThat(parsed.value(messages, "topic=(other)")).isZero();
        assertThat(parsed.value("kafka_server_brokertopicmetrics_bytesout_total", "topic=topic-2"))
                .isEqualTo(700);
        assertThat(parsed.value("kafka_consumergroup_lag", "consumergroup=app", "topic=topic-1"))
                .isEqualTo(7);
        assertThat(parsed.value("kafka_consumergroup_current_offset", "consumergroup=app", "topic=topic-1"))
                .isEqualTo(100);
        assertThat(parsed.value("rivulet_consumergroup_lag_seconds", "consumergroup=app", "topic=topic-1"))
                .isBetween(60.0, 600.0);
        assertThat(parsed.value("kafka_network_requestmetrics_requests_total", "request=Produce"))
                .isEqualTo(2);
        assertThat(parsed.value("kafka_network_requestmetrics_requests_total", "request=FetchConsumer"))
                .isEqualTo(1);
        assertThat(parsed.value(
                        "kafka_network_requestmetrics_errors_total",
                        "error=UNKNOWN_TOPIC_OR_PARTITION",
                        "request=Metadata"))
                .isEqualTo(1);
        assertThat(parsed.value("kafka_network_requestmetrics_totaltimems", "quantile=0.99", "request=Produce"))
                .isBetween(30.0, 33.8);
        assertThat(parsed.value("kafka_network_requestmetrics_totaltimems_sum", "request=Produce"))
                .isEqualTo(33);
        assertThat(parsed.value("rivulet_request_seconds_bucket", "le=0.005", "request=Produce"))
                .isEqualTo(1);
        assertThat(parsed.value("rivulet_request_seconds_bucket", "le=+Inf", "request=Produce"))
                .isEqualTo(2);
        assertThat(parsed.value("rivulet_request_seconds_sum", "request=Fetch")).isEqualTo(0.5);
        assertThat(parsed.value("kafka_server_socket_server_metrics_connection_count", "listener=PLAINTEXT"))
                .isEqualTo(3);
        assertThat(parsed.value("rivulet_log_force_seconds_total")).isBetween(0.0, 60.0);
    }

    @Test
    void shareGroupsHaveTheNamesOfKafka() {
        ParsedText parsed = new ParsedText(scrape(text(), NameFamily.STRIMZI));

        String groups = "kafka_server_group_coordinator_metrics_share_group_count";
        assertThat(parsed.value(groups, "state=Empty")).isEqualTo(2);
        assertThat(parsed.value(groups, "state=Stable")).isEqualTo(3);
        assertThat(parsed.value("kafka_server_sharesessioncache_sharesessionscount"))
                .isEqualTo(4);
        assertThat(parsed.value("rivulet_share_partitions")).isEqualTo(5);
        assertThat(parsed.value("rivulet_share_acquired_ranges")).isEqualTo(6);
        assertThat(parsed.value("rivulet_share_bytes")).isEqualTo(7);
        assertThat(parsed.value("rivulet_share_bytes_limit")).isEqualTo(8);
        String acknowledged = "kafka_server_sharegroupmetrics_recordacknowledgements_total";
        assertThat(parsed.value(acknowledged, "acktype=Accept")).isEqualTo(9);
        assertThat(parsed.value(acknowledged, "acktype=Release")).isEqualTo(10);
        assertThat(parsed.value(acknowledged, "acktype=Reject")).isEqualTo(11);
        assertThat(parsed.value(acknowledged, "acktype=Renew")).isEqualTo(12);
        assertThat(parsed.value("rivulet_share_acquired_records_total")).isEqualTo(13);
        assertThat(parsed.value("kafka_server_sharepartitionmetrics_acquisitionlocktimeout_total"))
                .isEqualTo(14);
        assertThat(parsed.value("rivulet_share_exhausted_records_total")).isEqualTo(15);
        assertThat(parsed.value("kafka_server_sharegroupmetrics_deadletterqueuerecordcount_total"))
                .isEqualTo(16);
        assertThat(parsed.value("kafka_server_sharegroupmetrics_deadletterqueuetotalproducerequests_total"))
                .isEqualTo(17);
        assertThat(parsed.value("kafka_server_sharegroupmetrics_deadletterqueuefailedproducerequests_total"))
                .isEqualTo(18);
    }

    @Test
    void aHostileNameIsEscaped() {
        ByteBuf out = Unpooled.buffer();
        TextWriter text = new TextWriter(NameFamily.STRIMZI, out);
        text.head("some_metric", Metric.Type.GAUGE, "back\\slash,\nnew line")
                .sample(1, "label", "q\" b\\ n\n\u00e4 \ud800");

        String written = out.toString(StandardCharsets.UTF_8);

        assertThat(written.lines())
                .containsExactly(
                        "# HELP some_metric back\\\\slash,\\nnew line",
                        "# TYPE some_metric gauge",
                        "some_metric{label=\"q\\\" b\\\\ n\\n\u00e4 ?\"} 1");
        assertThat(new ParsedText(written).samples()).hasSize(1);
    }

    @Test
    void aFamilyIsFoundByItsName() {
        assertThat(NameFamily.find("confluent")).isEqualTo(NameFamily.CONFLUENT);
        assertThat(NameFamily.find("reporter")).isEqualTo(NameFamily.REPORTER);
        assertThat(NameFamily.find("Strimzi")).isNull();
    }

    /** Topics with traffic cost the same as those with series of their own, and no more. */
    @Test
    void aMillionTopicsWithTrafficMakeABoundedText() {
        MetricsText text = text();
        for (int number = 0; number < 1_000_000; number++) {
            traffic.produced(topic(number), 1, 100, 1, 0);
        }

        String written = scrape(text, NameFamily.STRIMZI);

        assertThat(written.length()).isLessThan(2_000_000);
        ParsedText parsed = new ParsedText(written);
        String messages = "kafka_server_brokertopicmetrics_messagesin_total";
        assertThat(parsed.value(messages)).isEqualTo(1_000_000);
        assertThat(parsed.value(messages, "topic=(other)")).isEqualTo(1_000_000 - MAX_TOPICS);
        assertThat(parsed.value("rivulet_metrics_topics")).isEqualTo(MAX_TOPICS);
        assertThat(parsed.value("kafka_controller_kafkacontroller_globaltopiccount"))
                .isEqualTo(1_000_000);
    }

    /** Debian's prometheus has promtool. CI installs it. A group id may be any text. */
    @ParameterizedTest
    @EnumSource
    void promtoolHasNoComplaint(NameFamily family) throws Exception {
        boolean installed = Files.isExecutable(Path.of("/usr/bin/promtool"));
        if (System.getenv("CI") == null) {
            assumeThat(installed).isTrue();
        }
        someTraffic();
        lags = TestLags.of("a\"b\\c\nd\re\0f\u2028g\ud83d\ude00{topic=\"x\"} 1", "topic-1", 7, 1000);
        Path file = directory.resolve("metrics.txt");
        Files.writeString(file, scrape(text(), family));

        Process promtool = new ProcessBuilder("/usr/bin/promtool", "check", "metrics")
                .redirectInput(file.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // The other families have the names that their dashboards want.
        assertThat(said.lines()).allMatch(line -> family != NameFamily.STRIMZI && line.endsWith("\"_total\" suffix"));
        assertThat(promtool.waitFor()).isEqualTo(said.isEmpty() ? 0 : LINT_COMPLAINS);
    }
}
