package io.rivulet.broker.api;

import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import java.util.Objects;

/** The parts of the broker that handlers share. Immutable. */
public record ApiParts(
        BrokerConfig config,
        Store store,
        TopicCatalogue topics,
        TopicAdmin admin,
        ReadPool readers,
        LongAnswers longAnswers) {

    /** The broker's id. The broker is the only node, and the controller. */
    public int nodeId() {
        return config.nodeId();
    }

    public String clusterId() {
        return Objects.requireNonNull(topics.clusterId());
    }
}
