package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToByteEncoder;
import io.rivulet.protocol.message.ResponseHeader;
import io.rivulet.protocol.wire.WireWriter;

/** Writes length, header and body into one buffer of exactly the size that they need. */
final class ResponseEncoder extends MessageToByteEncoder<Response> {
    @Override
    protected ByteBuf allocateBuffer(ChannelHandlerContext context, Response response, boolean preferDirect) {
        return context.alloc().ioBuffer(Integer.BYTES + sizeInBytes(response));
    }

    @Override
    protected void encode(ChannelHandlerContext context, Response response, ByteBuf out) {
        int size = sizeInBytes(response);
        WireWriter writer = WireWriter.copying(out, Integer.BYTES + size);
        writer.writeInt(size);
        header(response).write(writer, response.headerVersion());
        response.body().write(writer, response.version());
        writer.finish();
    }

    private static int sizeInBytes(Response response) {
        return header(response).sizeInBytes(response.headerVersion())
                + response.body().sizeInBytes(response.version());
    }

    private static ResponseHeader header(Response response) {
        return new ResponseHeader().correlationId(response.correlationId());
    }
}
