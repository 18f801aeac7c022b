package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.call.LongRequests;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.call.Route;
import io.rivulet.broker.call.Route.Lane;
import io.rivulet.broker.call.RouteTable;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a frame into a {@link Request}. The first eight bytes of the header are the same in all versions: API key,
 * version, correlation id. They decide how the rest is read. A request keeps its frame if it has records, or if it is
 * so long that another thread decodes it. Immutable.
 */
record RequestDecoder(RouteTable routes) {
    private static final int VERSION_AT = 2;
    private static final int CORRELATION_ID_AT = 4;
    private static final int MAX_TOKEN_BYTES = 1 << 20;
    private static final long HEAP_OF_TOKEN = 2;

    /** The lane of the request in the frame. */
    Lane lane(Frame frame) {
        ByteBuf bytes = frame.bytes();
        Route route =
                routes.find(bytes.getShort(bytes.readerIndex()), bytes.getShort(bytes.readerIndex() + VERSION_AT));
        return route == null ? Lane.ALONE : route.lane();
    }

    /** The request owns the frame, unless this throws. */
    Request decode(Frame frame) {
        ByteBuf bytes = frame.bytes();
        short keyId = bytes.getShort(bytes.readerIndex());
        short version = bytes.getShort(bytes.readerIndex() + VERSION_AT);
        int correlationId = bytes.getInt(bytes.readerIndex() + CORRELATION_ID_AT);
        boolean isUnknown = keyId == ApiKey.API_VERSIONS.id() && version > ApiKey.API_VERSIONS.highestVersion();
        Route route = routes.find(keyId, isUnknown ? 0 : version);
        if (route == null) {
            ApiKey key = ApiKey.forId(keyId);
            throw new RejectedRequestException(
                    "API " + (key == null ? keyId : key.apiName()) + " version " + version + " is not served");
        }
        if (isUnknown) {
            frame.release();
            Message body = Request.OF_UNKNOWN_VERSION;
            return new Request(route, (short) 0, correlationId, "", body, Unpooled.EMPTY_BUFFER, Request::nothing);
        }
        return decode(route, version, correlationId, frame);
    }

    private static Request decode(Route route, short version, int correlationId, Frame frame) {
        WireReader in = new WireReader(frame.bytes());
        String clientId = RequestHeader.read(in, route.key().requestHeaderVersion(version))
                .clientId();
        String name = clientId == null ? "" : clientId;
        @Nullable
        Message body = route.key() == ApiKey.SASL_AUTHENTICATE && frame.bytes().readableBytes() <= MAX_TOKEN_BYTES
                ? readToken(route, version, in)
                : LongRequests.isLong(frame.bytes().readableBytes())
                        ? LongRequests.decodeIfShort(route, version, in)
                        : route.key().readRequest(in, version);
        // Bytes behind the request are ignored, as in Kafka: librdkafka adds three to a request for all topics.
        if (body == null || route.keepsFrame()) {
            return new Request(route, version, correlationId, name, body, frame.bytes(), frame.share()::release);
        }
        frame.release();
        return new Request(route, version, correlationId, name, body, Unpooled.EMPTY_BUFFER, Request::nothing);
    }

    /** Here, because clients that have not logged in must not take the memory and the threads of long requests. */
    private static Message readToken(Route route, short version, WireReader in) {
        in.limitHeap(HEAP_OF_TOKEN * MAX_TOKEN_BYTES);
        return route.key().readRequest(in, version);
    }
}
