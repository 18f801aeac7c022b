package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageEncoder;
import io.rivulet.broker.call.Call;
import io.rivulet.broker.call.LongAnswers;
import io.rivulet.protocol.message.ResponseHeader;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes length, header and body into one buffer of exactly their size. Record batches are not copied: they are
 * written to the socket from their own buffers.
 */
final class ResponseEncoder extends MessageToMessageEncoder<Response> {
    ResponseEncoder() {
        super(Response.class);
    }

    @Override
    protected void encode(ChannelHandlerContext context, Response response, List<Object> out) {
        Call call = response.call();
        Message body = response.body();
        ResponseHeader header = new ResponseHeader().correlationId(call.correlationId());
        short headerVersion = call.key().responseHeaderVersion(call.version());
        int size = header.sizeInBytes(headerVersion) + body.sizeInBytes(call.version());
        int copied = Integer.BYTES + size - body.gatheredBytes();
        response.copied(copied);
        ByteBuf target = context.alloc().ioBuffer(copied);
        List<ByteBuf> buffers = new ArrayList<>(1);
        try {
            WireWriter writer = WireWriter.gathering(target, copied);
            writer.writeInt(size);
            header.write(writer, headerVersion);
            if (body instanceof LongAnswers.Encoded encoded) {
                writer.finishInto(buffers);
                buffers.add(encoded.bytes().retainedSlice());
            } else {
                body.write(writer, call.version());
                writer.finishInto(buffers);
            }
        } catch (RuntimeException e) {
            target.release();
            throw e;
        }
        out.addAll(buffers);
    }
}
