package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Redis's protocol, RESP 2. A queue is a stream. Owned by: one thread, except {@link #close}. */
final class RespConnection extends PeerConnection {
    private static final byte[] PING = Text.ascii("*1\r\n$4\r\nPING\r\n");
    private static final byte[] XADD = Text.ascii("*5\r\n$4\r\nXADD\r\n$9\r\nq:");
    private static final byte[] XLEN = Text.ascii("*2\r\n$4\r\nXLEN\r\n$9\r\nq:");
    private static final byte[] END = Text.ascii("\r\n");
    private static final byte[] FIELD = Text.ascii("\r\n$1\r\n*\r\n$1\r\nm\r\n$" + PeerShape.VALUE_BYTES + "\r\n");

    private final PeerShape shape;
    private final byte[] value = Text.value();

    RespConnection(int port, PeerShape shape) throws IOException {
        super(port);
        this.shape = shape;
    }

    /** The first message makes a stream. */
    @Override
    void create() throws IOException, BrokerFailedException {
        exchange(1, 1, (out, number) -> out.put(PING), (number, unused) -> {});
    }

    @Override
    int messagesPerRequest() {
        return 1;
    }

    @Override
    void encode(ByteBuffer out, long number) {
        out.put(XADD);
        Text.putDigits(out, number % shape.queues());
        out.put(FIELD).put(value).put(END);
    }

    @Override
    void count(Answers counts) throws IOException, BrokerFailedException {
        exchange(shape.queues(), shape.window(), this::encodeLength, counts);
    }

    private void encodeLength(ByteBuffer out, long queue) {
        out.put(XLEN);
        Text.putDigits(out, queue);
        out.put(END);
    }

    @Override
    boolean next(ByteBuffer in, long number, Answers answers) throws BrokerFailedException {
        return RespReplies.next(in, number, answers);
    }
}
