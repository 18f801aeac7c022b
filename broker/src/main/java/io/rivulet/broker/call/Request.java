package io.rivulet.broker.call;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.wire.Message;

/**
 * A request that was decoded whole, or is too long for an event loop to do that: {@link LongRequests}. Immutable.
 *
 * @param clientId what the client calls itself
 * @param frame what the body borrows records from, or is still to be decoded from; owned by the request, empty if it borrows nothing
 * @param whenEnded runs once when the call has ended and the frame was freed
 */
public record Request(
        ApiKey key,
        short version,
        int correlationId,
        String clientId,
        Message body,
        ByteBuf frame,
        Runnable whenEnded) {
    /** For requests that hold nothing. */
    public static void nothing() {}
}
