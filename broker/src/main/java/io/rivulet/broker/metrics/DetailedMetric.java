package io.rivulet.broker.metrics;

import java.util.List;

/** The series of the page /metrics/detailed, all of them gauges. Topics have the names of kafka_exporter. Immutable. */
enum DetailedMetric {
    PARTITIONS("kafka_topic_partitions", "Partitions of the topic.", "topic"),
    END_OFFSET(
            "kafka_topic_partition_current_offset",
            "The offset after the last record of the partition.",
            "topic",
            "partition"),
    START_OFFSET("kafka_topic_partition_oldest_offset", "The first offset of the partition.", "topic", "partition"),
    MEMBERS("rivulet_detailed_consumergroup_members", "Members of the group.", "consumergroup"),
    GROUP_OFFSET(
            "rivulet_detailed_consumergroup_current_offset",
            "The committed offset of the group.",
            "consumergroup",
            "topic",
            "partition"),
    GROUP_LAG(
            "rivulet_detailed_consumergroup_lag",
            "Records between the committed offset and the end of the partition.",
            "consumergroup",
            "topic",
            "partition");

    private final String metricName;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
    private final List<String> labels;

    DetailedMetric(String metricName, String help, String... labels) {
        this.metricName = metricName;
        this.help = help;
        this.labels = List.of(labels);
    }

    String metricName() {
        return metricName;
    }

    String help() {
        return help;
    }

    List<String> labels() {
        return labels;
    }
}
