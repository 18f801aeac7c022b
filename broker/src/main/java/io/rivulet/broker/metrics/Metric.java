package io.rivulet.broker.metrics;

import static io.rivulet.broker.metrics.MetricNames.counter;
import static io.rivulet.broker.metrics.MetricNames.percent;
import static io.rivulet.broker.metrics.MetricNames.same;

import java.util.List;
import java.util.Locale;

/**
 * All series but those of the store, which {@link StoreSeries} makes from its own table. Immutable.
 *
 * <p>A name of Kafka's family has the meaning that it has in Kafka, unless its help says otherwise.
 */
enum Metric {
    // ---- topics ----
    MESSAGES_IN(
            Type.COUNTER,
            counter("kafka_server_brokertopicmetrics_messagesin"),
            "Records that were stored. Without a label: of all topics.",
            "topic"),
    BYTES_IN(
            Type.COUNTER,
            counter("kafka_server_brokertopicmetrics_bytesin"),
            "Bytes of batches that were stored, as the producers sent them.",
            "topic"),
    BYTES_OUT(
            Type.COUNTER,
            counter("kafka_server_brokertopicmetrics_bytesout"),
            "Bytes of batches in answers to fetches.",
            "topic"),
    PRODUCE_REQUESTS(
            Type.COUNTER,
            counter("kafka_server_brokertopicmetrics_totalproducerequests"),
            "Partitions in produce requests.",
            "topic"),
    FETCH_REQUESTS(
            Type.COUNTER,
            counter("kafka_server_brokertopicmetrics_totalfetchrequests"),
            "Partitions in answers to fetches. A fetch session answers only for partitions with news.",
            "topic"),
    FAILED_PRODUCE_REQUESTS(
            Type.COUNTER,
            counter("kafka_server_brokertopicmetrics_failedproducerequests"),
            "Partitions in produce requests that were answered with an error.",
            "topic"),
    FAILED_FETCH_REQUESTS(
            Type.COUNTER,
            counter("kafka_server_brokertopicmetrics_failedfetchrequests"),
            "Partitions in answers to fetches with an error.",
            "topic"),
    TOPICS_WITH_SERIES(
            Type.GAUGE,
            same("rivulet_metrics_topics"),
            "Topics with a series of their own. All others are counted under the topic (other)."),

    // ---- groups ----
    GROUP_LAG(
            Type.GAUGE,
            same("kafka_consumergroup_lag"),
            "Records between the committed offsets of a group and the ends of the partitions. The sum of all partitions"
                    + " with a committed offset.",
            "consumergroup",
            "topic"),
    GROUP_OFFSETS(
            Type.GAUGE,
            same("kafka_consumergroup_current_offset"),
            "The sum of these committed offsets.",
            "consumergroup",
            "topic"),
    GROUP_LAG_SECONDS(
            Type.GAUGE,
            same("rivulet_consumergroup_lag_seconds"),
            "Age of the oldest record that the group has not consumed, by the first timestamp of its batch; of"
                    + " the 16 partitions with the largest lag. Not for (other).",
            "consumergroup",
            "topic"),
    GROUP_LAG_AGE(
            Type.GAUGE,
            same("rivulet_consumergroup_lag_age_seconds"),
            "How long ago the lag was computed. Mostly 0; with very many offsets it takes longer than a scrape waits."),
    GROUPS_WITH_SERIES(
            Type.GAUGE,
            same("rivulet_metrics_groups"),
            "Pairs of group and topic with a series of their own. All others are added up under (other)."),

    // ---- share groups ----
    SHARE_GROUPS(
            Type.UNTYPED,
            same("kafka_server_group_coordinator_metrics_share_group_count"),
            "Share groups, by their state.",
            "state"),
    SHARE_SESSIONS(
            Type.GAUGE,
            same("kafka_server_sharesessioncache_sharesessionscount"),
            "Share sessions: members of share groups that fetch."),
    SHARE_ACKNOWLEDGED(
            Type.COUNTER,
            counter("kafka_server_sharegroupmetrics_recordacknowledgements"),
            "Records that members of share groups have acknowledged, by what they said.",
            "acktype"),
    SHARE_EXPIRED(
            Type.COUNTER,
            counter("kafka_server_sharepartitionmetrics_acquisitionlocktimeout"),
            "Records whose member let the time to acknowledge them pass. The sum over all groups."),
    SHARE_ACQUIRED(
            Type.COUNTER, same("rivulet_share_acquired_records_total"), "Records that members have got, each time."),
    SHARE_EXHAUSTED(
            Type.COUNTER,
            same("rivulet_share_exhausted_records_total"),
            "Records that are not delivered again, because they were delivered as often as their group allows."),
    SHARE_DEAD_LETTERS(
            Type.COUNTER,
            counter("kafka_server_sharegroupmetrics_deadletterqueuerecordcount"),
            "Dead letters of share groups that were stored. The sum over all groups."),
    SHARE_DEAD_LETTER_REQUESTS(
            Type.COUNTER,
            counter("kafka_server_sharegroupmetrics_deadletterqueuetotalproducerequests"),
            "How often dead letters were written, or had to be. The sum over all groups."),
    SHARE_DEAD_LETTER_FAILURES(
            Type.COUNTER,
            counter("kafka_server_sharegroupmetrics_deadletterqueuefailedproducerequests"),
            "How often records were archived without all of their dead letters; the broker's log has the reason."),
    SHARE_ROWS(Type.GAUGE, same("rivulet_share_partitions"), "Pairs of share group and partition that are in use."),
    SHARE_LOCKS(
            Type.GAUGE,
            same("rivulet_share_acquired_ranges"),
            "Ranges of records that members of share groups have at present."),
    SHARE_BYTES(Type.GAUGE, same("rivulet_share_bytes"), "Memory that counts for rivulet.share.bytes."),
    SHARE_MAX_BYTES(Type.GAUGE, same("rivulet_share_bytes_limit"), "The value of rivulet.share.bytes."),

