package io.rivulet.broker.metrics;

import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import java.nio.file.Path;

/** The parts of the broker that metrics are read from. Immutable. */
public record MetricSources(
        Store store,
        TopicCatalogue topics,
        Path dataDirectory,
        TopicTraffic traffic,
        RequestTimes requests,
        ServerFacts server) {}
