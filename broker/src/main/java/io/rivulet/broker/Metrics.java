package io.rivulet.broker;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.http.HttpAnswer;
import io.rivulet.broker.http.HttpExchange;
import io.rivulet.broker.http.HttpProblem;
import io.rivulet.broker.metrics.MetricSources;
import io.rivulet.broker.metrics.MetricsText;
import io.rivulet.broker.metrics.NameFamily;
import io.rivulet.broker.metrics.RequestTimes;
import io.rivulet.broker.metrics.ServerFacts;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import org.jspecify.annotations.Nullable;

/** The counters of a broker, and the page that shows them. Thread-safe. */
final class Metrics {
    private static final int FIRST_BYTES = 256 << 10;

    private final BrokerConfig config;
    private final TopicTraffic traffic;
    private final RequestTimes calls = new RequestTimes(System::nanoTime);
    /** Null until clients are served. */
    private volatile @Nullable MetricSources sources;
    /** Null until somebody asks. Owned by the thread of the pages. */
    private @Nullable MetricsText text;

    Metrics(BrokerConfig config) {
        this.config = config;
        this.traffic = new TopicTraffic(config.metricTopics());
    }

    TopicTraffic traffic() {
        return traffic;
    }

    RequestTimes calls() {
        return calls;
    }

    void serving(Store store, TopicCatalogue topics, ServerFacts clients) {
        sources = new MetricSources(store, topics, config.dataDirectory(), traffic, calls, clients);
    }

    /** The page /metrics?names=FAMILY. */
    void all(HttpExchange exchange) {
        NameFamily family = family(exchange);
        MetricSources from = sources;
        if (from == null) {
            throw new HttpProblem(HttpResponseStatus.SERVICE_UNAVAILABLE, "starting: there are no metrics yet");
        }
        MetricsText known = text;
        if (known == null) {
            known = new MetricsText(from);
            text = known;
        }
        ByteBuf out = Unpooled.buffer(FIRST_BYTES);
        known.write(family, out);
        exchange.answer(HttpAnswer.ok(MetricsText.CONTENT_TYPE, out));
    }

    private static NameFamily family(HttpExchange exchange) {
        String names = exchange.parameter("names");
        NameFamily family = names == null ? NameFamily.STRIMZI : NameFamily.find(names);
        if (family == null) {
            throw HttpProblem.badRequest("names must be strimzi, confluent or reporter");
        }
        return family;
    }
}
