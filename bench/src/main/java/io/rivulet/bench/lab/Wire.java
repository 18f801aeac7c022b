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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A blocking connection for few requests, with our own codec. Confined to one thread. */
public final class Wire implements Closeable {
    private static final int TIMEOUT_MILLIS = 300_000;

    private final Socket socket;

    public Wire(int port) throws IOException {
        socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The request with its length and header in front; the caller releases it. */
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

    /** Sends, waits, and reads. */
    public Message call(ApiKey key, short version, Message request) throws IOException {
        send(key, version, request);
        return receive(key, version);
    }

    /** Sends only. {@link #receive} must follow once for each. */
    public void send(ApiKey key, short version, Message request) throws IOException {
        ByteBuf frame = frame(key, version, request);
        frame.readBytes(socket.getOutputStream(), frame.readableBytes());
        frame.release();
    }

    /** Waits for the answer to the oldest request that has none yet, and reads it. */
    public Message receive(ApiKey key, short version) throws IOException {
        return decode(key, version, receiveBytes());
    }

    private byte[] receiveBytes() throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] response = new byte[in.readInt()];
        in.readFully(response);
        return response;
    }

    /**
     * Sends a {@link #frame}, releases it, and returns the bytes of the response. They are not decoded here, so that
     * only the broker is measured.
     */
    public byte[] exchange(ByteBuf frame) throws IOException {
        frame.readBytes(socket.getOutputStream(), frame.readableBytes());
        frame.release();
        return receiveBytes();
    }

    /** The message in the bytes of an answer. */
    public static Message decode(ApiKey key, short version, byte[] response) {
        WireReader reader = new WireReader(Unpooled.wrappedBuffer(response));
        ResponseHeader.read(reader, key.responseHeaderVersion(version));
        return key.readResponse(reader, version);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
