package io.rivulet.broker.net;

import io.rivulet.broker.call.LongRequests;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.ConnectionSettings;
import io.rivulet.broker.quota.ClientQuotas;
import java.util.function.Supplier;

/**
 * What answers clients: the part of a broker that stands on its store. Immutable.
 *
 * @param limits of connections, which may change
 * @param rule whether an answer may leave
 */
public record Service(
        RouteTable routes,
        LongRequests longRequests,
        ClientQuotas quotas,
        ListenerSecurity security,
        Supplier<ConnectionSettings> limits,
        AnswerRule rule) {}
