package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageDecoder;
import io.rivulet.broker.api.ApiVersionsHandler;
import io.rivulet.broker.api.LongRequests;
import io.rivulet.broker.api.Request;
import io.rivulet.broker.api.ServedApis;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import java.util.List;

/**
 * Turns a frame into a {@link Request}. The first eight bytes of the header are the same in all its versions: API key, version,
 * correlation id; they decide how to read the rest. A request that carries records keeps its frame, and so does one that is so long that
 * another thread decodes it.
 */
final class RequestDecoder extends MessageToMessageDecoder<ByteBuf> {
    private static final int VERSION_AT = 2;
    private static final int CORRELATION_ID_AT = 4;
    private static final int SHORTEST_HEADER_BYTES = 8;

    RequestDecoder() {
        super(ByteBuf.class);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf frame, List<Object> out) {
        if (frame.readableBytes() < SHORTEST_HEADER_BYTES) {
            throw new RejectedRequestException("a frame of " + frame.readableBytes() + " bytes holds no request");
        }
        short keyId = frame.getShort(frame.readerIndex());
        short version = frame.getShort(frame.readerIndex() + VERSION_AT);
        int correlationId = frame.getInt(frame.readerIndex() + CORRELATION_ID_AT);
        ApiKey key = ApiKey.forId(keyId);
        if (key == ApiKey.API_VERSIONS && version > key.highestVersion()) {
            out.add(new Request(
                    key, (short) 0, correlationId, "", ApiVersionsHandler.OF_UNKNOWN_VERSION, Unpooled.EMPTY_BUFFER));
        } else if (key == null || !ServedApis.serves(key, version)) {
            throw new RejectedRequestException(
                    "API " + (key == null ? keyId : key.apiName()) + " version " + version + " is not served");
        } else {
            out.add(decode(key, version, correlationId, frame));
        }
    }

    private static Request decode(ApiKey key, short version, int correlationId, ByteBuf frame) {
        WireReader in = new WireReader(frame);
        String clientId =
                RequestHeader.read(in, key.requestHeaderVersion(version)).clientId();
        boolean later = LongRequests.isLong(key, frame.readableBytes());
        // What may follow is passed over, as Kafka does: librdkafka puts three bytes behind a request for all topics.
        Message body = later ? LongRequests.UNDECODED : key.readRequest(in, version);
        return new Request(
                key,
                version,
                correlationId,
                clientId == null ? "" : clientId,
                body,
                later || key == ApiKey.PRODUCE ? frame.retain() : Unpooled.EMPTY_BUFFER);
    }
}
