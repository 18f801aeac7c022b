package io.rivulet.broker.top;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The series of the page that are shown; several may be added up. Their names: docs/METRICS.md. Immutable. */
enum Series {
    MESSAGES_IN("kafka_server_brokertopicmetrics_messagesin_total"),
    BYTES_IN("kafka_server_brokertopicmetrics_bytesin_total"),
    BYTES_OUT("kafka_server_brokertopicmetrics_bytesout_total"),
    REQUESTS("kafka_network_requestmetrics_requests_total"),
    TIMES("kafka_network_requestmetrics_totaltimems"),
    CONNECTIONS("kafka_server_socket_server_metrics_connection_count"),
    TOPICS("kafka_controller_kafkacontroller_globaltopiccount"),
    PARTITIONS("kafka_controller_kafkacontroller_globalpartitioncount"),
    FSYNCS("rivulet_log_forces_total"),
    FSYNC_SECONDS("rivulet_log_force_seconds_total"),
    TAIL_USED("rivulet_tail_used_chunks"),
    TAIL_CAPACITY("rivulet_tail_capacity_chunks"),
    CACHE_HITS("rivulet_cache_tail_hits_total", "rivulet_cache_read_ahead_hits_total", "rivulet_cache_scan_hits_total"),
    CACHE_MISSES(
            "rivulet_cache_tail_misses_total",
            "rivulet_cache_read_ahead_misses_total",
            "rivulet_cache_scan_misses_total"),
    DISK_USABLE("rivulet_disk_usable_bytes"),
    RESIDENT("process_resident_memory_bytes"),
    STARTED("process_start_time_seconds"),
    LAG("kafka_consumergroup_lag"),
    LAG_SECONDS("rivulet_consumergroup_lag_seconds");

    private static final Map<String, Series> BY_NAME = new HashMap<>();

    static {
        for (Series series : values()) {
            for (String name : series.names) {
                BY_NAME.put(name, series);
            }
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
    private final List<String> names;

    Series(String... names) {
        this.names = List.of(names);
    }

    static @Nullable Series named(String name) {
        return BY_NAME.get(name);
    }
}
