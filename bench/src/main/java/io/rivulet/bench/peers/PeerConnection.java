package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A connection with many requests in flight. Owned by: one thread, except {@link #close}. */
abstract class PeerConnection implements Closeable {
    private static final int IN_BYTES = 8 << 20;
    private static final int OUT_BYTES = 1 << 20;
    /** More than any request. */
    private static final int MAX_REQUEST_BYTES = OUT_BYTES / 2;

    private static final int TIMEOUT_MILLIS = 60_000;

    private final Socket socket = new Socket();
    private final InputStream input;
    private final OutputStream output;
    private final ByteBuffer in = ByteBuffer.allocate(IN_BYTES).flip();
    private final ByteBuffer out = ByteBuffer.allocate(OUT_BYTES);

    /** Encodes the request with this number. */
    @FunctionalInterface
    interface Requests {
        void encode(ByteBuffer out, long number);
    }

    /** Receives an answer without an error. */
    @FunctionalInterface
    interface Answers {
        /** @param value the number in the answer, if the request asked for one */
        void answered(long number, long value);
    }

    PeerConnection(int port) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            input = socket.getInputStream();
            output = socket.getOutputStream();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Creates the queues. Does no harm if they exist. */
    abstract void create() throws IOException, BrokerFailedException;

    /** Messages that one request writes to as many queues in turn, or to the only queue. */
    abstract int messagesPerRequest();

    /** Encodes the request to write that has this number. */
    abstract void encode(ByteBuffer out, long number);

    /** Asks for the number of messages in each queue. */
    abstract void count(Answers counts) throws IOException, BrokerFailedException;

    /**
     * Reads an answer. Returns false and moves nothing if it is not complete.
     *
     * @param number of the request that is answered, if answers come in the order of requests
     */
    abstract boolean next(ByteBuffer in, long number, Answers answers) throws BrokerFailedException;

    /** Sends the requests {@code [0, count)} with this many in flight. Returns when all are answered. */
    final void exchange(long count, int inFlight, Requests requests, Answers answers)
            throws IOException, BrokerFailedException {
        long sent = 0;
        long[] answered = {0};
        Answers counting = (number, value) -> {
            answered[0]++;
            answers.answered(number, value);
        };
        while (answered[0] < count) {
            for (; sent < count && sent - answered[0] < inFlight; sent++) {
                if (out.remaining() < MAX_REQUEST_BYTES) {
                    flush();
                }
                requests.encode(out, sent);
            }
            flush();
            read();
            while (next(in, answered[0], counting)) {
                // all that is here
            }
        }
    }

    /** Writes to be sent before the next answer is awaited. */
    final ByteBuffer out() {
        return out;
    }

    private void flush() throws IOException {
        output.write(out.array(), 0, out.position());
        out.clear();
    }

    private void read() throws IOException {
        in.compact();
        int bytes = input.read(in.array(), in.position(), in.remaining());
        if (bytes < 0) {
            throw new EOFException("the server closed the connection");
        }
        if (bytes == 0) {
            throw new IOException("an answer has more than " + IN_BYTES + " bytes");
        }
        in.position(in.position() + bytes).flip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
