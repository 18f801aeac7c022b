package io.rivulet.broker.call;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.wire.Message;
import org.jspecify.annotations.Nullable;

/**
 * A request as a connection hands it on. Immutable.
 *
 * @param clientId what the client calls itself
 * @param body null if it is too long for an event loop to decode: {@link LongRequests} does that
 * @param frame what the body borrows records from, or is still to be decoded from; owned by the request, empty if it borrows nothing
 * @param whenEnded runs once when the call has ended and the frame was freed
 */
public record Request(
        Route route,
        short version,
        int correlationId,
        String clientId,
        @Nullable Message body,
        ByteBuf frame,
        Runnable whenEnded) {
    /** The body of an ApiVersions request of a version that the broker does not know, and so can't read. */
    public static final ApiVersionsRequest OF_UNKNOWN_VERSION = new ApiVersionsRequest();

    /** For requests that hold nothing. */
    public static void nothing() {}
}
