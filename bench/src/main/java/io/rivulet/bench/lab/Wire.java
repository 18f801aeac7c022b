package io.rivulet.bench.lab;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.message.ResponseHeader;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channels;

/**
 * A blocking connection with Rivulet's codec. One thread sends and one receives; {@link #close} ends both.
 */
public final class Wire implements Closeable {
    private static final int TIMEOUT_MILLIS = 300_000;

    private final Closeable connection;
    private final DataInputStream in;
    private final OutputStream out;

    public Wire(int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            in = new DataInputStream(socket.getInputStream());
            out = socket.getOutputStream();
            connection = socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** @param channel blocks; closed with the new object */
    Wire(ByteChannel channel) {
        connection = channel;
        in = new DataInputStream(Channels.newInputStream(channel));
        out = Channels.newOutputStream(channel);
    }

    /** Encodes a request with length and header. The caller releases the buffer. */
    public static ByteBuf frame(ApiKey key, short version, Message request) {
        RequestHeader header = new RequestHeader()
                .requestApiKey(key.id())
                .requestApiVersion(version)
                .clientId("bench");
        ByteBuf frame = Unpooled.buffer().writeInt(0);
        header.write(frame, key.requestHeaderVersion(version));
        request.write(frame, version);
        return frame.setInt(0, frame.readableBytes() - Integer.BYTES);
    }

    /** Sends the request and waits for the response. */
    public Message call(ApiKey key, short version, Message request) throws IOException {
        send(key, version, request);
        return receive(key, version);
    }

    /** Sends the request. {@link #receive} must follow once for each request. */
    public void send(ApiKey key, short version, Message request) throws IOException {
        send(frame(key, version, request));
    }

    /** Sends the bytes and releases the buffer. */
    public void send(ByteBuf bytes) throws IOException {
        try {
            bytes.readBytes(out, bytes.readableBytes());
        } finally {
            bytes.release();
        }
    }

    /** Waits for the response to the oldest request that has none yet. */
    public Message receive(ApiKey key, short version) throws IOException {
        return decode(key, version, receiveBytes());
    }

    private byte[] receiveBytes() throws IOException {
        byte[] response = new byte[in.readInt()];
        in.readFully(response);
        return response;
    }

    /** Sends a {@link #frame}, releases it, and returns the response without decoding it. */
    public byte[] exchange(ByteBuf frame) throws IOException {
        send(frame);
        return receiveBytes();
    }

    /** Decodes a response. */
    public static Message decode(ApiKey key, short version, byte[] response) {
        WireReader reader = new WireReader(Unpooled.wrappedBuffer(response));
        ResponseHeader.read(reader, key.responseHeaderVersion(version));
        return key.readResponse(reader, version);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
