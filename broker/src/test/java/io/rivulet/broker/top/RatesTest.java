package io.rivulet.broker.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.rivulet.broker.top.Frame.GroupRow;
import io.rivulet.broker.top.Frame.TopicRow;
import io.rivulet.broker.top.Rates.Sort;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RatesTest {
    private static final String TOPIC = "kafka_server_brokertopicmetrics_";

    private static Reading reading(int second, String... lines) {
        Reading reading = new Reading(TimeUnit.SECONDS.toNanos(second));
        List.of(lines).forEach(reading::add);
        return reading;
    }

    private static String messages(String topic, int count) {
        return TOPIC + "messagesin_total{topic=\"" + topic + "\"} " + count;
    }

    private static String bytesIn(String topic, int count) {
        return TOPIC + "bytesin_total{topic=\"" + topic + "\"} " + count;
    }

    private static String bytesOut(String topic, int count) {
        return TOPIC + "bytesout_total{topic=\"" + topic + "\"} " + count;
    }

    @Test
    void ratesAreDifferencesBySecond() {
        Reading before = reading(
                10,
                TOPIC + "messagesin_total 100",
                TOPIC + "bytesin_total 1000",
                "kafka_network_requestmetrics_requests_total{request=\"Produce\"} 5",
                "kafka_network_requestmetrics_requests_total{request=\"Fetch\"} 5",
                "kafka_network_requestmetrics_requests_total{request=\"FetchConsumer\"} 5",
                "rivulet_log_forces_total 4",
                "rivulet_log_force_seconds_total 1",
                "rivulet_cache_tail_hits_total 10",
                "rivulet_cache_tail_misses_total 0");
        Reading now = reading(
                12,
                TOPIC + "messagesin_total 300",
                TOPIC + "bytesin_total 1000",
                "kafka_network_requestmetrics_requests_total{request=\"Produce\"} 15",
                "kafka_network_requestmetrics_requests_total{request=\"Fetch\"} 25",
                "kafka_network_requestmetrics_requests_total{request=\"FetchConsumer\"} 25",
                "kafka_network_requestmetrics_totaltimems{request=\"Produce\",quantile=\"0.99\"} 7",
                "rivulet_log_forces_total 14",
                "rivulet_log_force_seconds_total 1.5",
                "rivulet_cache_tail_hits_total 13",
                "rivulet_cache_scan_hits_total 0",
                "rivulet_cache_tail_misses_total 1",
                "rivulet_tail_used_chunks 1",
                "rivulet_tail_capacity_chunks 4",
                "kafka_server_socket_server_metrics_connection_count{listener=\"A\"} 2",
                "kafka_server_socket_server_metrics_connection_count{listener=\"B\"} 3");

        Frame frame = Rates.between(before, now, Sort.in);

        assertThat(frame.seconds()).isEqualTo(2);
        assertThat(frame.restarted()).isFalse();
        assertThat(frame.figures())
                .containsEntry(Figure.MESSAGES_IN, 100.0)
                .containsEntry(Figure.BYTES_IN, 0.0)
                .containsEntry(Figure.REQUESTS, 15.0)
                .containsEntry(Figure.PRODUCE_REQUESTS, 5.0)
                .containsEntry(Figure.FETCH_REQUESTS, 10.0)
                .containsEntry(Figure.PRODUCE_P99, 7.0)
                .containsEntry(Figure.FSYNCS, 5.0)
                .containsEntry(Figure.FSYNC_MILLIS, 50.0)
                .containsEntry(Figure.CACHE_HITS, 0.75)
                .containsEntry(Figure.TAIL_USED, 0.25)
                .containsEntry(Figure.CONNECTIONS, 5.0)
                .doesNotContainKeys(Figure.FETCH_P99, Figure.BYTES_OUT);
    }

    @Test
    void withoutAnFsyncItsTimeIsUnknown() {
        Reading before = reading(1, "rivulet_log_forces_total 4", "rivulet_log_force_seconds_total 1");
        Reading now = reading(2, "rivulet_log_forces_total 4", "rivulet_log_force_seconds_total 1");

        assertThat(Rates.between(before, now, Sort.in).figures())
                .containsEntry(Figure.FSYNCS, 0.0)
                .doesNotContainKey(Figure.FSYNC_MILLIS);
    }

    /** The new process may have counted more than the old one. */
    @Test
    void aRestartBeginsAtZero() {
        Reading before = reading(
                1,
                "process_start_time_seconds 1",
                TOPIC + "messagesin_total 100",
                messages("a", 100),
                messages("b", 5));
        Reading now = reading(
                2, "process_start_time_seconds 2", TOPIC + "messagesin_total 90", messages("a", 20), messages("b", 70));

        Frame frame = Rates.between(before, now, Sort.in);

        assertThat(frame.restarted()).isTrue();
        assertThat(frame.figures()).containsEntry(Figure.MESSAGES_IN, 90.0);
        assertThat(frame.topics())
                .containsExactly(new TopicRow("a", 20, 0, 0, null), new TopicRow("b", 70, 0, 0, null));
    }

    @Test
    void aTopicThatIsNewOrWasCreatedAgainBeginsAtZero() {
        Frame frame = Rates.between(
                reading(1, messages("again", 100)), reading(2, messages("again", 7), messages("new", 3)), Sort.in);

        assertThat(frame.topics())
                .containsExactly(new TopicRow("again", 7, 0, 0, null), new TopicRow("new", 3, 0, 0, null));
    }

    @Test
    void topicsAreSorted() {
        Reading now = reading(
                1,
                bytesIn("a", 1),
                bytesIn("b", 3),
                bytesIn("c", 2),
                bytesOut("c", 9),
                bytesIn("d", 0),
                "kafka_consumergroup_lag{consumergroup=\"g\",topic=\"a\"} 2",
                "kafka_consumergroup_lag{consumergroup=\"h\",topic=\"a\"} 3",
                "kafka_consumergroup_lag{consumergroup=\"h\",topic=\"d\"} 4");

        assertThat(names(now, Sort.in)).containsExactly("b", "c", "a", "d");
        assertThat(names(now, Sort.out)).containsExactly("c", "b", "a", "d");
        assertThat(names(now, Sort.lag)).containsExactly("a", "d", "b", "c");
    }

    private static List<String> names(Reading now, Sort sort) {
        return Rates.between(reading(0), now, sort).topics().stream()
                .map(TopicRow::topic)
                .toList();
    }

    @Test
    void theLargestLagIsFirst() {
        Frame frame = Rates.between(
                reading(0),
                reading(
                        1,
                        "kafka_consumergroup_lag{consumergroup=\"g\",topic=\"a\",partition=\"0\"} 2",
                        "kafka_consumergroup_lag{consumergroup=\"g\",topic=\"a\",partition=\"1\"} 3",
                        "kafka_consumergroup_lag{consumergroup=\"h\",topic=\"a\"} 9",
                        "rivulet_consumergroup_lag_seconds{consumergroup=\"g\",topic=\"a\"} 1.5"),
                Sort.in);

        assertThat(frame.lags()).containsExactly(new GroupRow("h", "a", 9, null), new GroupRow("g", "a", 5, 1.5));
    }

    @Test
    void rowsAndNamesAreBounded() {
        Reading reading = new Reading(1);
        for (int i = 0; i < Reading.MAX_ROWS + 5; i++) {
            reading.add(messages("topic-" + i, 1));
        }
        reading.add("kafka_consumergroup_lag{consumergroup=\"" + "g".repeat(1000) + "\",topic=\"a\"} 2");

        assertThat(reading.topics()).hasSize(Reading.MAX_ROWS);
        assertThat(reading.lags().keySet()).containsExactly(new Reading.GroupTopic("g".repeat(Reading.MAX_NAME), "a"));
        assertThat(reading.isComplete()).isFalse();
    }
}