    // ---- requests ----
    REQUESTS(
            Type.COUNTER,
            counter("kafka_network_requestmetrics_requests"),
            "Calls that have ended, by API. FetchConsumer is the same as Fetch.",
            "request"),
    REQUEST_ERRORS(
            Type.COUNTER,
            counter("kafka_network_requestmetrics_errors"),
            "Answers with an error for the whole request.",
            "request",
            "error"),
    REQUEST_TIMES(
            Type.SUMMARY,
            same("kafka_network_requestmetrics_totaltimems"),
            "Milliseconds from the start of a call until its answer is sent; the wait of a fetch included. Quantiles of"
                    + " about the last five minutes, at most an eighth too high.",
            "request",
            "quantile"),
    REQUEST_SECONDS(
            Type.HISTOGRAM,
            same("rivulet_request_seconds"),
            "The same time of Produce and Fetch as a histogram, in seconds.",
            "request"),

    // ---- network and threads ----
    CONNECTIONS(
            Type.UNTYPED,
            new MetricNames(
                    "kafka_server_socket_server_metrics_connection_count",
                    "kafka_server_socketservermetrics_connection_count",
                    "kafka_server_socket_server_metrics_connection_count"),
            "Open connections of clients: a gauge. Its type is left out because promtool allows this name to no gauge.",
            "listener"),
    CONNECTIONS_OPENED(
            Type.COUNTER,
            new MetricNames(
                    "kafka_server_socket_server_metrics_connection_creation_total",
                    "kafka_server_socketservermetrics_connection_creation_total",
                    "kafka_server_socket_server_metrics_connection_creation_total"),
            "Connections that clients have opened.",
            "listener"),
    CERTIFICATE_END(
            Type.GAUGE,
            same("rivulet_tls_certificate_expiry_seconds"),
            "When the certificate of an encrypted listener ends, in seconds since 1970.",
            "listener"),
    THROTTLED(
            Type.COUNTER,
            same("rivulet_throttled_requests_total"),
            "Requests after which the client had to wait, by the quota that it exceeded the most. For"
                    + " connection_creation_rate: connections that were closed. For disk_headroom: produce requests"
                    + " that were refused.",
            "quota"),
    THROTTLED_SECONDS(
            Type.COUNTER, same("rivulet_throttled_seconds_total"), "For how long these clients had to wait.", "quota"),
    NETWORK_IDLE(
            Type.GAUGE,
            percent("kafka_network_socketserver_networkprocessoravgidle", "percent"),
            "Share of the time in which the event loops used no processor, 0 to 1, since about 15 seconds ago."),
    HANDLER_IDLE(
            Type.GAUGE,
            percent("kafka_server_kafkarequesthandlerpool_requesthandleravgidle", "percent_total"),
            "The same of the threads that all requests share: log-writer and groups."),

    // ---- replicas and partitions: there is one node ----
    LEADERS(Type.GAUGE, same("kafka_server_replicamanager_leadercount"), "Partitions. This broker leads all of them."),
    PARTITIONS(Type.GAUGE, same("kafka_server_replicamanager_partitioncount"), "Partitions."),
    UNDER_REPLICATED(
            Type.GAUGE, same("kafka_server_replicamanager_underreplicatedpartitions"), "Always 0: there is one node."),
    UNDER_MIN_ISR(
            Type.GAUGE, same("kafka_server_replicamanager_underminisrpartitioncount"), "Always 0: there is one node."),
    AT_MIN_ISR(
            Type.GAUGE,
            same("kafka_server_replicamanager_atminisrpartitioncount"),
            "Always 0: there is nothing to lose."),
    OFFLINE_REPLICAS(
            Type.GAUGE,
            same("kafka_server_replicamanager_offlinereplicacount"),
            "Partitions if the store has failed, otherwise 0."),
    PARTITION_REPLICAS(
            Type.GAUGE,
            same("kafka_cluster_partition_replicascount"),
            "Replicas of partitions: one each. Only the sum over all topics.",
            "topic"),
    PARTITION_AT_MIN_ISR(
            Type.GAUGE, same("kafka_cluster_partition_atminisr"), "Always 0. Only the sum over all topics.", "topic"),
    PARTITION_UNDER_MIN_ISR(
            Type.GAUGE,
            same("kafka_cluster_partition_underminisr"),
            "Always 0. Only the sum over all topics.",
            "topic"),
    LOG_SIZE(
            Type.GAUGE,
            same("kafka_log_log_size"),
            "Bytes of the commit log and of all block files. Only the sum over all topics.",
            "topic"),
    OFFLINE_DIRECTORIES(
            Type.GAUGE,
            same("kafka_log_logmanager_offlinelogdirectorycount"),
            "1 if the store has failed, otherwise 0."),

