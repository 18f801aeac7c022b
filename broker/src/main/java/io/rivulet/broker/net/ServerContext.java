package io.rivulet.broker.net;

import io.netty.channel.group.ChannelGroup;
import io.rivulet.broker.call.LongRequests;
import io.rivulet.broker.call.ResponseMemory;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.broker.config.BrokerConfig;
import io.rivulet.store.failure.FailureLatch;

/**
 * The parts that all connections of all listeners share. Immutable.
 *
 * @param requests the memory of requests, until they are answered
 * @param answers the memory of short answers, until they are written
 */
record ServerContext(
        BrokerConfig config,
        RouteTable routes,
        LongRequests longRequests,
        ChannelGroup connections,
        ConnectionLimits limits,
        RequestMemory requests,
        ResponseMemory answers,
        ClosingLog closings,
        SlowRequests slow,
        FailureLatch failures) {}
