package io.rivulet.broker.api;

import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.dynamic.LiveConfig;
import io.rivulet.broker.internal.InternalTopics;
import io.rivulet.broker.node.Nodes;
import io.rivulet.broker.quota.QuotaRules;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.store.Store;
import java.util.Objects;

/**
 * The parts of the broker that handlers share. Immutable.
 *
 * @param config the configuration at the start
 * @param nodes the brokers that are alive
 * @param live the configuration as it is now
 */
public record ApiParts(
        BrokerConfig config,
        Nodes nodes,
        LiveConfig live,
        Store store,
        TopicCatalogue topics,
        TopicAdmin admin,
        InternalTopics internal,
        QuotaRules quotas,
        ReadPool readers,
        LongAnswers longAnswers) {

    /** The broker's id. The broker leads each partition, and is the controller. */
    public int nodeId() {
        return nodes.selfId();
    }

    public String clusterId() {
        return Objects.requireNonNull(topics.clusterId());
    }
}
