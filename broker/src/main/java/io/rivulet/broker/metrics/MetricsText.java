package io.rivulet.broker.metrics;

import io.netty.buffer.ByteBuf;
import io.rivulet.store.Store;
import io.rivulet.store.StoreMetric;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * All metrics of a broker as text for Prometheus. What takes memory or time is done at the scrape: the classes of this
 * room but the counters are loaded by the first one. The time is linear in the number of series, which is bounded.
 *
 * <p>Thread-safe: one scrape at a time.
 */
public final class MetricsText {
    /** The media type of the text. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Set<String> SHARED_THREADS = Set.of("log-writer", "groups");
    private static final int RUNNING = 3;
    private static final double MILLIS_PER_SECOND = 1000;

    private final MetricSources sources;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final IdleShare loops;
    private final IdleShare shared;

    public MetricsText(MetricSources sources) {
        this.sources = sources;
        long now = sources.requests().now();
        this.loops = new IdleShare(threads, now);
        this.shared = new IdleShare(threads, now);
    }

    /** Appends all metrics, under the names of the family. */
    public synchronized void write(NameFamily names, ByteBuf out) {
        TextWriter text = new TextWriter(names, out);
        long nowNanos = sources.requests().now();
        writeTopics(text);
        GroupSeries.write(text, sources.lags().get(), System.currentTimeMillis());
        ShareGroupSeries.write(text, sources.shares().get());
        RequestSeries.write(text, sources.requests(), nowNanos);
        writeServer(text, nowNanos);
        writePartitions(text);
        writeController(text);
        JvmSeries.write(text);
        StoreSeries.write(text, sources.store());
    }

    private void writeTopics(TextWriter text) {
        TopicTraffic.Collected collected = sources.traffic().collect(sources.store()::exists);
        writeTopics(text, Metric.MESSAGES_IN, TopicSeries.MESSAGES_IN, collected);
        writeTopics(text, Metric.BYTES_IN, TopicSeries.BYTES_IN, collected);
        writeTopics(text, Metric.BYTES_OUT, TopicSeries.BYTES_OUT, collected);
        writeTopics(text, Metric.PRODUCE_REQUESTS, TopicSeries.PRODUCE_REQUESTS, collected);
        writeTopics(text, Metric.FETCH_REQUESTS, TopicSeries.FETCH_REQUESTS, collected);
        writeTopics(text, Metric.FAILED_PRODUCE_REQUESTS, TopicSeries.FAILED_PRODUCE_REQUESTS, collected);
        writeTopics(text, Metric.FAILED_FETCH_REQUESTS, TopicSeries.FAILED_FETCH_REQUESTS, collected);
        text.only(Metric.TOPICS_WITH_SERIES, collected.series().size() - 1);
    }

    private static void writeTopics(TextWriter text, Metric metric, int counter, TopicTraffic.Collected collected) {
        text.head(metric).sample(collected.totals().get(counter));
        for (TopicSeries series : collected.series()) {
            text.sample(series.get(counter), "topic", series.name());
        }
    }

    // ---- network, partitions, controller ----

    private void writeServer(TextWriter text, long nowNanos) {
        writeConnections(text, sources.server());
        List<ServerFacts.Waits> waits = sources.server().waits();
        text.head(Metric.THROTTLED);
        waits.forEach(each -> text.sample(each.calls(), "quota", each.reason()));
        text.head(Metric.THROTTLED_SECONDS);
        waits.forEach(each -> text.sample(each.millis() / MILLIS_PER_SECOND, "quota", each.reason()));
        text.only(Metric.NETWORK_IDLE, loops.of(sources.server().eventLoopThreads(), nowNanos));
        text.only(Metric.HANDLER_IDLE, shared.of(sharedThreads(), nowNanos));
    }

    /** Connections and certificates, by listener. */
    static void writeConnections(TextWriter text, ServerFacts server) {
        List<ServerFacts.Connections> listeners = server.connections();
        text.head(Metric.CONNECTIONS);
        listeners.forEach(each -> text.sample(each.open(), "listener", each.listener()));
        text.head(Metric.CONNECTIONS_OPENED);
        listeners.forEach(each -> text.sample(each.opened(), "listener", each.listener()));
        text.head(Metric.CERTIFICATE_END);
        server.certificateEnds().forEach((name, end) -> text.sample(end.getEpochSecond(), "listener", name));
    }

    /** By name, because they belong to several rooms. Other brokers of the process count too. */
    private List<Long> sharedThreads() {
        List<Long> ids = new ArrayList<>();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && SHARED_THREADS.contains(thread.getThreadName())) {
                ids.add(thread.getThreadId());
            }
        }
        return ids;
    }

    private void writePartitions(TextWriter text) {
        Store store = sources.store();
        int partitions = store.liveQueues();
        boolean failed = store.failure() != null;
        text.only(Metric.LEADERS, failed ? 0 : partitions);
        text.only(Metric.PARTITIONS, partitions);
        text.only(Metric.UNDER_REPLICATED, 0);
        text.only(Metric.UNDER_MIN_ISR, 0);
        text.only(Metric.AT_MIN_ISR, 0);
        text.only(Metric.OFFLINE_REPLICAS, failed ? partitions : 0);
        String[] all = {"topic", TopicSeries.OTHER};
        text.head(Metric.PARTITION_REPLICAS).sample(partitions, all);
        text.head(Metric.PARTITION_AT_MIN_ISR).sample(0, all);
        text.head(Metric.PARTITION_UNDER_MIN_ISR).sample(0, all);
        long bytes = store.metric(StoreMetric.LOG_SIZE_BYTES) + store.metric(StoreMetric.BLOCK_BYTES);
        text.head(Metric.LOG_SIZE).sample(bytes, all);
        text.only(Metric.OFFLINE_DIRECTORIES, failed ? 1 : 0);
        File disk = sources.dataDirectory().toFile();
        text.only(Metric.DISK_SIZE, disk.getTotalSpace());
        text.only(Metric.DISK_USABLE, disk.getUsableSpace());
    }

    private void writeController(TextWriter text) {
        Store store = sources.store();
        int partitions = store.liveQueues();
        text.only(Metric.ACTIVE_CONTROLLERS, 1);
        text.only(Metric.ACTIVE_BROKERS, 1);
        text.only(Metric.FENCED_BROKERS, 0);
        text.only(Metric.OFFLINE_PARTITIONS, store.failure() != null ? partitions : 0);
        text.only(Metric.TOPICS, sources.topics().size());
        text.only(Metric.ALL_PARTITIONS, partitions);
        text.only(Metric.UNCLEAN_ELECTIONS, 0);
        text.only(Metric.BROKER_STATE, RUNNING);
    }
}
