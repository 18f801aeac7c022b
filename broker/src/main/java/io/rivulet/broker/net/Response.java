package io.rivulet.broker.net;

import io.netty.buffer.ByteBuf;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.rivulet.broker.call.Call;
import io.rivulet.protocol.wire.Message;
import java.util.List;

/**
 * A response, with the versions in which its header and body are encoded. It is reference-counted, so that the buffers of the body are
 * freed whether it is written or the connection is closed before.
 */
final class Response extends AbstractReferenceCounted {
    private final int correlationId;
    private final short headerVersion;
    private final short version;
    private final Message body;
    private final List<ByteBuf> held;
    private int copiedBytes;

    Response(int correlationId, short headerVersion, short version, Message body, List<ByteBuf> held) {
        this.correlationId = correlationId;
        this.headerVersion = headerVersion;
        this.version = version;
        this.body = body;
        this.held = held;
    }

    static Response to(Call call, Message body) {
        return new Response(
                call.correlationId(),
                call.key().responseHeaderVersion(call.version()),
                call.version(),
                body,
                call.buffers());
    }

    int correlationId() {
        return correlationId;
    }

    short headerVersion() {
        return headerVersion;
    }

    short version() {
        return version;
    }

    Message body() {
        return body;
    }

    /** The encoded bytes, without those of borrowed buffers. */
    int copiedBytes() {
        return copiedBytes;
    }

    void copied(int bytes) {
        copiedBytes = bytes;
    }

    @Override
    protected void deallocate() {
        held.forEach(ByteBuf::release);
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }
}
