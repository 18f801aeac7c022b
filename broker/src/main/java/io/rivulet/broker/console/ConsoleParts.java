package io.rivulet.broker.console;

import io.rivulet.broker.api.ApiParts;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.metrics.ClusterFacts;
import io.rivulet.broker.metrics.TopicTraffic;
import io.rivulet.broker.net.BrokerServer;
import io.rivulet.broker.net.ListenerSecurity;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the console shows. Immutable.
 *
 * @param routes the APIs that it calls, as clients do
 * @param security the users, and what they may do
 * @param traffic what topics receive and send; null if it is not counted
 * @param cluster the part of this broker in a cluster; null if it is by itself
 */
public record ConsoleParts(
        ApiParts broker,
        RouteTable routes,
        BrokerServer server,
        ListenerSecurity security,
        @Nullable TopicTraffic traffic,
        @Nullable Supplier<ClusterFacts> cluster) {}
