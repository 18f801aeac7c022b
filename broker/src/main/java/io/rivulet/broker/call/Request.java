package io.rivulet.broker.call;

import io.netty.buffer.ByteBuf;
import io.rivulet.protocol.message.ApiVersionsRequest;
import io.rivulet.protocol.wire.Message;
import org.jspecify.annotations.Nullable;

/**
 * A request that a connection has received. Immutable.
 *
 * @param clientId the client's own name
 * @param body null if it is too long for an event loop; then {@link LongRequests} decodes it
 * @param frame the bytes that the body borrows from or is decoded from; owned by the request; may be empty
 * @param whenEnded runs once when the call has ended and the frame is freed
 */
public record Request(
        Route route,
        short version,
        int correlationId,
        String clientId,
        @Nullable Message body,
        ByteBuf frame,
        Runnable whenEnded) {
    /** The body of an ApiVersions request of a version that the broker can't read. */
    public static final ApiVersionsRequest OF_UNKNOWN_VERSION = new ApiVersionsRequest();

    /** The {@code whenEnded} of requests that own nothing. */
    public static void nothing() {}
}
