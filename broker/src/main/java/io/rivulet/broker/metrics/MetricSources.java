package io.rivulet.broker.metrics;

import io.rivulet.broker.lag.Lags;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The parts of the broker that metrics are read from. Immutable. */
public record MetricSources(
        Store store,
        TopicCatalogue topics,
        Path dataDirectory,
        TopicTraffic traffic,
        RequestTimes requests,
        Supplier<Lags> lags,
        Supplier<ShareFacts> shares,
        ServerFacts server) {}
