package io.rivulet.simulation;

import static io.rivulet.simulation.Promise.ANSWERS_COME;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rivulet.protocol.message.ApiKey;
import io.rivulet.protocol.message.RequestHeader;
import io.rivulet.protocol.message.ResponseHeader;
import io.rivulet.protocol.wire.Message;
import io.rivulet.protocol.wire.WireReader;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's end of a connection. Requests leave as frames, in pieces; answers arrive as frames, and are handled in a
 * step of the client.
 */
final class ClientConnection implements SimulatedChannel.Peer {
    /** Longer than anything that a broker waits for. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(150);

    private static final int MAX_PIECES = 3;

    private record Question(ApiKey key, short version, int id, long sinceNanos, Consumer<@Nullable Message> answered) {}

    private final SimulatedBroker broker;
    private final SplittableRandom random;
    private final SimulatedChannel channel;
    private final Queue<Question> asked = new ArrayDeque<>();
    private final ByteBuf incoming = Unpooled.buffer();
    private final Runnable wake;
    private int ids;
    private boolean lost;
    private boolean over;

    ClientConnection(SimulatedBroker broker, String client, SplittableRandom random) {
        this.broker = broker;
        this.random = random;
        this.wake = broker.actor(client, this::handle);
        this.channel = broker.connect(this);
    }

    /**
     * Sends a request.
     *
     * @param answered gets the answer, or null if the connection ends before
     */
    <T extends Message> void ask(
            ApiKey key, int version, Message request, Class<T> type, Consumer<@Nullable T> answered) {
        int id = ids++;
        RequestHeader header = new RequestHeader()
                .requestApiKey(key.id())
                .requestApiVersion((short) version)
                .correlationId(id)
                .clientId("simulated");
        ByteBuf frame = Unpooled.buffer();
        frame.writeInt(0);
        header.write(frame, key.requestHeaderVersion((short) version));
        request.write(frame, (short) version);
        frame.setInt(0, frame.readableBytes() - Integer.BYTES);
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        asked.add(new Question(
                key,
                (short) version,
                id,
                broker.time.nanos(),
                answer -> answered.accept(answer == null ? null : type.cast(answer))));
        broker.trace.add(bytes);
        int from = 0;
        for (int pieces = 1 + random.nextInt(MAX_PIECES); pieces > 1 && bytes.length - from > 1; pieces--) {
            int to = from + 1 + random.nextInt(bytes.length - from - 1);
            channel.arrive(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
        channel.arrive(Arrays.copyOfRange(bytes, from, bytes.length));
    }

    int inFlight() {
        return asked.size();
    }

    boolean isOver() {
        return over;
    }

    /** The client goes away. What it has asked stays without an answer. */
    void close() {
        channel.clientLeaves();
    }

    @Override
    public void received(byte[] bytes) {
        if (!broker.power.isOff()) {
            broker.trace.add(bytes);
            incoming.writeBytes(bytes);
            wake.run();
        }
    }

    @Override
    public void closed() {
        lost = true;
        wake.run();
    }

    private void handle() {
        // The client has gone: what had come and was not handled is lost with the connection.
        while (!lost
                && incoming.readableBytes() >= Integer.BYTES
                && incoming.readableBytes() >= Integer.BYTES + incoming.getInt(incoming.readerIndex())) {
            byte[] frame = new byte[incoming.readInt()];
            incoming.readBytes(frame);
            answer(frame);
        }
        if (lost && !over) {
            over = true;
            for (Question left = asked.poll(); left != null; left = asked.poll()) {
                left.answered().accept(null);
            }
        }
    }

    private void answer(byte[] frame) {
        Question question = asked.poll();
        ANSWERS_COME.require(question != null, "an answer without a question");
        if (question != null) {
            WireReader reader = new WireReader(Unpooled.wrappedBuffer(frame));
            int id = ResponseHeader.read(reader, question.key().responseHeaderVersion(question.version()))
                    .correlationId();
            ANSWERS_COME.require(id == question.id(), "answer %s to question %s", id, question.id());
            broker.trace.count(question.key().name(), 1);
            question.answered().accept(question.key().readResponse(reader, question.version()));
        }
    }

    /** Throws if a question has been open for too long. */
    void requireAnswers() {
        Question oldest = asked.peek();
        if (oldest != null) {
            ANSWERS_COME.require(
                    broker.time.nanos() - oldest.sinceNanos() < PATIENCE_NANOS,
                    "no answer to %s since %s s",
                    oldest.key(),
                    TimeUnit.NANOSECONDS.toSeconds(broker.time.nanos() - oldest.sinceNanos()));
        }
    }
}
