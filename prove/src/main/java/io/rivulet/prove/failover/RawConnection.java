package io.rivulet.prove.failover;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.message.ResponseHeader;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A connection whose requests may lie in the socket of a process that is paused. Owned by: one thread. */
final class RawConnection implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;

    RawConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Sends a request, and does not wait. */
    void send(ApiKey key, short version, Message request) throws IOException {
        RequestHeader header = new RequestHeader()
                .requestApiKey(key.id())
                .requestApiVersion(version)
                .clientId("prove");
        ByteBuf frame = Unpooled.buffer();
        frame.writeInt(0);
        header.write(frame, key.requestHeaderVersion(version));
        request.write(frame, version);
        frame.setInt(0, frame.readableBytes() - Integer.BYTES);
        frame.readBytes(socket.getOutputStream(), frame.readableBytes());
    }

    /** The answer to the last request; null if the broker has none. */
    @Nullable
    Message answer(ApiKey key, short version) {
        try {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            WireReader reader = new WireReader(Unpooled.wrappedBuffer(bytes));
            ResponseHeader.read(reader, key.responseHeaderVersion(version));
            return key.readResponse(reader, version);
        } catch (IOException e) {
            return null; // it was closed, or nothing comes
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
