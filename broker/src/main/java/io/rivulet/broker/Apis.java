package io.rivulet.broker;

import io.rivulet.broker.api.BrokerIdentity;
import io.rivulet.broker.api.acl.AclApis;
import io.rivulet.broker.api.cluster.ClusterApis;
import io.rivulet.broker.api.config.ConfigApis;
import io.rivulet.broker.api.coordinator.CoordinatorCalls;
import io.rivulet.broker.api.group.GroupApis;
import io.rivulet.broker.api.partition.PartitionApis;
import io.rivulet.broker.api.topic.TopicApis;
import io.rivulet.broker.api.txn.TransactionApis;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.broker.call.ReadPool;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.fetch.FetchHandler;
import io.rivulet.broker.produce.ProduceHandler;
import io.rivulet.broker.topic.TopicAdmin;
import io.rivulet.broker.topic.TopicCatalogue;
import io.rivulet.broker.txn.QueueHistories;
import io.rivulet.store.Store;
import io.rivulet.store.time.StoreClock;
import java.util.List;
import java.util.Objects;

/** The APIs that a broker serves, family by family, and what their handlers share. Immutable. */
record Apis(
        BrokerConfig config,
        StoreClock clock,
        LogViews views,
        Store store,
        TopicAdmin admin,
        ReadPool readers,
        LongAnswers longAnswers) {
    RouteTable table(ProduceHandler produce, FetchHandler fetch) {
        TopicCatalogue topics = views.topics();
        QueueHistories histories = views.transactions().histories();
        BrokerIdentity identity = new BrokerIdentity(Objects.requireNonNull(topics.clusterId()), config.nodeId());
        CoordinatorCalls calls = new CoordinatorCalls(views.coordinators());
        long maxUnwrittenBytes = config.groups().maxHeapBytes() / 2;
        RouteTable table = new RouteTable();
        table.add(ClusterApis.routes(identity, table));
        table.add(AclApis.routes());
        table.add(TopicApis.routes(identity, config, topics, admin, longAnswers));
        table.add(ConfigApis.routes(identity, config, topics, admin, longAnswers));
        table.add(List.of(produce.route(), fetch.route()));
        table.add(PartitionApis.routes(config, store, topics, views.gate(), histories, readers, longAnswers));
        table.add(GroupApis.routes(views.groups(), calls, identity, longAnswers, maxUnwrittenBytes));
        table.add(TransactionApis.routes(
                views.transactions(), views.producerIds(), calls, store, topics, longAnswers, clock::stampMillis));
        return table;
    }
}
