package io.rivulet.broker;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.api.acl.AclApis;
import io.rivulet.broker.api.cluster.ClusterApis;
import io.rivulet.broker.api.cluster.UnservedApis;
import io.rivulet.broker.api.config.ConfigApis;
import io.rivulet.broker.api.coordinator.CoordinatorCalls;
import io.rivulet.broker.api.group.GroupApis;
import io.rivulet.broker.api.login.LoginApis;
import io.rivulet.broker.api.partition.PartitionApis;
import io.rivulet.broker.api.quota.QuotaApis;
import io.rivulet.broker.api.token.TokenApis;
import io.rivulet.broker.api.topic.TopicApis;
import io.rivulet.broker.api.txn.TransactionApis;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.RouteTable;
import java.util.List;
import java.util.function.LongSupplier;

/** The APIs that a broker serves, family by family. Stateless. */
final class Apis {
    private Apis() {}

    /**
     * @param stampMillis the time that entries of the log are stamped with
     * @param records the routes that write and read records
     */
    static RouteTable table(ApiParts parts, LogViews views, LongSupplier stampMillis, List<Route> records) {
        CoordinatorCalls calls = new CoordinatorCalls(views.coordinators());
        RouteTable table = new RouteTable();
        table.add(ClusterApis.routes(parts, table));
        table.add(AclApis.routes(parts, views.rules()));
        table.add(LoginApis.routes(parts.store(), views.users()));
        table.add(TokenApis.routes());
        table.add(TopicApis.routes(parts));
        table.add(ConfigApis.routes(parts));
        table.add(QuotaApis.routes(parts));
        table.add(records);
        table.add(PartitionApis.routes(parts, views.gate(), views.transactions().histories()));
        table.add(GroupApis.routes(parts, views.groups(), calls));
        table.add(TransactionApis.routes(parts, views.transactions(), views.producerIds(), calls, stampMillis));
        table.addUnserved(UnservedApis.routes());
        return table;
    }
}
