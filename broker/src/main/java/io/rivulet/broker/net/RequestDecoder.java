package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.broker.api.ApiVersionsHandler;
import io.rivulet.broker.call.LongRequests;
import io.rivulet.broker.call.Request;
import io.rivulet.broker.api.ServedApis;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;

/**
 * Turns a frame into a {@link Request}. The first eight bytes of the header are the same in all its versions: API key, version,
 * correlation id; they decide how to read the rest. A request that carries records keeps its frame, and so does one that is so long that
 * another thread decodes it.
 */
final class RequestDecoder {
    private static final int VERSION_AT = 2;
    private static final int CORRELATION_ID_AT = 4;

    private RequestDecoder() {}

    /** The request has the frame from here on, unless this throws. */
    static Request decode(Frame frame) {
        ByteBuf bytes = frame.bytes();
        short keyId = bytes.getShort(bytes.readerIndex());
        short version = bytes.getShort(bytes.readerIndex() + VERSION_AT);
        int correlationId = bytes.getInt(bytes.readerIndex() + CORRELATION_ID_AT);
        ApiKey key = ApiKey.forId(keyId);
        if (key == ApiKey.API_VERSIONS && version > key.highestVersion()) {
            frame.release();
            return new Request(
                    key,
                    (short) 0,
                    correlationId,
                    "",
                    ApiVersionsHandler.OF_UNKNOWN_VERSION,
                    Unpooled.EMPTY_BUFFER,
                    Request::nothing);
        }
        if (key == null || !ServedApis.serves(key, version)) {
            throw new RejectedRequestException(
                    "API " + (key == null ? keyId : key.apiName()) + " version " + version + " is not served");
        }
        return decode(key, version, correlationId, frame);
    }

    private static Request decode(ApiKey key, short version, int correlationId, Frame frame) {
        WireReader in = new WireReader(frame.bytes());
        String clientId =
                RequestHeader.read(in, key.requestHeaderVersion(version)).clientId();
        String name = clientId == null ? "" : clientId;
        Message body = LongRequests.isLong(frame.bytes().readableBytes())
                ? LongRequests.decodeIfShort(key, version, in)
                : key.readRequest(in, version);
        // What may follow is passed over, as Kafka does: librdkafka puts three bytes behind a request for all topics.
        if (body == LongRequests.UNDECODED || key == ApiKey.PRODUCE) {
            return new Request(key, version, correlationId, name, body, frame.bytes(), frame.share()::release);
        }
        frame.release();
        return new Request(key, version, correlationId, name, body, Unpooled.EMPTY_BUFFER, Request::nothing);
    }
}