    // ---- controller ----
    ACTIVE_CONTROLLERS(
            Type.GAUGE, same("kafka_controller_kafkacontroller_activecontrollercount"), "Always 1: there is one node."),
    ACTIVE_BROKERS(Type.GAUGE, same("kafka_controller_kafkacontroller_activebrokercount"), "Always 1."),
    FENCED_BROKERS(Type.GAUGE, same("kafka_controller_kafkacontroller_fencedbrokercount"), "Always 0."),
    OFFLINE_PARTITIONS(
            Type.GAUGE,
            same("kafka_controller_kafkacontroller_offlinepartitionscount"),
            "Partitions if the store has failed, otherwise 0."),
    TOPICS(Type.GAUGE, same("kafka_controller_kafkacontroller_globaltopiccount"), "Topics."),
    ALL_PARTITIONS(Type.GAUGE, same("kafka_controller_kafkacontroller_globalpartitioncount"), "Partitions."),
    UNCLEAN_ELECTIONS(
            Type.COUNTER,
            counter("kafka_controller_controllerstats_uncleanleaderelections"),
            "Always 0: there is one node."),
    BROKER_STATE(
            Type.GAUGE, same("kafka_server_kafkaserver_brokerstate"), "Always 3, running: others are not scraped."),

    // ---- the disk ----
    DISK_READ(
            Type.GAUGE,
            same("kafka_server_kafkaserver_linux_disk_read_bytes"),
            "Bytes that the process has read from disks, as Linux counts."),
    DISK_WRITTEN(
            Type.GAUGE,
            same("kafka_server_kafkaserver_linux_disk_write_bytes"),
            "Bytes that the process has written to disks, as Linux counts."),
    DISK_SIZE(Type.GAUGE, same("rivulet_disk_size_bytes"), "Size of the file system of the data directory."),
    DISK_USABLE(Type.GAUGE, same("rivulet_disk_usable_bytes"), "Free space there that the broker may use."),

    // ---- the JVM ----
    MEMORY_USED(Type.GAUGE, same("jvm_memory_used_bytes"), "Memory of the JVM that is in use.", "area"),
    MEMORY_COMMITTED(Type.GAUGE, same("jvm_memory_committed_bytes"), "Memory that the JVM has reserved.", "area"),
    MEMORY_MAX(Type.GAUGE, same("jvm_memory_max_bytes"), "The limit of the memory; -1 for none.", "area"),
    POOL_USED(Type.GAUGE, same("jvm_memory_pool_used_bytes"), "Memory of a pool that is in use.", "pool"),
    BUFFERS_USED(Type.GAUGE, same("jvm_buffer_pool_used_bytes"), "Memory of direct and mapped buffers.", "pool"),
    DIRECT_USED(
            Type.GAUGE,
            same("rivulet_network_direct_bytes"),
            "Direct memory that Netty has reserved for requests and answers."),
    GC_TIMES(Type.SUMMARY, same("jvm_gc_collection_seconds"), "Time that garbage collections took.", "gc"),
    THREADS(Type.GAUGE, same("jvm_threads_current"), "Threads."),
    DAEMONS(Type.GAUGE, same("jvm_threads_daemon"), "Daemon threads."),
    THREADS_PEAK(Type.GAUGE, same("jvm_threads_peak"), "The most threads there were at one time."),

    // ---- the process ----
    CPU_SECONDS(Type.COUNTER, same("process_cpu_seconds_total"), "Processor time of the process."),
    START_TIME(Type.GAUGE, same("process_start_time_seconds"), "When the process started, in seconds since 1970."),
    RESIDENT_BYTES(Type.GAUGE, same("process_resident_memory_bytes"), "Resident memory."),
    OPEN_FILES(Type.GAUGE, same("process_open_fds"), "Open file descriptors."),
    MAX_FILES(Type.GAUGE, same("process_max_fds"), "The limit of open file descriptors.");

    /** The type in the text format. */
    enum Type {
        COUNTER,
        GAUGE,
        SUMMARY,
        HISTOGRAM,
        UNTYPED;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Type type;

    @SuppressWarnings("ImmutableEnumChecker") // a record of strings
    private final MetricNames names;

    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
    private final List<String> labels;

    Metric(Type type, MetricNames names, String help, String... labels) {
        this.type = type;
        this.names = names;
        this.help = help;
        this.labels = List.of(labels);
    }

    Type type() {
        return type;
    }

    String name(NameFamily family) {
        return names.in(family);
    }

    String help() {
        return help;
    }

    /** The labels that a sample may have. */
    List<String> labels() {
        return labels;
    }
}
