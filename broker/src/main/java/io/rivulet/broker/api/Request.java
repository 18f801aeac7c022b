package io.rivulet.broker.api;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;

/**
 * A request that was decoded whole, or is too long for an event loop to do that: {@link LongRequests}. Immutable.
 *
 * @param clientId what the client calls itself
 * @param frame what the body borrows records from, or is still to be decoded from; owned by the request, empty if it borrows nothing
 */
public record Request(ApiKey key, short version, int correlationId, String clientId, Message body, ByteBuf frame) {}
