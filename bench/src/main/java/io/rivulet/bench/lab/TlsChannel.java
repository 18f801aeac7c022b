package io.rivulet.bench.lab;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * A blocking connection over TLS. After the handshake one thread may read while another one writes. {@link #close} cuts
 * the connection, from any thread.
 */
final class TlsChannel implements ByteChannel {
    /** Records of TLS in one write to the socket. */
    private static final int RECORDS = 4;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel socket;
    private final SSLEngine engine;
    private final int recordBytes;
    /** Encrypted. Owned by the thread that writes. */
    private final ByteBuffer sending;
    /** Encrypted. Owned by the thread that reads. */
    private final ByteBuffer received;
    /** Decrypted, and not read yet. Owned by the thread that reads. */
    private final ByteBuffer decrypted;

    TlsChannel(SocketChannel socket, SSLEngine engine) {
        this.socket = socket;
        this.engine = engine;
        this.recordBytes = engine.getSession().getPacketBufferSize();
        this.sending = ByteBuffer.allocateDirect(RECORDS * recordBytes);
        this.received = ByteBuffer.allocateDirect(RECORDS * recordBytes).flip();
        this.decrypted = ByteBuffer.allocateDirect(engine.getSession().getApplicationBufferSize())
                .flip();
    }

    /** Called once, before anything is read or written. */
    SSLSession handshake() throws IOException {
        engine.beginHandshake();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> send(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!receive()) {
                        throw new SSLException("the broker closed the connection during the handshake");
                    }
                }
                case NEED_TASK -> runTasks();
                default -> {
                    return engine.getSession();
                }
            }
        }
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int bytes = source.remaining();
        while (source.hasRemaining()) {
            send(source);
        }
        return bytes;
    }

    /** Sends some records, or what the handshake wants to send. */
    private void send(ByteBuffer source) throws IOException {
        sending.clear();
        do {
            Status status = engine.wrap(source, sending).getStatus();
            if (status != Status.OK) {
                throw new SSLException("can't encrypt: " + status);
            }
        } while (source.hasRemaining() && sending.remaining() >= recordBytes);
        sending.flip();
        while (sending.hasRemaining()) {
            socket.write(sending);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        while (!decrypted.hasRemaining()) {
            if (!receive()) {
                return -1;
            }
        }
        int bytes = Math.min(decrypted.remaining(), target.remaining());
        target.put(decrypted.slice(decrypted.position(), bytes));
        decrypted.position(decrypted.position() + bytes);
        return bytes;
    }

    /** Decrypts a record, or reads from the socket. Everything decrypted has been read. False at the end. */
    private boolean receive() throws IOException {
        decrypted.clear();
        SSLEngineResult result = engine.unwrap(received, decrypted);
        decrypted.flip();
        return switch (result.getStatus()) {
            case OK -> true;
            case CLOSED -> false;
            case BUFFER_UNDERFLOW -> {
                received.compact();
                int bytes = socket.read(received);
                received.flip();
                yield bytes >= 0;
            }
            case BUFFER_OVERFLOW -> throw new SSLException("a record is larger than TLS allows");
        };
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
