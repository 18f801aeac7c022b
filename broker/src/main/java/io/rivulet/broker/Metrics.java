package io.rivulet.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.group.Groups;
import io.rivulet.broker.http.HttpAnswer;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.broker.lag.GroupLags;
import io.rivulet.broker.metrics.ClusterFacts;
import io.rivulet.broker.metrics.ClusterText;
import io.rivulet.broker.metrics.DetailedMetrics;
import io.rivulet.broker.metrics.MetricSources;
import io.rivulet.broker.metrics.MetricsText;
import io.rivulet.broker.metrics.NameFamily;
import io.rivulet.broker.metrics.RequestTimes;
import io.rivulet.broker.metrics.ServerFacts;
import io.rivulet.broker.metrics.ShareFacts;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import io.rivulet.store.failure.FailureLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The counters of a broker, and the pages that show them. Thread-safe. */
final class Metrics implements AutoCloseable {
    private static final int FIRST_BYTES = 256 << 10;
    private static final int FIRST_FOLLOWER_BYTES = 16 << 10;
    /** The longest wait for the lag of groups. Then the answer has that of the last round. */
    private static final long LAG_MILLIS = 20;
    /** The same for the first round. */
    private static final long FIRST_LAG_MILLIS = 1000;

    private static final String STARTING = "starting: there are no metrics yet";

    private static final int DETAILED = 1000;
    private static final int MOST_DETAILED = 20_000;

    /** What pages need besides the counters. */
    private record Parts(
            Store store,
            TopicCatalogue topics,
            Groups groups,
            Supplier<ShareFacts> shares,
            ReadPool readers,
            ServerFacts clients) {}

    /** What pages have of a broker in a cluster. */
    private record ClusterPart(Supplier<ClusterFacts> facts, ServerFacts server) {}

    private final BrokerConfig config;
    private final FailureLatch failures;
    private final TopicTraffic traffic;
    private final RequestTimes calls;
    /** Null until clients are served. */
    private volatile @Nullable Parts parts;
    /** Null in a broker by itself. */
    private volatile @Nullable ClusterPart cluster;
    /** Why there are none until then. */
    private volatile String reason = STARTING;

    // Null before the first request. Owned by the thread of the pages.
    private @Nullable GroupLags lags;
    private @Nullable MetricsText text;
    private volatile @Nullable DetailedMetrics detailed;

    /** @param calls counts those of the process */
    Metrics(BrokerConfig config, FailureLatch failures, RequestTimes calls) {
        this.config = config;
        this.failures = failures;
        this.calls = calls;
        this.traffic = new TopicTraffic(config.metricTopics());
    }

    TopicTraffic traffic() {
        return traffic;
    }

    /** There are metrics of the cluster from now on, whoever serves clients. */
    void inCluster(Supplier<ClusterFacts> facts, ServerFacts server) {
        cluster = new ClusterPart(facts, server);
    }

    /** Clients will be served here. */
    void opening() {
        reason = STARTING;
    }

    /** Clients are served by that broker. */
    void following(String owner) {
        reason = "the shard belongs to " + owner + ", and its metrics too";
    }

    void serving(Store store, LogViews views, ReadPool readers, ServerFacts clients) {
        parts = new Parts(store, views.topics(), views.groups(), views::shareFacts, readers, clients);
    }

    private Parts require() {
        Parts serving = parts;
        if (serving == null) {
            throw new HttpProblem(HttpResponseStatus.SERVICE_UNAVAILABLE, reason);
        }
        return serving;
    }

    // ---- /metrics?names=FAMILY ----

    /** Waits a little for the lag of groups. */
    void all(HttpExchange exchange) {
        NameFamily family = family(exchange);
        ClusterPart shared = cluster;
        if (shared != null && parts == null) {
            ByteBuf out = Unpooled.buffer(FIRST_FOLLOWER_BYTES);
            ClusterText.writeFollower(family, shared.facts().get(), shared.server(), out);
            exchange.answer(HttpAnswer.ok(MetricsText.CONTENT_TYPE, out));
            return;
        }
        GroupLags groups = lags(require());
        AtomicBoolean begun = new AtomicBoolean();
        Runnable answer = () -> {
            if (begun.compareAndSet(false, true)) {
                ByteBuf out = Unpooled.buffer(FIRST_BYTES);
                text(require(), groups).write(family, out);
                if (shared != null) {
                    ClusterText.write(family, shared.facts().get(), out);
                }
                exchange.answer(HttpAnswer.ok(MetricsText.CONTENT_TYPE, out));
            }
        };
        boolean first = groups.last().series().isEmpty();
        exchange.later(first ? FIRST_LAG_MILLIS : LAG_MILLIS, answer);
        groups.refresh(() -> exchange.later(0, answer));
    }

    private static NameFamily family(HttpExchange exchange) {
        String names = exchange.parameter("names");
        NameFamily family = names == null ? NameFamily.STRIMZI : NameFamily.find(names);
        if (family == null) {
            throw HttpProblem.badRequest("names must be strimzi, confluent or reporter");
        }
        return family;
    }

    private GroupLags lags(Parts from) {
        GroupLags known = lags;
        if (known == null) {
            known = new GroupLags(
                    from.groups(),
                    from.store(),
                    from.topics(),
                    from.readers(),
                    config.metricGroups(),
                    System::nanoTime);
            lags = known;
        }
        return known;
    }

    private MetricsText text(Parts from, GroupLags groups) {
        MetricsText known = text;
        if (known == null) {
            known = new MetricsText(new MetricSources(
                    from.store(),
                    from.topics(),
                    config.dataDirectory(),
                    traffic,
                    calls,
                    groups::last,
                    from.shares(),
                    from.clients()));
            text = known;
        }
        return known;
    }

    // ---- /metrics/detailed?topic=REGEX&group=REGEX&limit=N ----

    void detailed(HttpExchange exchange) {
        exchange.allow("topic", "group", "limit");
        DetailedMetrics.Question question =
                new DetailedMetrics.Question(exchange.parameter("topic"), exchange.parameter("group"), (int)
                        exchange.number("limit", DETAILED, 1, MOST_DETAILED));
        if (question.topic() == null && question.group() == null) {
            throw HttpProblem.badRequest("choose with topic=REGEX, group=REGEX or both");
        }
        if (!detailed(require()).ask(question, new DetailedAsker(exchange))) {
            throw new HttpProblem(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many such questions are under way");
        }
    }

    private DetailedMetrics detailed(Parts from) {
        DetailedMetrics known = detailed;
        if (known == null) {
            known = new DetailedMetrics(from.groups(), from.store(), from.topics(), failures);
            detailed = known;
        }
        return known;
    }

    private record DetailedAsker(HttpExchange exchange) implements DetailedMetrics.Asker {
        @Override
        public void answer(ByteBuf body) {
            exchange.answer(HttpAnswer.ok(MetricsText.CONTENT_TYPE, body));
        }

        @Override
        public void refused(String why) {
            exchange.answer(HttpResponseStatus.BAD_REQUEST, why);
        }

        @Override
        public void busy() {
            exchange.answer(HttpResponseStatus.SERVICE_UNAVAILABLE, "the groups do not answer now");
        }

        @Override
        public void failed(RuntimeException failure) {
            exchange.run(() -> {
                throw failure;
            });
        }
    }

    @Override
    public void close() {
        DetailedMetrics search = detailed;
        if (search != null) {
            search.close();
        }
    }
}
