package io.rivulet.broker.net;

import io.netty.channel.group.ChannelGroup;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.broker.metrics.RequestTimes;
import io.rivulet.store.failure.FailureLatch;
import org.jspecify.annotations.Nullable;

/**
 * What all connections of all listeners share, whatever answers them. Immutable.
 *
 * @param requests the memory of requests, until they are answered
 * @param logins the memory of requests of clients that have not logged in; null if no listener has logins
 * @param times what is counted of calls; null if nothing is counted
 * @param answers the memory of short answers, until they are written
 */
record ServerContext(
        BrokerConfig config,
        ChannelGroup connections,
        ConnectionLimits limits,
        RequestMemory requests,
        @Nullable RequestMemory logins,
        ResponseMemory answers,
        @Nullable RequestTimes times,
        ClosingLog closings,
        SlowRequests slow,
        FailureLatch failures) {}
