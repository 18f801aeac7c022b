package io.rivulet.bench.peers;

import io.rivulet.bench.lab.BrokerFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * RocketMQ's remoting protocol, with the commands that its Java client sends. A queue is one of up to 1,000 queues of a
 * topic.
 *
 * <pre>
 * length 4 | length of the header 4, its first byte says that the header is JSON | header | body
 * </pre>
 *
 * Owned by: one thread, except {@link #close}.
 */
final class RemotingConnection extends PeerConnection {
    private static final int QUEUES_PER_TOPIC = 1_000;
    private static final int TOPIC_DIGITS = 4;
    private static final int NUMBER_DIGITS = 9;
    private static final long NUMBERS = 1_000_000_000;
    private static final int SEND_V2 = 310;
    private static final int SEND_BATCH = 320;
    private static final int MAX_OFFSET = 30;
    private static final int CREATE_TOPIC = 17;
    private static final byte[] SEND_QUEUE = Text.ascii("\",\"e\":\"");
    private static final byte[] OFFSET_QUEUE = Text.ascii("\",\"queueId\":\"");
    private static final byte[] NOTHING = {};
    /** The number of the request follows, as nine digits after a 1, because JSON has no leading zeros. */
    private static final byte[] NUMBER = Text.ascii("\"},\"flag\":0,\"language\":\"JAVA\",\"opaque\":1");

    private static final byte[] END = Text.ascii(",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":475}");

    private final PeerShape shape;
    private final int queuesPerTopic;
    private final int messagesPerRequest;
    private final byte[] send;
    private final byte[] offset = head(MAX_OFFSET, "\"committed\":\"true\",\"topic\":\"t");
    private final byte[] body;

    RemotingConnection(int port, PeerShape shape) throws IOException {
        super(port);
        this.shape = shape;
        queuesPerTopic = Math.min(shape.queues(), QUEUES_PER_TOPIC);
        // A batch goes to one queue.
        messagesPerRequest = shape.queues() == 1 ? shape.messagesPerRequest() : 1;
        boolean batch = messagesPerRequest > 1;
        send = head(
                batch ? SEND_BATCH : SEND_V2,
                "\"a\":\"bench\",\"c\":\"TBW102\",\"d\":\"4\",\"f\":\"0\",\"g\":\"" + System.currentTimeMillis()
                        + "\",\"h\":\"0\",\"i\":\"\",\"j\":\"0\",\"k\":\"false\",\"l\":\"0\",\"m\":\"" + batch
                        + "\",\"n\":\"bench\",\"b\":\"t");
        body = batch ? batch(messagesPerRequest) : Text.value();
    }

    private static byte[] head(int code, String fields) {
        return Text.ascii("{\"code\":" + code + ",\"extFields\":{" + fields);
    }

    /** Messages without properties: {@code length | magic | CRC | flag, 4 each | body | length of properties 2}. */
    private static byte[] batch(int messages) {
        byte[] value = Text.value();
        int bytes = 5 * Integer.BYTES + value.length + Short.BYTES;
        ByteBuffer all = ByteBuffer.allocate(messages * bytes);
        for (int i = 0; i < messages; i++) {
            all.putInt(bytes).putInt(0).putInt(0).putInt(0).putInt(value.length);
            all.put(value).putShort((short) 0);
        }
        return all.array();
    }

    @Override
    void create() throws IOException, BrokerFailedException {
        byte[] create = head(
                CREATE_TOPIC,
                "\"defaultTopic\":\"TBW102\",\"readQueueNums\":\"" + queuesPerTopic + "\",\"writeQueueNums\":\""
                        + queuesPerTopic
                        + "\",\"perm\":\"6\",\"topicFilterType\":\"SINGLE_TAG\",\"topicSysFlag\":\"0\","
                        + "\"order\":\"false\",\"topic\":\"t");
        int topics = (shape.queues() + queuesPerTopic - 1) / queuesPerTopic;
        exchange(
                topics,
                1,
                (out, topic) -> encode(out, create, NOTHING, topic * queuesPerTopic, topic, NOTHING),
                (number, unused) -> {});
    }

    @Override
    int messagesPerRequest() {
        return messagesPerRequest;
    }

    @Override
    void encode(ByteBuffer out, long number) {
        encode(out, send, SEND_QUEUE, number % shape.queues(), number, body);
    }

    @Override
    void count(Answers counts) throws IOException, BrokerFailedException {
        exchange(
                shape.queues(),
                shape.window(),
                (out, queue) -> encode(out, offset, OFFSET_QUEUE, queue, queue, NOTHING),
                counts);
    }

    /** @param field names the queue; empty for none */
    private void encode(ByteBuffer out, byte[] head, byte[] field, long queue, long number, byte[] body) {
        int start = out.position();
        out.position(start + 2 * Integer.BYTES).put(head);
        Text.putDigits(out, queue / queuesPerTopic, TOPIC_DIGITS);
        if (field.length > 0) {
            out.put(field);
            Text.putDigits(out, queue % queuesPerTopic);
        }
        out.put(NUMBER);
        Text.putDigits(out, number % NUMBERS, NUMBER_DIGITS);
        out.put(END);
        out.putInt(start + Integer.BYTES, out.position() - start - 2 * Integer.BYTES);
        out.put(body);
        out.putInt(start, out.position() - start - Integer.BYTES);
    }

    @Override
    boolean next(ByteBuffer in, long unused, Answers answers) throws BrokerFailedException {
        return RemotingReplies.next(in, answers);
    }
}
