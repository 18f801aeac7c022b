package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.rivulet.broker.call.Call;
import io.rivulet.protocol.wire.Message;

/**
 * The answer to a call, on its way to the socket. It is reference-counted, so the buffers of the body are freed when it
 * is written, and also if the connection is closed before that.
 */
final class Response extends AbstractReferenceCounted {
    private final Call call;
    private final Message body;
    private int copiedBytes;

    Response(Call call, Message body) {
        this.call = call;
        this.body = body;
    }

    Call call() {
        return call;
    }

    Message body() {
        return body;
    }

    /** The size of the encoded answer, without borrowed buffers. */
    int copiedBytes() {
        return copiedBytes;
    }

    void copied(int bytes) {
        copiedBytes = bytes;
    }

    @Override
    protected void deallocate() {
        call.buffers().forEach(ByteBuf::release);
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }
}
