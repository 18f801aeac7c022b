package io.rivulet.broker.metrics;

import java.util.List;

/** The further series of a broker with rivulet.cluster.failover. Immutable. */
enum ClusterMetric {
    ROLE(
            "rivulet_cluster_role",
            Metric.Type.GAUGE,
            "1 for the role that this broker has: owner, opening or follower; 0 for the others.",
            "role"),
    OWNER(
            "rivulet_cluster_owner",
            Metric.Type.GAUGE,
            "The id of the broker that owns the log, as this broker knows; -1 if nobody does."),
    EPOCH("rivulet_cluster_epoch", Metric.Type.GAUGE, "Counts the owners. The same number on all brokers."),
    BROKERS("rivulet_cluster_brokers", Metric.Type.GAUGE, "Brokers that are alive, this one included."),
    TAKEOVERS_BEGUN(
            "rivulet_cluster_takeovers_begun_total",
            Metric.Type.COUNTER,
            "How often this broker has claimed the log; since its start, as all counters."),
    TAKEOVERS_COMPLETED(
            "rivulet_cluster_takeovers_completed_total",
            Metric.Type.COUNTER,
            "How often it served clients after that. Begun and not completed: it is opening now, or that failed."),
    LOSSES(
            "rivulet_cluster_losses_total",
            Metric.Type.COUNTER,
            "How often it has given up the log while it served clients; its own log says why."),
    LAST_TAKEOVER(
            "rivulet_cluster_last_takeover_seconds",
            Metric.Type.GAUGE,
            "How long each step of the last completed takeover took: claim, fence, load, wait, serve. 0 if there was"
                    + " none.",
            "step"),
    LEDGERS(
            "rivulet_cluster_ledgers",
            Metric.Type.GAUGE,
            "Ledgers of the log; 0 on a follower. rivulet_log_size_bytes has their bytes, of one copy."),
    GROUPS_ON_THEIR_WAY(
            "rivulet_cluster_groups_on_their_way",
            Metric.Type.GAUGE,
            "Groups of the log that the bookies have not acknowledged yet."),
    RELAYED(
            "rivulet_cluster_relayed_connections",
            Metric.Type.GAUGE,
            "Connections of clients that this broker passes on to the owner."),
    RELAY_WAITING(
            "rivulet_cluster_waiting_connections", Metric.Type.GAUGE, "Connections of clients that wait for an owner."),
    RELAYED_TOTAL(
            "rivulet_cluster_relayed_connections_total",
            Metric.Type.COUNTER,
            "Connections that were passed on to an owner.");

    private final String metricName;
    private final Metric.Type type;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
    private final List<String> labels;

    ClusterMetric(String metricName, Metric.Type type, String help, String... labels) {
        this.metricName = metricName;
        this.type = type;
        this.help = help;
        this.labels = List.of(labels);
    }

    String metricName() {
        return metricName;
    }

    Metric.Type type() {
        return type;
    }

    String help() {
        return help;
    }

    List<String> labels() {
        return labels;
    }
}
