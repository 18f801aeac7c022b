package io.rivulet.prove.hostile;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.ResponseHeader;
import io.rivulet.protocol.wire.Message;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/** Answers each request with the same kind of mistake. Its thread ends when it is closed. */
final class WrongBroker implements AutoCloseable {
    enum Bug {
        /** An exception that nobody foresaw becomes this error. */
        UNKNOWN_SERVER_ERROR,
        /** A field of another version. */
        A_BYTE_TOO_FEW,
        A_LENGTH_BELOW_ZERO
    }

    private final Bug bug;
    private final ServerSocket server;

    WrongBroker(Bug bug) throws IOException {
        this.bug = bug;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "wrong-broker");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    private void serve() {
        while (!server.isClosed()) {
            serveOne();
        }
    }

    /** Returns when the client closes, or has sent a mutated frame. */
    private void serveOne() {
        try (Socket client = server.accept()) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            while (true) {
                byte[] frame = in.readNBytes(in.readInt());
                client.getOutputStream().write(answer(ByteBuffer.wrap(frame)));
            }
        } catch (IOException | RuntimeException e) {
            // the next client comes
        }
    }

    private byte[] answer(ByteBuffer request) {
        int id = request.getShort();
        short version = request.getShort();
        ApiKey key = Arrays.stream(ApiKey.values())
                .filter(one -> one.id() == id)
                .findFirst()
                .orElseThrow();
        Message response = response(key);
        ByteBuf bytes = Unpooled.buffer();
        bytes.writeInt(0);
        new ResponseHeader().correlationId(request.getInt()).write(bytes, key.responseHeaderVersion(version));
        response.write(bytes, version);
        int length = bytes.readableBytes() - Integer.BYTES;
        bytes.setInt(0, bug == Bug.A_BYTE_TOO_FEW ? length - 1 : bug == Bug.A_LENGTH_BELOW_ZERO ? -length : length);
        byte[] all = new byte[bytes.readableBytes()];
        bytes.readBytes(all);
        return bug == Bug.A_BYTE_TOO_FEW ? Arrays.copyOf(all, all.length - 1) : all;
    }

    private Message response(ApiKey key) {
        StringBuilder name = new StringBuilder();
        for (String word : key.name().split("_")) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        try {
            Object response = Fields.make(Class.forName(ApiKey.class.getPackageName() + "." + name + "Response"));
            Fields.of(response.getClass()).stream()
                    .filter(field ->
                            bug == Bug.UNKNOWN_SERVER_ERROR && field.getName().equals("errorCode"))
                    .forEach(field -> Fields.set(field, response, (short) -1));
            return (Message) response;
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
